from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from neutralize.known.background import make, shipped
from neutralize.known.collect import Collected
from neutralize.known.derive import derive_known
from neutralize.known.facts import Fact, Known
from neutralize.known.history import read_history
from neutralize.known.literals import tells_number, tells_string
from tests.unit.neutralize.known.conftest import FILES, NO_BACKGROUND, git, write_tree


def values(facts: Iterable[Fact]) -> list[str]:
    return [fact.value for fact in facts]


def place(facts: Iterable[Fact], value: str) -> str:
    return next(fact.source for fact in facts if fact.value == value)


def test_literals_are_what_only_the_code_has(known: Known) -> None:
    assert {"0.982492", "precision-matters"} <= set(values(known.literals))
    assert place(known.literals, "0.982492") == "src/grml/core.py:5"
    assert place(known.literals, "precision-matters") == "src/grml/core.py:8"


def test_powers_of_two_published_vectors_and_documentation_are_no_literals(known: Known) -> None:
    assert not {"65536", "94287082", "Separate.", "Doc strings are no literals of the program."} & set(
        values(known.literals)
    )


@pytest.mark.parametrize("number", ["0.982492", "-81723.5", "0x1F3D5B79", "30071", "6.02214076e23"])
def test_numbers_that_tell(number: str) -> None:
    assert tells_number(number, NO_BACKGROUND)


@pytest.mark.parametrize("number", ["65536", "65535", "1048577", "11111", "123456", "0xFFFFFFFF", "755224", "37.7668"])
def test_numbers_that_are_everybodys(number: str) -> None:
    assert not tells_number(number, NO_BACKGROUND)


@pytest.mark.parametrize("text", ["precision-matters", "secret salt of the mill", "eyJ1c2VyIjoxfQ.sig", "Größenwahn"])
def test_strings_that_tell(text: str) -> None:
    assert tells_string(text, NO_BACKGROUND)


@pytest.mark.parametrize(
    "text",
    ["short", "Source code", "x" * 121, "message", "======", "%s: %s (%d)", "Topic :: Utilities", "JBSWY3DPEHPK3PXP", "12345678901234567890",
     "\udc80 half a character"],
)  # fmt: skip
def test_strings_that_do_not(text: str) -> None:
    assert not tells_string(text, NO_BACKGROUND)


def test_what_unrelated_projects_write_too_does_not_tell() -> None:
    common = make((), ("wheat and chaff", "0.982492"), size=512, note="")
    assert not tells_string("wheat and chaff", common)
    assert not tells_number("0.982492", common)


def test_messages_keep_their_words_and_lose_what_is_put_in(known: Known) -> None:
    assert values(known.messages) == ["cannot winnow \0 because the hopper is dry", "the \0 sieve has \0 torn meshes"]


def test_headings_stems_tests_variables(known: Known) -> None:
    assert values(known.headings) == ["winnowing-at-the-quern"]
    assert values(known.stems) == ["chaffblower"]
    assert values(known.tests) == ["test_winnow_drops_every_husk"]
    assert values(known.variables) == ["GRAINMILL_CACHE"]
    assert [asset.path for asset in known.assets] == ["docs/logo.png"]


def test_releases_come_from_the_change_log_and_the_tags(known: Known) -> None:
    assert values(known.versions) == ["1.3.0", "1.4.2", "2.7.18"]
    assert values(known.dates) == ["2030-02-12", "2031-03-07"]


def test_public_names_are_ranked_and_ordinary_ones_left_out(known: Known) -> None:
    names = [name.value for name in known.identifiers]
    assert names.index("winnow_chaff") < names.index("HusklessSieve")
    assert not {"grml", "TOKEN", "HOME", "GRAVITY", "kernels"} & set(names)


def test_people_of_manifest_history_and_owners(known: Known) -> None:
    assert values(known.people) == ["Orla Quibbleton", "Pim Haverstraw", "Zoltan Okonkwoye"]
    assert set(values(known.logins)) == {"pimstraw", "quernkeeper"}
    assert values(known.emails) == ["orla@grainmill.tools"]
    assert values(known.hosts) == ["grainmill.tools"]
    assert {"grainfolk", "grainfolk/grml"} <= set(values(known.owners))
    assert not any("bot" in value for value in [*values(known.people), *values(known.logins), *values(known.emails)])


def test_ids_of_commits_and_tags(known: Known, store: Path) -> None:
    commits = git(store, "rev-list", "--all").split()
    assert set(known.objects) == {*commits, git(store, "rev-parse", "v2.7.18")}
    assert len(known.objects) == 4


