"""Drafting seen from outside: exit codes, tables, budgets, and a kill while a vendor works."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from flows.commands import author, status
from flows.main import main
from tests.integration.providers.conftest import SECRET, VARIABLES
from tests.integration.providers.little import STAGES, UNITS, NothingKnown
from tests.provider_payloads import Answer
from tests.provider_server import Answering, Call, Fault, ProviderServer, serving

CASE = "case901"


@dataclass(frozen=True, kw_only=True)
class Ran:
    code: int
    out: str
    err: str


@dataclass(kw_only=True)
class House:
    """A case of its own, and the command line over it."""

    checkout: Path
    folder: Path
    vendor: str
    capture: pytest.CaptureFixture[str]
    server: ProviderServer | None = None

    @property
    def case(self) -> Path:
        return self.folder / "cases" / CASE

    def order(self, drafting: str) -> None:
        text = (self.checkout / "cases/case001/order.toml").read_text().replace("case001", CASE)
        head, _, rest = text.partition("[source]")
        self.case.mkdir(parents=True, exist_ok=True)
        (self.case / "order.toml").write_text(f"{head}{drafting}\n[source]{rest}")
        tomllib.loads((self.case / "order.toml").read_text())

    def command(self, *arguments: str) -> list[str]:
        return [
            sys.executable, "-m", "tests.integration.providers.little", *arguments,
            "--cases", str(self.folder / "cases"), "--work", str(self.folder / "work"),
        ]  # fmt: skip

    @property
    def variables(self) -> dict[str, str]:
        key, base, path = VARIABLES[self.vendor]
        return {} if self.server is None else {key: SECRET, base: self.server.url + path}

    def run(self, *arguments: str) -> Ran:
        """In this process, which has imported everything already."""
        with pytest.MonkeyPatch.context() as patch:
            for name in {name for names in VARIABLES.values() for name in names[:2]}:
                patch.delenv(name, raising=False)
            for name, value in self.variables.items():
                patch.setenv(name, value)
            for module in (author, status):
                patch.setattr(module, "STAGES", STAGES)
            patch.setattr(author, "Screening", NothingKnown)
            patch.setattr(sys, "argv", self.command(*arguments)[2:])
            with pytest.raises(SystemExit) as ended:
                main()
        seen = self.capture.readouterr()
        assert SECRET not in seen.out + seen.err
        return Ran(code=int(ended.value.code or 0), out=seen.out, err=seen.err)

    def author(self, *arguments: str) -> Ran:
        return self.run("author", CASE, "--plain", "--provider", self.vendor, *arguments)


@pytest.fixture(params=sorted(VARIABLES))
def house(request: pytest.FixtureRequest, checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> House:
    made = House(checkout=checkout, folder=tmp_path, vendor=request.param, capture=capsys)
    made.order('[drafting]\nmodel = "gpt-5.5"')
    return made


@pytest.fixture
def serve(house: House) -> Iterator[Callable[[Answering], ProviderServer]]:
    with ExitStack() as stack:

        def start(answering: Answering) -> ProviderServer:
            house.server = stack.enter_context(serving(answering))
            return house.server

        yield start


def words(call: Call) -> Answer | Fault:
    """The second unit's first word is wrong."""
    text = "wrong" if call.id.endswith("FP-02.1") else "right"
    return Answer(text=json.dumps({"word": text}), model=call.body["model"], reply_id=call.id)


def test_a_case_is_drafted_and_its_ledger_shows_model_tokens_and_cost(
    house: House, serve: Callable[[Answering], ProviderServer]
) -> None:
    server = serve(words)
    done = house.author()
    assert done.code == 0, done.err
    ids = ["FP-01.1", "FP-02.1", "FP-02.2", "FP-03.1"]
    assert [call.id for call in server.calls] == [f"{CASE}.tests.{name}" for name in ids]
    rows = [line.split() for line in done.out.partition("ledger:")[2].splitlines()[2:7]]
    assert [row[0] for row in rows] == ["tests/FP-01/1", "tests/FP-02/1", "tests/FP-02/2", "tests/FP-03/1", "4"]
    # 30 fresh at $5, 60 cached at $0.50, 10 written at $5, 20 out at $30, a million each
    assert rows[0][1:6] == ["gpt-5.5", "100", "60", "20", "0.000830"]
    assert "0.0033" in rows[4]
    again = house.author()
    assert (again.code, len(server.calls)) == (0, 4)


def test_the_model_can_be_named_on_the_command_line(house: House, serve: Callable[[Answering], ProviderServer]) -> None:
    server = serve(words)
    assert house.author("--model", "other-model").code == 0
    assert {call.body["model"] for call in server.calls} == {"other-model"}


def test_without_a_key_the_exit_code_is_15(house: House) -> None:
    done = house.author()
    assert done.code == 15
    assert VARIABLES[house.vendor][0] in done.err


@pytest.mark.parametrize(("status", "code"), [(401, 15), (529, 16), (429, 16), (400, 17)])
def test_what_a_vendor_refuses_has_an_exit_code_of_its_own(
    house: House, serve: Callable[[Answering], ProviderServer], status: int, code: int
) -> None:
    house.order('[drafting]\nmodel = "m"\nretries = 0')
    serve(lambda _call: Fault(status=status))
    done = house.author()
    assert done.code == code, done.err
    assert "  try" in done.err


