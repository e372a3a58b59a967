"""Where a case stands, in words and as a document."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from environments.choose import Backend
from flows.asking import Asking, Drifts
from flows.commands import status as command
from flows.hints import Hints
from flows.holding import Holding, Seen, hold, run_folder
from flows.run import Run, StageDefinition, advance
from flows.standing import Word, standing
from providers.intents import Intents
from providers.interface import Reply, Request
from providers.mailbox import Mailbox
from providers.replies import ReplyStore
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.order import Language, read_order
from taskpack.outcome import Reason, Rejected, Stage
from taskpack.recipe import Recipe
from taskpack.record import Record

RESULT = Recipe(language=Language.PYTHON, python="3.11", packages=())
REJECTED = Rejected(stage=Stage.NAMES, reason=Reason.NAME_TAKEN, message="taken", evidence=(), command="x")
REQUEST = Request(case_id="case001", stage=Stage.SPEC, unit="FP-01", attempt=1, prompt="Draft.", schema={})


class Canned:
    """A provider whose answer is fixed."""

    name = "canned"

    def __init__(self, reply: Reply | None = None) -> None:
        self.reply = reply

    def ask(self, request: Request) -> Reply | None:
        return self.reply


@pytest.fixture
def run(tmp_path: Path, checkout: Path) -> Run:
    case = CaseFolder(root=tmp_path / "cases" / "case001")
    case.root.mkdir(parents=True)
    order = read_order(checkout / "cases/case001/order.toml")
    return Run(case=case, order=order, work=WorkFolder(root=tmp_path / "work"), provider=Canned())


def stage(name: Stage, result: Record = RESULT) -> StageDefinition:
    return StageDefinition(
        stage=name, version=1, about=f"about {name}", kinds=(Recipe,), inputs=lambda _: {}, make=lambda *_: result
    )


STAGES = (stage(Stage.PIN), stage(Stage.NAMES), stage(Stage.SPEC))


def words(run: Run, stages: tuple[StageDefinition, ...] = STAGES) -> list[str]:
    return [str(row.state) for row in standing(run, stages).rows]


def mailbox(run: Run) -> Mailbox:
    return Mailbox(inbox=run.work.inbox, store=ReplyStore(root=run.case.replies))


def test_what_is_stored_is_done_and_the_rest_to_do(run: Run) -> None:
    advance(run, STAGES[0])
    assert words(run) == ["done", "to do", "to do"]


def test_a_rejection_has_its_reason_and_the_command_that_tries_again(run: Run) -> None:
    stages = (STAGES[0], stage(Stage.NAMES, REJECTED), STAGES[2])
    for each in stages[:2]:
        advance(run, each)
    found = standing(run, stages)
    assert [(row.state, row.what) for row in found.rows][1] == (Word.REJECTED, "taken")
    hints = Hints(cases=Path("my cases"), work=Path("w"), backend=Backend.DOCKER)
    assert command.next_command(run, found, hints) == (
        "repowright author case001 --again names --cases 'my cases' --work w --backend docker"
    )


def test_a_stage_whose_requests_nobody_has_answered_waits(run: Run) -> None:
    for each in STAGES[:2]:
        advance(run, each)
    mailbox(run).ask(REQUEST)
    found = standing(run, STAGES)
    assert found.rows[2].state is Word.WAITING
    assert (found.waiting, found.unanswered) == (("case001.spec.FP-01.1",), ())
    assert command.next_command(run, found, Hints(work=Path("w"))) == "repowright inbox --work w"


def test_a_living_run_is_running_where_it_is_and_has_no_next_command(run: Run) -> None:
    advance(run, STAGES[0])
    with hold(run.work, run.case) as notebook:
        notebook.started(Stage.NAMES)
        notebook.note("asking the registry")
        found = standing(run, STAGES)
        document = command.document(run, found, Hints())
    assert [(row.state, row.what) for row in found.rows][1] == (Word.RUNNING, "asking the registry")
    assert (document["running"]["pid"], document["killed"], document["next"]) == (os.getpid(), None, None)


def test_what_was_sent_and_never_answered_is_in_flight_or_possibly_paid(run: Run) -> None:
    Intents(root=run.work.root / "intents").sending(REQUEST, provider="vendor")
    with hold(run.work, run.case):
        alive = command.document(run, standing(run, STAGES), Hints())
    dead = command.document(run, standing(run, STAGES), Hints())
    one = [{"id": "case001.spec.FP-01.1", "provider": "vendor", "sends": 1}]
    assert (alive["in_flight"], alive["possibly_paid"]) == (one, [])
    assert (dead["in_flight"], dead["possibly_paid"]) == ([], one)
    ReplyStore(root=run.case.replies).keep(REQUEST, {}, answered_by="vendor")
    assert standing(run, STAGES).unanswered == ()


def test_drift_is_remembered_until_a_reply_fits_again(run: Run) -> None:
    said: list[str] = []
    place = run_folder(run.work, run.case) / "drift.json"
    for drift, known in ((True, ("case001.spec.FP-01.1",)), (True, ("case001.spec.FP-01.1",)), (False, ())):
        reply = Reply(text="{}", answered_by="a", replayed=True, drift=drift)
        assert Asking(provider=Canned(reply), note=said.append, drifts=place).ask(REQUEST) is reply
        assert standing(run, STAGES).drift == Drifts.read(place).requests == known
    assert said == ["    asking canned for spec/FP-01/1"] * 3


def test_a_question_without_an_answer_says_nothing_of_drift(run: Run) -> None:
    place = run_folder(run.work, run.case) / "drift.json"
    assert Asking(provider=Canned(), note=lambda _: None, drifts=place).ask(REQUEST) is None
    assert not place.exists()


NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
HELD = Holding(
    pid=7,
    since=NOW - timedelta(seconds=130),
    stage=Stage.GATES,
    stage_since=NOW - timedelta(seconds=61),
    note="STR-SMALL: pass",
    note_at=NOW - timedelta(seconds=5),
    page="http://127.0.0.1/run",
)


def test_people_read_what_a_run_is_at_and_since_when() -> None:
    assert list(command._run_lines(Seen(holding=HELD, alive=True), NOW)) == [
        "running  pid 7 since 2026-01-01 11:57:50 UTC, 2m 10s",
        "         gates for 1m 01s",
        "         STR-SMALL: pass (5s ago)",
        "         http://127.0.0.1/run",
    ]


def test_people_read_that_a_run_was_killed() -> None:
    assert list(command._run_lines(Seen(holding=HELD, alive=False), NOW)) == [
        "killed   the run of 2026-01-01 11:57:50 UTC (pid 7) ended without a word in gates"
    ]
    assert list(command._run_lines(Seen(holding=None, alive=False), NOW)) == []
    assert list(command._run_lines(Seen(holding=None, alive=True), NOW)) == [
        "running  a run holds the case, and has not said what it is at"
    ]


def test_every_key_of_the_document_is_documented(run: Run, checkout: Path) -> None:
    page = (checkout / "docs/status.md").read_text()
    for key in (*command.document(run, standing(run, STAGES), Hints()), *Holding.model_fields):
        assert key == "schema_version" or f"`{key}`" in page


def test_status_never_imports_prefect(tmp_path: Path, checkout: Path) -> None:
    program = (
        "import sys\nfrom flows.main import app\n"
        f"app(['status', 'case001', '--json', '--work', {str(tmp_path / 'w')!r}], standalone_mode=False)\n"
        "assert not [name for name in sys.modules if name.partition('.')[0] == 'prefect']\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["running"] is None
    assert not (tmp_path / "w").exists()