def test_glued_names_become_terms_and_words_of_others_do_not(tree: Path) -> None:
    write_tree(tree, {"src/grml/more.py": "grmlpotential = mygrml_x = 1\n"})
    common = make(("grmlpotential",), (), size=512, note="")
    terms = {term.surface: term for term in derive_known(tree, background=common).terms}
    assert terms["grmlhttp"].grade == "I"
    assert terms["grmlhttp"].sources == ("src/grml/core.py:20",)
    assert "mygrml" in terms
    assert "grmlpotential" not in terms
    assert terms["GRAINMILL_CACHE"].kind == "env-prefix"


def test_the_same_tree_and_store_give_the_same_bytes(tree: Path, store: Path) -> None:
    first = derive_known(tree, repository=store).to_bytes()
    assert derive_known(tree, repository=store).to_bytes() == first
    assert Known.from_bytes(first).to_bytes() == first


def test_a_packed_store_tells_the_same(tree: Path, store: Path) -> None:
    before = derive_known(tree, repository=store)
    git(store, "gc", "-q", "--prune=now")
    assert derive_known(tree, repository=store).to_bytes() == before.to_bytes()


def test_a_shallow_store_still_gives_the_id_of_the_parent_that_it_does_not_hold(store: Path) -> None:
    parent = git(store, "rev-parse", "main~1")
    (store / "shallow").write_text(git(store, "rev-parse", "main") + "\n")
    (store / "objects" / parent[:2] / parent[2:]).unlink()
    history = read_history(store)
    assert parent in history.objects
    assert history.unread == []


def test_a_store_with_a_broken_or_missing_object_is_not_complete(store: Path) -> None:
    parent, first = git(store, "rev-parse", "main~1"), git(store, "rev-parse", "main~2")
    path = store / "objects" / parent[:2] / parent[2:]
    path.chmod(0o644)
    path.write_bytes(zlib.compress(b"commit 9\0nonsense!"))
    history = read_history(store)
    assert [item.path for item in history.unread] == [f"git:{parent}"]
    path.write_bytes(b"no zlib")
    assert first not in read_history(store).objects
    path.unlink()
    assert "KeyError" in read_history(store).unread[0].problem


def test_a_store_that_borrows_objects_is_not_followed(store: Path) -> None:
    (store / "objects" / "info").mkdir(exist_ok=True)
    (store / "objects" / "info" / "alternates").write_text("/etc\n")
    history = read_history(store)
    assert not history.objects
    assert "borrows" in history.unread[0].problem


def test_no_store_is_said(tmp_path: Path) -> None:
    assert read_history(tmp_path).unread[0].problem == "no git store"


def test_configuration_and_hooks_of_a_store_are_not_run(store: Path, tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    with (store / "config").open("a") as config:
        config.write(f'[core]\nfsmonitor = "touch {trap}"\nsshCommand = "touch {trap}"\n[include]\npath = /nowhere\n')
    read_history(store)
    assert not trap.exists()


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.full)])
def test_a_crowd_of_authors_is_taken_in(tmp_path: Path, count: int) -> None:
    text = "".join(f"Zorla{n}x Quibble{n} <z{n}@mill.tools>\n" for n in range(count))
    write_tree(tmp_path, {"AUTHORS": text})
    known = derive_known(tmp_path)
    assert len(known.emails) == count
    assert len(known.people) == count
    assert known.unread == ()


def test_more_facts_than_the_record_holds_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("neutralize.known.collect.MAX_FACTS", 1)
    write_tree(tmp_path, {"a.py": "x = ['flour of the mill', 'bran of the mill']\n"})
    (item,) = derive_known(tmp_path).unread
    assert (item.path, item.problem) == ("literals", "1 facts more than the record holds")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.py", "(" * 200_000),
        ("a.py", "x = " + "-" * 100_000 + "1"),
        ("a.js", "'" + "\\'" * 400_000),
        ("a.js", "`" * 99_999 + "${" * 100_000),
        ("a.go", "/*" * 300_000),
        ("a.go", '"' + "a" * 1_000_000),
        ("a.rs", "'a" * 300_000),
        ("a.rb", "#" * 600_000),
        ("README.md", "#" * 600_000),
        ("README.md", "![" * 300_000),
        ("CHANGES.md", "1." * 300_000),
        ("AUTHORS", "<" * 500_000),
        ("AUTHORS", "a@" * 300_000),
        ("a.json", '{"a":' * 100_000),
        ("a.py", "raise X(" + "'a' + " * 3000 + "'b')"),
    ],
)  # fmt: skip
def test_one_giant_line_is_read_and_gives_a_record(tmp_path: Path, name: str, line: str) -> None:
    write_tree(tmp_path, {name: line, "good.py": "x = 'flour of the mill'\n"})
    assert "flour of the mill" in values(derive_known(tmp_path).literals)


