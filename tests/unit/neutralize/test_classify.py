"""What stands where: from a language's declared writing alone."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environments.languages.writing import Writing
from environments.languages.writings import UNKNOWN, WRITINGS, writing_of
from neutralize.classify import Kind, Reading

N, I, S, C, O = Kind.NAME, Kind.IMPORT, Kind.STRING, Kind.COMMENT, Kind.OTHER  # noqa: E741

ROWS = [
    ("a.py", "from @.b import c\nx = @.y  # @ here\ns = 'a @' + r\"\\@\"\n", [I, N, C, S, S]),
    ("a.py", 'x = """a\n# @ is text\n"""\n@()\n', [S, N]),
    ("a.py", "m = importlib.import_module('@.x')\nimport @\nimport os, @\n", [I, I, I]),
    ("a.py", "x = '# @'  # '@\n@ = 1\n", [S, C, N]),
    ("a.py", "x = 'it\\'s @'; @\n", [S, N]),
    ("a.js", "import {a} from '@';\nconst b = require(\"@/x\");\n// @\n/* @\n@ */ @(`a ${1} @`)\n", [I, I, C, C, C, N, S]),
    ("a.js", "const r = /['\"]/.test(@); x = '@'\n", [N, S]),
    ("a.ts", "export * from '@';\nimport type { A } from './@';\nlet v: @ = \"@\";\n", [I, I, N, S]),
    ("a.go", 'package @\nimport (\n\t"x/@"\n)\nvar a = `\\@` + "@" // @\nfunc @() {}\n', [I, I, S, S, C, N]),
    ("a.cpp", '#include <@/a.h>\nnamespace @ { const char *a = R"(" @ )"; /* @ */ char c = \'"\'; @ b; }\n', [I, N, S, C, N]),
    ("a.h", '#include "@.h"\n// @\n#define @_X 1\n', [I, C, N]),
    ("a.rs", 'use @::b;\nextern crate @;\nlet c = \'"\'; let s = "@"; let r = r#"a " @"#; /* a /* b */ @ */ fn @<\'a>() {}\n', [I, I, S, S, C, N]),
    ("CMakeLists.txt", "project(@)\nfind_package(@)\n# @\nset(X \"@\")\n", [N, I, C, S]),
    ("a.md", "# @\n\n<!-- @ -->\nfrom @ import a\nIt's @'s.\n", [O, C, I, O]),
    ("a.rst", "@\n=\n\n>>> import @\n", [O, I]),
    ("a.toml", "# @\n[tool.@]\nx = \"@ # @\"\ny = '@' # @\n", [C, O, S, S, S, C]),
    ("a.yaml", "# @\n@: it's @ # @\nb: '@'\nc: \"@\"\n", [C, O, O, C, S, S]),
    ("a.json", '{"@": ["@"]}\n', [S, S]),
    ("a.ini", "[@]\n; @\nx = @ # @\n", [O, C, O, C]),
    ("a.sh", "# @\nsource @.sh\necho $#@ \"@\" '@'\n", [C, I, N, S, S]),
    ("a.weird", "# @ '@'\n", [O, O]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), ROWS)
def test_every_place_is_of_the_kind_that_its_language_gives_it(path: str, text: str, expected: list[Kind]) -> None:
    text = text.replace("@", "oldtally")
    reading = Reading(text, writing_of(path))
    assert [reading.kind(match.start()) for match in re.finditer("oldtally", text)] == expected


@pytest.mark.parametrize(
    ("path", "text", "inside"),
    [
        ("a.py", "x = '\\noldtally'", False),
        ("a.py", "x = '\\oldtally'", True),  # \o is what a reader may think, and o is not the name's
        ("a.py", "x = r'\\oldtally'", False),
        ("a.py", "x = '\\\\oldtally'", False),
        ("a.py", "x = '\\x0oldtally'", False),
        ("a.go", "x := `\\oldtally`", False),
        ("a.rs", 'let x = r"\\oldtally";', False),
        ("a.js", "x = '\\oldtally'", True),
        ("a.md", "a \\oldtally", False),
    ],
)
def test_a_name_whose_first_letter_belongs_to_an_escape_is_seen(path: str, text: str, inside: bool) -> None:
    assert Reading(text, writing_of(path)).in_escape(text.index("oldtally")) is inside


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b.py", "python"), ("x.tsx", "javascript"), ("x.MJS", "javascript"), ("go.mod", "unknown"), ("a.hpp", "cpp"),
        ("x/CMakeLists.txt", "cmake"), ("a.rs", "rust"), ("README.md", "markdown"), ("a.rst", "restructuredtext"),
        ("requirements.txt", "text"), ("Cargo.lock", "toml"), ("a.yml", "yaml"), ("package.json", "json"),
        ("setup.cfg", "ini"), ("noending", "unknown"),
    ],
)  # fmt: skip
def test_a_file_is_in_the_language_that_its_name_says(path: str, name: str) -> None:
    assert writing_of(path).name == name


def test_writings_are_data_alone_and_their_patterns_compile() -> None:
    endings = [ending for writing in WRITINGS for ending in writing.endings]
    assert len(endings) == len(set(endings))
    for writing in WRITINGS:
        for field in fields(Writing):
            assert not callable(getattr(writing, field.name)), (writing.name, field.name)
        for form in (*writing.imports, *writing.escapes, *writing.behaviour, *writing.skips):
            re.compile(form)
        for form, replacement in writing.mutants:
            assert re.sub(form, replacement, "") == ""
        for manifest in writing.manifests:
            assert manifest.own or manifest.needs or manifest.tools


SIGNS = st.text(alphabet="ab \n\\\"'`#/*-<>!{}$;r()=.é\t", max_size=80)


@given(text=SIGNS, writing=st.sampled_from([*WRITINGS, UNKNOWN]))
def test_any_text_can_be_read_in_any_language(text: str, writing: Writing) -> None:
    reading = Reading(text, writing)
    for place in range(len(text)):
        assert reading.kind(place) in Kind
        region = reading.region(place)
        assert region.start <= place < region.end or region.start == region.end == 0
        reading.in_escape(place)
