"""Publishing an assembled case: what was made is replaced, what was written by hand or paid for is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.assembly import publish
from taskpack.layout import CaseFolder

HAND_WRITTEN = (
    "order.toml",
    "controls/clean_room/expect.json",
    "provenance/ledger.jsonl",
    "provenance/locks.json",
    "provenance/refused/spec/FP-02/1.json",
    "provenance/replies/spec/FP-01/1.json",
    "provenance/terms.toml",
    "provenance/waivers.json",
)


def put(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture
def assembled(tmp_path: Path) -> Path:
    made = {"public/Full_PRD.md": "new", "source/manifest.json": "new", "provenance/receipts/A.json": "new"}
    return put(tmp_path / "assembled", made | dict.fromkeys(HAND_WRITTEN, "as it was when the gates ran"))


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_what_an_author_or_a_provider_wrote_since_is_not_put_back(assembled: Path, tmp_path: Path, name: str) -> None:
    case = CaseFolder(root=put(tmp_path / "case", {name: "written since"}))
    publish(assembled, case)
    assert (case.root / name).read_text() == "written since"
    assert case.prd.read_text() == "new"


def test_what_was_made_and_is_no_longer_is_removed_with_its_folder(assembled: Path, tmp_path: Path) -> None:
    case = CaseFolder(root=put(tmp_path / "case", {"milestones/final/tests/F09_acceptance.py": "old"}))
    publish(assembled, case)
    assert not (case.root / "milestones").exists() or not any((case.root / "milestones").iterdir())


def test_files_that_are_not_ours_are_left_alone(assembled: Path, tmp_path: Path) -> None:
    case = CaseFolder(root=put(tmp_path / "case", {"notes.md": "mine", "drafts/idea.md": "mine"}))
    publish(assembled, case)
    assert (case.root / "notes.md").read_text() == (case.root / "drafts/idea.md").read_text() == "mine"


def test_an_equal_file_is_not_written_again(assembled: Path, tmp_path: Path) -> None:
    case = CaseFolder(root=put(tmp_path / "case", {"public/Full_PRD.md": "new"}))
    before = case.prd.stat().st_ino
    publish(assembled, case)
    assert case.prd.stat().st_ino == before
