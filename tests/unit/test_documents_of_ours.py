"""README and DESIGN say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import typer.main

from flows.allgates import ALL_GATES
from flows.exits import MEANINGS
from flows.main import app
from validation.gates_page import gates_table


def between(text: str, mark: str) -> str:
    return text.split(f"<!-- {mark} -->\n", 1)[1].split(f"<!-- /{mark} -->", 1)[0]


def table(head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    return "".join(f"| {left} | {right} |\n" for left, right in (head, ("---", "---"), *rows))


def put(path: Path, mark: str, wanted: str, *, update: bool) -> None:
    text = path.read_text()
    old = f"<!-- {mark} -->\n{between(text, mark)}<!-- /{mark} -->"
    if update:
        path.write_text(text.replace(old, f"<!-- {mark} -->\n{wanted}<!-- /{mark} -->"))
    assert between(path.read_text(), mark) == wanted


def test_exit_codes_in_the_readme_are_the_codes(checkout: Path, update_golden: bool) -> None:
    rows = [(f"`{code}`", meaning) for code, meaning in sorted(MEANINGS.items())]
    put(checkout / "README.md", "exit codes", table(("code", "meaning"), rows), update=update_golden)


def test_commands_in_the_readme_are_the_commands(checkout: Path, update_golden: bool) -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    rows = [(f"`repowright {name}`", " ".join((each.help or "").split())) for name, each in commands.items()]
    put(checkout / "README.md", "commands", table(("command", "what it does"), rows), update=update_golden)


def test_gates_in_their_page_are_the_gates(checkout: Path, update_golden: bool) -> None:
    put(checkout / "docs/gates.md", "gates", gates_table(ALL_GATES), update=update_golden)


def test_design_names_only_what_exists(checkout: Path) -> None:
    text = (checkout / "DESIGN.md").read_text()
    named = set(re.findall(r"`([\w.<>/-]+/[\w.<>/-]*|[\w-]+\.(?:py|md|toml))`", text))
    assert len(named) > 15
    in_a_case = {
        "public/",
        "source/",
        "milestones/",
        "controls/",
        "provenance/replies/",
        ".repowright/",
        "order.toml",
        "gates.py",
    }
    missing = {name for name in named - in_a_case if not (checkout / name).exists()}
    assert not missing


def test_design_names_every_room(checkout: Path) -> None:
    text = (checkout / "DESIGN.md").read_text()
    rooms = {path.parent.name for path in checkout.glob("*/__init__.py")}
    assert rooms - {"tests"} <= set(re.findall(r"\| `(\w+)/` \|", text))


def test_no_package_of_tests_takes_the_name_of_a_room(checkout: Path) -> None:
    """Else what is imported from the room comes from wherever that is installed, which may be another checkout."""
    rooms = {path.parent.name for path in checkout.glob("*/__init__.py")} - {"tests"}
    assert rooms >= {"flows", "judge"}
    assert not [path for path in (checkout / "tests").rglob("__init__.py") if path.parent.name in rooms]


def test_no_file_of_ours_is_over_500_lines(checkout: Path) -> None:
    rooms = (
        "authoring",
        "environments",
        "flows",
        "judge",
        "neutralize",
        "providers",
        "taskpack",
        "validation",
        "tests",
    )
    sizes = {path: len(path.read_text().splitlines()) for room in rooms for path in (checkout / room).rglob("*.py")}
    assert {path.name for path, lines in sizes.items() if lines > 500} == set()


def test_lock_has_hashes_and_no_index_lines(checkout: Path) -> None:
    lines = (checkout / "requirements.lock").read_text().splitlines()
    assert not [
        line for line in lines if "://" in line or line.startswith(("-i", "--index", "--extra-index", "--find-links"))
    ]
    pins = [line for line in lines if re.match(r"^[a-z0-9._-]+==", line)]
    hashes = [line for line in lines if line.strip().startswith("--hash=sha256:")]
    assert len(pins) > 20
    assert len(hashes) >= len(pins)