@pytest.mark.parametrize("ending", ["truncated", "refused"])
def test_a_reply_that_is_no_draft_ends_with_17(
    house: House, serve: Callable[[Answering], ProviderServer], ending: str
) -> None:
    serve(lambda _call: Answer(text='{"word": "ri', ending=ending))
    assert house.author().code == 17
    assert len((house.case / "provenance/ledger.jsonl").read_text().splitlines()) == 1


def test_a_budget_that_is_reached_ends_with_18_and_the_next_run_goes_on(
    house: House, serve: Callable[[Answering], ProviderServer]
) -> None:
    server = serve(words)
    house.order('[drafting]\nmodel = "gpt-5.5"\n[drafting.budget]\ncalls = 2')
    done = house.author()
    assert done.code == 18
    assert "drafting.budget.calls = 2" in done.err
    assert len(server.calls) == 2
    house.order('[drafting]\nmodel = "gpt-5.5"\n[drafting.budget]\ncalls = 9')
    assert house.author().code == 0
    assert set(server.counts.values()) == {1}


def test_a_budget_in_money_without_a_price_is_refused_before_anything_is_sent(
    house: House, serve: Callable[[Answering], ProviderServer]
) -> None:
    server = serve(words)
    house.order('[drafting]\nmodel = "unheard-of"\n[drafting.budget]\nusd = 5.5')
    done = house.author()
    assert (done.code, server.calls) == (2, [])
    assert "unheard-of" in done.err


def test_a_kill_in_flight_is_listed_and_asked_once_more(
    house: House, serve: Callable[[Answering], ProviderServer]
) -> None:
    running: list[subprocess.Popen[bytes]] = []

    def killing(call: Call) -> Answer | Fault:
        if call.id.endswith("FP-03.1") and call.number == 1:
            running[0].send_signal(signal.SIGKILL)
            running[0].wait()
        return words(call)

    server = serve(killing)
    command = house.command("author", CASE, "--plain", "--provider", house.vendor)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running.append(subprocess.Popen(command, cwd=house.checkout, env={**os.environ, **house.variables}, **quiet))
    assert running[0].wait(120) == -signal.SIGKILL

    shown = house.run("status", CASE)
    assert f"possibly paid: {CASE}.tests.FP-03.1, sent to {house.vendor} 1x without a stored reply" in shown.out
    listed = json.loads(house.run("status", CASE, "--json").out)["possibly_paid"]
    assert listed == [{"id": f"{CASE}.tests.FP-03.1", "provider": house.vendor, "sends": 1}]

    done = house.author()
    assert done.code == 0, done.err
    assert f"possibly paid: {CASE}.tests.FP-03.1 was on its way when a run ended; it is asked once more" in done.err
    assert server.counts == {f"{CASE}.tests.{name}": 1 for name in ("FP-01.1", "FP-02.1", "FP-02.2")} | {
        f"{CASE}.tests.FP-03.1": 2
    }
    assert "possibly paid" not in house.author().err + house.run("status", CASE).out


def test_drift_is_shown_and_refused_when_strict(house: House, serve: Callable[[Answering], ProviderServer]) -> None:
    server = serve(words)
    house.author()
    path = house.case / "provenance/replies/tests/FP-01/1.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "request": "0" * 64}))
    shutil.rmtree(house.folder / "work")
    done = house.author()
    assert done.code == 0
    assert f"{CASE}.tests.FP-01.1: the stored reply answers an earlier wording (drift)" in done.err
    shutil.rmtree(house.folder / "work")
    strict = house.author("--strict")
    assert strict.code == 2
    assert "has changed since it was answered" in strict.err
    assert len(server.calls) == 4


def test_in_the_mailbox_all_units_wait_at_once_and_hints_say_where(house: House, tmp_path: Path) -> None:
    waiting = house.run("author", CASE, "--plain", "--provider", "mailbox")
    assert waiting.code == 3
    listed = house.run("inbox")
    assert [line.split()[0] for line in listed.out.splitlines()[2:5]] == [f"{CASE}.tests.{name}.1" for name in UNITS]
    assert f"--work {house.folder / 'work'}" in listed.out
    reply = tmp_path / "reply.json"
    reply.write_text('{"word": "right"}')
    nameless = house.run("inbox", "submit", f"{CASE}.tests.FP-01.1", str(reply))
    assert nameless.code == 2
    assert "add --by NAME" in nameless.err
    for name in UNITS:
        done = house.run("inbox", "submit", f"{CASE}.tests.{name}.1", str(reply), "--by", "somebody")
        assert done.code == 0
    assert f"--cases {house.folder / 'cases'} --work {house.folder / 'work'}" in done.out
    second = house.run("inbox", "submit", f"{CASE}.tests.FP-01.1", str(reply), "--by", "another")
    assert second.code == 2
    assert "has a reply already" in second.err
    assert house.run("author", CASE, "--plain", "--provider", "mailbox").code == 0
