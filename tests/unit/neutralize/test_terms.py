from __future__ import annotations

from pathlib import Path

import pytest

from neutralize.notices import party
from neutralize.terms import derive_terms, grade_of, is_distinctive
from taskpack.order import GitSource, Order
from taskpack.rename import Grade, Term


def found(tree: Path, order: Order) -> dict[tuple[str, str], Term]:
    return {(term.kind, term.surface): term for term in derive_terms(tree, order)}


def surfaces(tree: Path, order: Order) -> set[str]:
    return {term.surface for term in derive_terms(tree, order)}


def test_every_identity_source_of_a_project_gives_its_terms_with_the_place(upstream: Path, order: Order) -> None:
    terms = found(upstream, order)
    assert terms["dist", "oldtally"].sources == ("order", "pyproject.toml:2")
    assert terms["import-root", "oldtally"].sources == ("src/oldtally/__init__.py:1",)
    assert terms["project", "OldTally"].sources == ("README.md:1",)
    assert terms["cli", "oldtally-count"].sources == ("pyproject.toml:17",)
    assert terms["person", "Mara Quill"].sources == ("LICENSE:1", "pyproject.toml:7")
    assert terms["person", "Odo Fennimore"].sources == ("LICENSE:1",)
    assert terms["org", "Brassworks"].sources == ("pyproject.toml:8",)
    assert terms["host", "brassworks.tools"].grade is Grade.IDENTIFYING
    assert terms["email", "hello@brassworks.tools"].sources == ("pyproject.toml:8",)
    assert terms["url", "github.com/brassworks/oldtally"].sources == ("pyproject.toml:12",)
    assert terms["literal", "Counts things the way shopkeepers used to."].grade is Grade.LITERAL


def test_a_rare_surname_is_a_term_alone_and_a_common_word_is_not(upstream: Path, order: Order) -> None:
    terms = found(upstream, order)
    assert ("person", "Fennimore") in terms
    assert ("person", "Quill") not in terms


def test_places_that_many_projects_share_are_no_terms(upstream: Path, order: Order) -> None:
    assert not {"github.com", "github", "discord.gg", "discord", "example.org"} & surfaces(upstream, order)


@pytest.mark.parametrize("identifier", ["recount_all", "HTTPSeal", "jmesval"])
def test_an_identifier_of_more_than_one_ordinary_word_is_distinctive(identifier: str) -> None:
    assert is_distinctive(identifier)


@pytest.mark.parametrize("identifier", ["sign", "unsign", "Signer", "serializer", "Counter", "x2"])
def test_an_ordinary_word_is_not_distinctive(identifier: str) -> None:
    assert not is_distinctive(identifier)


def test_an_identifier_that_changes_only_its_case_is_hunted_by_its_exact_text(upstream: Path, order: Order) -> None:
    table = order.rename.model_copy(update={"identifiers": {"HTTPCount": "HttpCount", "recount_all": "sum_lines"}})
    terms = found(upstream, order.model_copy(update={"rename": table}))
    assert terms["api-identifier", "HTTPCount"].grade is Grade.LITERAL
    assert terms["api-identifier", "recount_all"].grade is Grade.DISTINCTIVE


@pytest.mark.parametrize(
    ("surface", "grade"),
    [
        ("fetch", Grade.GENERIC),
        ("requests", Grade.GENERIC),
        ("q17", Grade.DISTINCTIVE),
        ("lfsx", Grade.DISTINCTIVE),
        ("brassmonocle", Grade.IDENTIFYING),
        ("js-yaml", Grade.IDENTIFYING),
    ],
)
def test_the_first_rule_set_grades_names(surface: str, grade: Grade) -> None:
    assert grade_of(surface) is grade


def test_the_body_of_a_licence_names_no_holder(tmp_path: Path, order: Order) -> None:
    (tmp_path / "LICENSE").write_text(
        "      You may add Your own copyright statement to Your modifications and\n"
        "   Copyright [yyyy] [name of copyright owner]\n"
        "Copyright notice and this permission notice shall be included\n"
        "   Copyright \u00a9 2011-2014, Wobblecraft Ltd. All rights reserved.\n",
        "utf-8",
    )
    orgs = {term.surface for term in derive_terms(tmp_path, order) if term.kind in {"org", "person"}}
    assert orgs == {"Wobblecraft"}


def test_manifests_of_packages_below_the_root_add_nothing(upstream: Path, order: Order) -> None:
    (upstream / "examples" / "colours").mkdir(parents=True)
    (upstream / "examples" / "colours" / "pyproject.toml").write_text(
        '[project]\nname = "palettebox"\n[project.scripts]\nhueshift = "x:y"\n', "utf-8"
    )
    assert not {"palettebox", "hueshift"} & surfaces(upstream, order)


def test_a_no_reply_address_gives_its_login_and_a_bot_gives_nothing(tmp_path: Path, order: Order) -> None:
    (tmp_path / "setup.cfg").write_text(
        "[metadata]\nname = oldtally\nauthor = Ann\n"
        "author_email = 4711+quillfern@users.noreply.github.com, 9+dusty[bot]@users.noreply.github.com\n",
        "utf-8",
    )
    persons = {term.surface for term in derive_terms(tmp_path, order) if term.kind == "person"}
    assert persons == {"quillfern"}


def test_setup_py_is_read_and_never_run(tmp_path: Path, order: Order) -> None:
    (tmp_path / "setup.py").write_text(
        "import setuptools, pathlib\npathlib.Path('ran').touch()\n"
        "setuptools.setup(name='oldtally', author='Odo Fennimore', url='https://fennimore.works/x')\n",
        "utf-8",
    )
    assert {"Odo Fennimore", "fennimore.works"} <= surfaces(tmp_path, order)
    assert not Path("ran").exists()


def test_broken_manifests_say_nothing(tmp_path: Path, order: Order) -> None:
    for name in ("pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO"):
        (tmp_path / name).write_bytes(b"[project\nname = \xff(")
    assert surfaces(tmp_path, order) == {"oldtally", "recount_all"}


def test_a_git_source_gives_owner_and_repository(tmp_path: Path, order: Order) -> None:
    for url in ("https://github.com/brassworks/oldtally.git", "git@github.com:brassworks/oldtally.git"):
        source = GitSource(kind="git", url=url, commit="a" * 40)
        terms = found(tmp_path, order.model_copy(update={"source": source}))
        assert ("org", "brassworks") in terms
        assert ("project", "oldtally") in terms


def test_the_same_tree_gives_the_same_terms(upstream: Path, order: Order) -> None:
    assert derive_terms(upstream, order) == derive_terms(upstream, order)


def test_the_humps_of_a_glued_name_are_learned_from_the_tree(upstream: Path, order: Order) -> None:
    (upstream / "README.md").write_text("# Counting\n", "utf-8")
    (upstream / "src" / "oldtally" / "more.py").write_text("class OldTally: ...\n\n\nclass olDtally: ...\n", "utf-8")
    assert found(upstream, order)["project", "OldTally"].sources[0].startswith("CHANGES.md:1")


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ("The Brassworks Authors", "Brassworks"),
        ('"Odo B. Fennimore" <odo@fennimore.works>', "Odo B. Fennimore"),
        ("Val Tinker @ Tinkerline Inc. https://tinkerline.works", "Val Tinker"),
        ("Tinkerline, Inc. All rights reserved.", "Tinkerline"),
        ("2014", ""),
    ],
)
def test_a_party_is_named_without_the_words_around_it(stated: str, name: str) -> None:
    assert party(stated) == name
