"""What a run leaves on a page, without a page; and that a page that refuses it stops nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flows.hints import Hints
from flows.picture import artifacts, verdict
from flows.run import Run, Step
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.order import Language, read_order
from taskpack.outcome import Fact, Reason, Rejected, Stage, Waiting
from taskpack.recipe import Recipe

RESULT = Recipe(language=Language.PYTHON, python="3.11", packages=())
DONE = Step(stage=Stage.PIN, result=RESULT, reused=True, seconds=0)


@pytest.fixture
def run(tmp_path: Path, checkout: Path) -> Run:
    order = read_order(checkout / "cases/case001/order.toml")
    return Run(
        case=CaseFolder(root=tmp_path / "case001"),
        order=order,
        work=WorkFolder(root=tmp_path / "work"),
        provider=None,  # type: ignore[arg-type]
    )


def test_keys_are_what_a_page_takes_and_empty_tables_are_left_out(run: Run) -> None:
    found = artifacts(run, [DONE], Hints())
    assert [one.key for one in found] == ["case001-stages", "case001-verdict"]
    assert all(re.fullmatch("[a-z0-9-]+", one.key) for one in found)
    assert found[0].table
    assert found[0].table.rows == (("pin", "done", "reused", "0.0"),)


def test_what_evidence_says_is_no_markdown(run: Run) -> None:
    facts = (Fact(what="# not a heading"), Fact(what="```"))
    result = Rejected(stage=Stage.PIN, reason=Reason.UNSUITABLE, message="no", evidence=facts, command="x")
    text = verdict(run, [Step(stage=Stage.PIN, result=result, reused=False, seconds=1)], Hints(work=Path("w")))
    before, inside, after = text.split("````")
    assert before.startswith("# case001: rejected\n")
    assert "# not a heading" in inside
    assert "repowright author case001 --again pin --work w" in inside
    assert after == "\n"


def test_a_wait_names_what_it_waits_for_and_where_to_answer(run: Run) -> None:
    result = Waiting(stage=Stage.SPEC, requests=("case001.spec.FP-01.1", "case001.spec.FP-02.1"))
    text = verdict(run, [DONE, Step(stage=Stage.SPEC, result=result, reused=False, seconds=1)], Hints(work=Path("w")))
    assert "waiting for 2 replies at spec; read what is asked with `repowright inbox --work w`" in text
    assert "case001.spec.FP-02.1" in text


def test_an_artifact_that_a_page_refuses_stops_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import flows.author
    from flows.commands.author import Session
    from flows.progress import Progress

    tried = []

    def refuse(*_: object, **fields: object) -> None:
        tried.append(fields["key"])
        raise RuntimeError("503")

    monkeypatch.setattr(flows.author, "create_table_artifact", refuse)
    monkeypatch.setattr(flows.author, "create_markdown_artifact", refuse)
    progress = Progress(stages=[Stage.PIN], steps=[DONE])
    flows.author._show(Session(run=run, stages=(), progress=progress, notebook=None, hints=Hints()))  # type: ignore[arg-type]
    assert tried == ["case001-stages"]
