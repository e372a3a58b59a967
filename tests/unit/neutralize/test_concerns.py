"""Where a rename stops, and what it changes and lists for a person: the kinds, each with a twin that is neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neutralize.rename import build_map
from neutralize.tree import Renamed, rename_tree
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected
from taskpack.rename import Grade, Reference, RenameMap, Term

OLD = Term(surface="oldtally", grade=Grade.IDENTIFYING, kind="dist", sources=("order",))


def map_of(order: Order, *terms: Term, **tables: object) -> RenameMap:
    rename = order.rename.model_copy(update={"identifiers": {}, **tables})
    made = build_map(order.model_copy(update={"rename": rename}), terms or (OLD,))
    assert isinstance(made, RenameMap), made
    return made


def done(tmp_path: Path, map_: RenameMap, files: dict[str, str]) -> Renamed | Rejected:
    for name, text in files.items():
        path = tmp_path / "old" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return rename_tree(tmp_path / "old", tmp_path / "new", map_)


def said(facts: tuple[Fact, ...]) -> str:
    return "\n".join(f"{fact.where}: {fact.what}" for fact in facts)


LISTED = [
    ("a.py", "# see https://example.org/p/oldtally/x\n", "inside the address https://example.org/p/oldtally/x"),
    ("a.md", "Write to oldtally@example.org.\n", "inside the address oldtally@example.org"),
    ("x/__snapshots__/a.js", "oldtally\n", "what a test run wrote"),
    ("a.rst", "oldtally\n========\n", "no longer as long as its underline"),
    ("a.md", "About oldtally\n--------------\n", "no longer as long as its underline"),
    ("a.md", "| oldtally | a |\n", "a table whose width changes"),
    ("a.rst", "+----------+\n| oldtally |\n+----------+\n", "a table whose width changes"),
    ("a.txt", "  oldtally    counts things\n", "text in columns moves"),
    ("a.py", 'HELP = """\n  oldtally    counts things\n"""\n', "text in columns moves"),
    ("a.py", 'assert "see oldtally".index("oldtally") == 4\n', "may count on it"),
    ("a.cpp", 'char name[9] = "oldtally";\n', "may count on it"),
    ("a.py", 'assert sign("oldtally") == "a9Xk2LmQ7vT4bR8nW1cZ"\n', "a hash or signature on the line"),
    ("a.py", 'x = os.environ["oldtally"]\n', "behaviour"),
    ("a.py", 'def f(salt=b"oldtally.x"): ...\n', "behaviour"),
    ("a.js", 'x = process.env["oldtally"];\n', "behaviour"),
    ("a.js", 'bus.on("oldtally", f);\n', "behaviour"),
    ("a.go", 'x := os.Getenv("oldtally")\n', "behaviour"),
    ("a.cpp", 'auto x = getenv("oldtally");\n', "behaviour"),
    ("a.rs", 'let x = env::var("oldtally");\n', "behaviour"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "told"), LISTED)
def test_what_a_person_decides_is_renamed_and_listed(
    tmp_path: Path, order: Order, path: str, text: str, told: str
) -> None:
    renamed = done(tmp_path, map_of(order), {path: text})
    assert isinstance(renamed, Renamed), renamed
    assert told in said(renamed.listed)
    assert "oldtally" not in (tmp_path / "new" / path).read_text("utf-8")


UNLISTED = [
    ("a.py", "import oldtally  # the oldtally one\nx = oldtally.y   # two\n"),
    ("a.md", "The oldtally counts.  It adds.\n\npackage oldtally@1.4.0\n"),
    ("a.rst", "oldtally\n==========================\n"),
    ("a.py", 'x = "oldtally"\nn = 8\n'),
    ("a.py", 'x = {"oldtally": other["environ"]}\n'),
    ("a.py", 'assert log == "0000000000000000000000 oldtally"\n'),
    ("a.js", 'const on = "oldtally";\n'),
    ("a.json", '{"name": "oldtally", "size": 8}\n'),
]


@pytest.mark.parametrize(("path", "text"), UNLISTED)
def test_ordinary_places_are_not_listed(tmp_path: Path, order: Order, path: str, text: str) -> None:
    renamed = done(tmp_path, map_of(order), {path: text})
    assert isinstance(renamed, Renamed), renamed
    assert not renamed.listed, said(renamed.listed)


def test_a_replacement_of_equal_length_moves_nothing(tmp_path: Path, order: Order) -> None:
    map_ = map_of(order, OLD, identifiers={"Ledger": "Sheets"})
    renamed = done(tmp_path, map_, {"a.rst": "Ledger\n======\n", "a.py": 'x = "Ledger".index("r") == 6\n'})
    assert isinstance(renamed, Renamed)
    assert not renamed.listed


def test_the_projects_own_address_is_replaced_as_a_whole_and_not_listed(tmp_path: Path, order: Order) -> None:
    host = Term(surface="brassworks.tools", grade=Grade.IDENTIFYING, kind="host", sources=("order",))
    text = "https://oldtally.brassworks.tools/a and mara@brassworks.tools\n"
    renamed = done(tmp_path, map_of(order, OLD, host), {"a.md": text})
    assert isinstance(renamed, Renamed)
    assert not renamed.listed


def test_places_are_counted_by_what_stands_there(tmp_path: Path, order: Order) -> None:
    files = {
        "oldtally/a.py": "from oldtally import b\nx = oldtally.b('oldtally')  # oldtally\n",
        "README.md": "oldtally and oldtally\n",
    }
    renamed = done(tmp_path, map_of(order), files)
    assert isinstance(renamed, Renamed)
    assert renamed.kinds == {
        "code names": 1, "imports": 1, "strings": 1, "comments": 1, "other text": 2, "paths": 1,
    }  # fmt: skip
    assert renamed.replaced == 7


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.json", "a.rs"])
def test_a_name_that_begins_inside_an_escape_stops_the_rename(tmp_path: Path, order: Order, path: str) -> None:
    term = Term(surface="nltkit", grade=Grade.IDENTIFYING, kind="dist", sources=("order",))
    refused = done(tmp_path, map_of(order, term), {path: 'x = "a\\nltkit"\n'})
    assert isinstance(refused, Rejected)
    assert "belongs to an escape" in said(refused.evidence)
    assert not (tmp_path / "new").exists()


def test_an_escape_before_a_name_is_no_part_of_it(tmp_path: Path, order: Order) -> None:
    files = {"a.py": 'x = "a\\noldtally"\n', "b.go": "x := `\\oldtally`\n"}
    assert isinstance(done(tmp_path, map_of(order), files), Renamed)
    assert (tmp_path / "new/a.py").read_text("utf-8") == 'x = "a\\nvexsum"\n'


NEEDS = {
    "pyproject.toml": '[project]\nname = "oldtally"\ndependencies = ["rich_oldtally>=1", "oldtally[x]"]\n',
    "setup.cfg": "[metadata]\nname = oldtally\n[options]\ninstall_requires =\n    other\n    Rich.Oldtally ; python_version > '3'\n",
    "setup.py": 'setup(name="oldtally", install_requires=["other", "rich-oldtally"])\n',
    "package.json": json.dumps({"name": "oldtally", "dependencies": {"rich-oldtally": "^1", "oldtally": "*"}}),
    "go.mod": "module example.org/oldtally\n\nrequire (\n\texample.org/rich-oldtally v1.2.3\n)\n",
    "Cargo.toml": '[package]\nname = "oldtally"\n[dependencies]\nrich-oldtally = { version = "1" }\n',
    "CMakeLists.txt": "project(oldtally)\nfind_package(rich-oldtally REQUIRED)\n",
    "vcpkg.json": json.dumps({"name": "oldtally", "dependencies": [{"name": "rich-oldtally"}]}),
}


@pytest.mark.parametrize("manifest", NEEDS)
def test_a_name_of_another_project_that_is_needed_stops_the_rename(tmp_path: Path, order: Order, manifest: str) -> None:
    refused = done(tmp_path, map_of(order), {manifest: NEEDS[manifest]})
    assert isinstance(refused, Rejected)
    assert refused.reason is Reason.MAP_NOT_INVERTIBLE
    lines = [fact for fact in refused.evidence if "another project's name" in fact.what]
    assert lines, said(refused.evidence)
    assert all(fact.where.startswith(manifest) and "rename.kept" in fact.what for fact in lines)


@pytest.mark.parametrize("manifest", NEEDS)
def test_the_projects_own_name_in_its_manifest_is_renamed(tmp_path: Path, order: Order, manifest: str) -> None:
    text = NEEDS[manifest].replace("rich", "other").replace("other_oldtally", "other")
    for spelled in ("other.Oldtally", "other-oldtally", "Rich.Oldtally"):
        text = text.replace(spelled, "other")
    renamed = done(tmp_path, map_of(order), {manifest: text})
    assert isinstance(renamed, Renamed), renamed
    assert "oldtally" not in (tmp_path / "new" / manifest).read_text("utf-8").lower()


LOCKS = {
    "requirements-dev.txt": "rich-oldtally==1.0\n",
    "uv.lock": '[[package]]\nname = "rich-oldtally"\nversion = "1"\n',
    "package-lock.json": json.dumps({"name": "oldtally", "packages": {"": {}, "node_modules/rich-oldtally": {}}}),
    "yarn.lock": '"rich-oldtally@^1":\n  version "1"\n',
    "pnpm-lock.yaml": "packages:\n  rich-oldtally@1.0.0:\n    x: y\n",
    "Cargo.lock": '[[package]]\nname = "rich-oldtally"\nversion = "1"\n',
    "go.sum": "example.org/rich-oldtally v1.0.0 h1:abc=\n",
}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_name_of_a_tool_is_changed_in_text_and_listed_and_stops_an_import(
    tmp_path: Path, order: Order, lock: str
) -> None:
    renamed = done(tmp_path, map_of(order), {lock: LOCKS[lock]})
    assert isinstance(renamed, Renamed), renamed
    assert "part of" in said(renamed.listed)
    name, code = (
        ("a.go", 'import "example.org/rich-oldtally/x"\n') if lock == "go.sum" else ("a.py", "import rich_oldtally\n")
    )
    (tmp_path / "old" / name).write_text(code, "utf-8")
    refused = rename_tree(tmp_path / "old", tmp_path / "again", map_of(order))
    assert isinstance(refused, Rejected)
    assert [fact.where for fact in refused.evidence] == [f"{name}:1"]


def test_a_tools_name_that_the_order_keeps_stays_everywhere(tmp_path: Path, order: Order) -> None:
    map_ = map_of(order, kept=("rich-oldtally", "rich_oldtally"))
    text = "import rich_oldtally, oldtally  # rich-oldtally rich-oldtally-more myrich_oldtally\n"
    renamed = done(tmp_path, map_, {"requirements.txt": "rich-oldtally==1.0\n", "a.py": text})
    assert isinstance(renamed, Renamed), renamed
    assert (tmp_path / "new/a.py").read_text("utf-8") == (
        "import rich_oldtally, vexsum  # rich-oldtally rich-vexsum-more myrich_vexsum\n"
    )
    assert (tmp_path / "new/requirements.txt").read_text("utf-8") == "rich-oldtally==1.0\n"
    assert renamed.replaced == 3


def test_a_literal_of_the_order_decides_about_another_projects_name(tmp_path: Path, order: Order) -> None:
    map_ = map_of(order, literals={"rich-oldtally": "thick-paste"})
    files = {"pyproject.toml": '[project]\nname = "oldtally"\ndependencies = ["rich-oldtally"]\n'}
    assert isinstance(done(tmp_path, map_, files), Renamed)
    assert "thick-paste" in (tmp_path / "new/pyproject.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("manifest", "text"),
    [("pyproject.toml", "[project\n"), ("package.json", "{"), ("setup.cfg", "x\n"), ("package.json", "[1]"),
     ("pyproject.toml", 'project = "oldtally"\n'), ("package.json", '{"dependencies": 3, "name": ["oldtally", 1]}')],
)  # fmt: skip
def test_a_broken_manifest_says_nothing(tmp_path: Path, order: Order, manifest: str, text: str) -> None:
    assert isinstance(done(tmp_path, map_of(order), {manifest: text, "a.py": "import rich_oldtally\n"}), Renamed)


def test_a_dollar_belongs_to_an_identifier_where_the_language_says_so(tmp_path: Path, order: Order) -> None:
    map_ = map_of(order, OLD, identifiers={"ledger": "sheets"})
    files = {"a.js": "$ledger ledger ledger$\n", "a.sh": "echo $ledger\n", "a.ts": "`${ledger}`\n"}
    assert isinstance(done(tmp_path, map_, files), Renamed)
    new = {name: (tmp_path / "new" / name).read_text("utf-8") for name in files}
    assert new == {"a.js": "$ledger sheets ledger$\n", "a.sh": "echo $sheets\n", "a.ts": "`${sheets}`\n"}


def test_what_hangs_in_front_of_a_short_name_does_so_in_trees_of_that_language_alone(
    tmp_path: Path, order: Order
) -> None:
    source = order.source.model_copy(update={"name": "ovo"})
    order = order.model_copy(update={"source": source})
    term = Term(surface="ovo", grade=Grade.DISTINCTIVE, kind="dist", sources=("order",))
    files = {"a.cpp": '#include "libovo/x.h"\n// -DOVO_X libovo ovoid novo\n', "libovo/x.h": "", "n.md": "libovo\n"}
    assert isinstance(done(tmp_path, map_of(order, term), files), Renamed)
    assert (tmp_path / "new/a.cpp").read_text("utf-8") == (
        '#include "libvexsum/x.h"\n// -DVEXSUM_X libvexsum ovoid novo\n'
    )
    assert (tmp_path / "new/libvexsum/x.h").is_file()
    assert (tmp_path / "new/n.md").read_text("utf-8") == "libvexsum\n"
    alone = tmp_path / "python"
    alone.mkdir()
    assert isinstance(done(alone, map_of(order, term), {"n.py": "libovo\n"}), Renamed)
    assert (alone / "new/n.py").read_text("utf-8") == "libovo\n"


def test_the_list_has_an_end_and_says_so(tmp_path: Path, order: Order) -> None:
    text = "".join(f"https://example.org/{number}/oldtally\n" for number in range(510))
    renamed = done(tmp_path, map_of(order), {"a.md": text})
    assert isinstance(renamed, Renamed)
    assert len(renamed.listed) == 501
    assert renamed.listed[-1].what == "10 more places like these"


def test_a_reference_that_was_stored_before_places_were_told_is_still_read() -> None:
    old = {"schema_version": 1, "tree": "0" * 64, "product_paths": ["src"], "tests_passed": 5}
    reference = Reference.from_bytes(json.dumps(old).encode())
    assert (reference.tests_passed, dict(reference.renamed), reference.listed) == (5, {}, ())
    assert Reference.from_bytes(reference.to_bytes()) == reference
