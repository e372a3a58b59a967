from __future__ import annotations

import json
from pathlib import Path

import pytest

from neutralize.known.derive import derive_known
from neutralize.known.manifests import other_statements
from tests.unit.neutralize.known.conftest import write_tree

PACKAGE = {
    "name": "@grainfolk/grml-core",
    "description": "Mills grain as it was milled before.",
    "bin": {"grmlctl": "x.js"},
    "repository": {"type": "git", "url": "git+ssh://git@github.com/grainfolk/grml.git"},
    "author": "Orla Quibbleton <orla@grainmill.tools> (https://quibbleton.page)",
    "contributors": [{"name": "Pim Haverstraw", "email": "pim@haver.page"}],
    "workspaces": ["packages/*", "../outside", "/etc"],
}
POM = """<project><parent><artifactId>theparent</artifactId></parent>
<!-- <artifactId>commented</artifactId> -->
<groupId>tools.grainmill</groupId><artifactId>grml</artifactId><url>https://grainmill.tools</url>
<dependencies><dependency><artifactId>other</artifactId></dependency></dependencies>
<developers><developer><name>Orla Quibbleton</name><email>orla@grainmill.tools</email></developer></developers></project>"""


def stated(tmp_path: Path, files: dict[str, str]) -> set[tuple[str, str]]:
    return {(said.role, said.value) for said in other_statements(write_tree(tmp_path / "tree", files))}


def test_npm_gives_names_programs_places_people_and_workspaces(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "package.json").write_text('{"name": "outsider"}')
    files = {
        "package.json": json.dumps(PACKAGE, indent=1),
        "packages/a/package.json": '{"name": "grml-sieve", "bin": {"sift": "x"}, "author": "Somebody Else"}',
        "examples/b/package.json": '{"name": "example-of-it", "bin": {"colors": "x"}}',
    }
    assert stated(tmp_path, files) == {
        ("dist", "@grainfolk/grml-core"), ("org", "grainfolk"), ("dist", "grml-core"), ("cli", "grmlctl"),
        ("summary", "Mills grain as it was milled before."), ("url", "https://github.com/grainfolk/grml.git"),
        ("email", "orla@grainmill.tools"), ("party", "Orla Quibbleton"), ("party", "Pim Haverstraw"),
        ("email", "pim@haver.page"), ("dist", "grml-sieve"), ("cli", "sift"),
    }  # fmt: skip


@pytest.mark.parametrize("short", ["grainfolk/grml", "github:grainfolk/grml", "git@github.com:grainfolk/grml.git"])
def test_short_forms_of_a_repository_are_addresses(tmp_path: Path, short: str) -> None:
    known = derive_known(write_tree(tmp_path, {"package.json": json.dumps({"name": "x", "repository": short})}))
    assert "grainfolk/grml" in {fact.value for fact in known.owners}


def test_go_takes_the_module_line_and_no_comment(tmp_path: Path) -> None:
    text = "// the module example of old\n// module wrong/one\nmodule github.com/grainfolk/grml/v2 // the mill\n\ngo 1.22\n"
    assert stated(tmp_path, {"go.mod": text}) == {
        ("module", "grml"), ("dist", "github.com/grainfolk/grml"), ("url", "https://github.com/grainfolk/grml"),
    }  # fmt: skip


def test_cargo_cmake_gem_and_maven(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "grml-rs"\nauthors = ["Pim Haverstraw <p@haver.page>"]\nrepository = "https://grml.page"\n[[bin]]\nname = "grmlx"\n[lib]\nname = "grml_rs"\n',
        "CMakeLists.txt": '# project(commented)\nproject ( "GrmlMill"\n  VERSION 1 HOMEPAGE_URL "https://mill.page")\n',
        "grml.gemspec": 'Gem::Specification.new do |spec|\n  spec.name = "grml-rb"\n  spec.authors = ["Orla Quibbleton", "Pim Haverstraw"]\n  # spec.name = "no"\nend\n',
        "pom.xml": POM,
    }
    found = stated(tmp_path, files)
    assert {
        ("dist", "grml-rs"), ("cli", "grmlx"), ("module", "grml_rs"), ("url", "https://grml.page"), ("party", "Pim Haverstraw"),
        ("project", "GrmlMill"), ("url", "https://mill.page"), ("dist", "grml-rb"), ("party", "Orla Quibbleton"),
        ("dist", "tools.grainmill"), ("dist", "grml"), ("url", "https://grainmill.tools"), ("email", "orla@grainmill.tools"),
    } <= found  # fmt: skip
    assert not {"commented", "no", "theparent", "other"} & {value for _, value in found}


def test_what_manifests_state_becomes_terms_with_places(tmp_path: Path) -> None:
    known = derive_known(
        write_tree(tmp_path, {"go.mod": "\nmodule github.com/grainfolk/grml\n", "a.go": "package grmlsieve"})
    )
    terms = {(term.kind, term.surface): term for term in known.terms}
    assert terms["import-root", "grml"].grade == "D"
    assert terms["import-root", "grml"].sources == ("go.mod:2",)
    assert terms["org", "grainfolk"].grade == "I"
    assert terms["project", "grmlsieve"].grade == "I"


@pytest.mark.parametrize(
    "name", ["package.json", "go.mod", "Cargo.toml", "CMakeLists.txt", "pom.xml", "a.gemspec", "pyproject.toml"]
)
@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 100_000, '{"a":' * 100_000, "[]", '{"name": 3, "author": [1], "workspaces": {"packages": 4}, "bin": []}',
     '[package]\nname = 3\nauthors = "x"\n[workspace]\npackage = 4\n', "<parent" * 20_000, "project(" * 20_000, "module " * 20_000,
     "spec.name = " * 20_000, "<name>" * 20_000, "\0\udc80"],
)  # fmt: skip
def test_a_broken_manifest_says_nothing_and_stops_nothing(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8", "replace")
    assert isinstance(list(other_statements(tmp_path)), list)


def test_a_manifest_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "out.json").write_text('{"name": "outsider"}')
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "package.json").symlink_to(tmp_path / "out.json")
    assert not list(other_statements(tmp_path / "tree"))