def test_a_public_name_is_no_literal_though_a_string_says_it(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "def winnow_chaff(): return 'winnow_chaff', 'chaff_winnower'\n"})
    known = derive_known(tmp_path)
    assert values(known.literals) == ["chaff_winnower"]
    assert [name.value for name in known.identifiers] == ["winnow_chaff"]


def test_copies_of_other_projects_give_no_literals(tmp_path: Path) -> None:
    write_tree(
        tmp_path, {"node_modules/a/i.js": "x = 'flour of the mill'", "vendor/b.go": 'var x = "bran of the mill"'}
    )
    assert derive_known(tmp_path).literals == ()


@pytest.mark.parametrize(
    ("name", "text", "literal", "message"),
    [
        ("a.js", "throw new RangeError(`no ${x} fits the quern today`) // 'not this one'\n", "no ${x} fits the quern today", "no \0 fits the quern today"),
        ("a.ts", "x = 'don\\'t mill it'; reject(new Error('the mill is shut on sundays'))", "don't mill it", "the mill is shut on sundays"),
        ("a.go", 'return fmt.Errorf("mill %q has no water: %w", a, err) /* "nor this one" */\n', "mill %q has no water: %w", "mill \0 has no water:"),
        ("a.go", 'var ErrDry = errors.New("the millpond has run dry")\n', "the millpond has run dry", "the millpond has run dry"),
        ("a.rs", "fn f<'a>() { panic!(\"wheel {} turned the wrong way\", 1) }", "wheel {} turned the wrong way", "wheel \0 turned the wrong way"),
        ("a.cpp", 'throw std::runtime_error("the axle has been lost");', "the axle has been lost", "the axle has been lost"),
        ("a.rb", 'raise ArgumentError, "x" # "not this"\nraise("the sluice #{a} will not open")', "the sluice #{a} will not open", "the sluice \0 will not open"),
        ("a.py", "raise ValueError('sack {} of {} is torn'.format(1, 2))", "sack {} of {} is torn", "sack \0 of \0 is torn"),
    ],
)  # fmt: skip
def test_strings_and_messages_of_each_language(
    tmp_path: Path, name: str, text: str, literal: str, message: str
) -> None:
    known = derive_known(write_tree(tmp_path, {name: text}), background=NO_BACKGROUND)
    assert literal in values(known.literals)
    assert values(known.messages) == [message]
    assert not any("this" in value for value in values(known.literals))


@pytest.mark.parametrize(
    ("name", "text", "test"),
    [
        ("a_test.go", "func TestMillTurnsBothWays(t *testing.T) {}", "TestMillTurnsBothWays"),
        ("a.rs", "#[test]\nfn mill_turns_both_ways() {}", "mill_turns_both_ways"),
        ("a.cc", "TEST_F(Mill, TurnsBothWays) {}", "TurnsBothWays"),
        ("a.test.js", "it('turns the mill both ways', () => {})", "turns the mill both ways"),
    ],
)  # fmt: skip
def test_names_of_tests_of_each_language(tmp_path: Path, name: str, text: str, test: str) -> None:
    assert values(derive_known(write_tree(tmp_path, {name: text}), background=NO_BACKGROUND).tests) == [test]


@pytest.mark.parametrize(
    "text",
    ["process.env.MILL_RACE_X", "process.env['MILL_RACE_X']", 'os.Getenv("MILL_RACE_X")', 'env::var("MILL_RACE_X")',
     'getenv("MILL_RACE_X")', 'ENV.fetch("MILL_RACE_X")', 'os.environ["MILL_RACE_X"]', 'os.LookupEnv("MILL_RACE_X")'],
)  # fmt: skip
def test_variables_that_code_reads(tmp_path: Path, text: str) -> None:
    known = derive_known(write_tree(tmp_path, {"a.js": text, "b.js": "MILL_RACE_Y = 1"}), background=NO_BACKGROUND)
    assert values(known.variables) == ["MILL_RACE_X"]


def test_the_order_in_which_facts_come_does_not_matter() -> None:
    one, other = Collected(), Collected()
    for path, line in (("b", 1), ("a", 10), ("a", 9)):
        one.add("x", path, line)
    for path, line in (("a", 9), ("b", 1), ("a", 10)):
        other.add("x", path, line)
    assert one.facts() == other.facts() == (Fact(value="x", source="a:9"),)


def test_the_shipped_background_knows_common_things_and_says_what_it_is_made_of() -> None:
    assert shipped().has_word("metadata")
    assert shipped().has_text("__init__")
    assert not shipped().has_text("winnow_chaff of the hopper")
    assert "standard library" in shipped().note
    assert FILES
