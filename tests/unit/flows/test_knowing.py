"""What a run knows of its source, and its replies looked at with that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows import knowing
from flows.asking import Asking
from flows.knowing import Screening
from flows.run import Run
from neutralize.known.facts import Fact, Known
from neutralize.known.stored import stored
from providers.choose import provider_for
from providers.interface import Request
from providers.replies import ReplyStore
from taskpack.errors import BadInput
from taskpack.files import write_bytes
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.order import read_order
from taskpack.outcome import Stage
from taskpack.rename import Grade, Names, RenameMap, Term
from taskpack.store import StageKey

TERM = Term(surface="BrassMonocle", grade=Grade.IDENTIFYING, kind="project", sources=("order",))
NAMES = Names(map=RenameMap(renames=()), terms=(TERM,), checks=("kept: public names that stay as they are: none",))
KNOWN = Known(people=(Fact(value="Orla Quibbleton", source="x"),), literals=(Fact(value="open-zork-key", source="x"),))
REQUEST = Request(case_id="case001", stage=Stage.SPEC, unit="FP-01", attempt=1, prompt="Draft it.", schema={})


@pytest.fixture
def screening() -> Screening:
    return Screening()


@pytest.fixture
def run(tmp_path: Path, checkout: Path, screening: Screening) -> Run:
    """A run whose names stage is done."""
    case, work = CaseFolder(root=tmp_path / "cases/case001"), WorkFolder(root=tmp_path / "work")
    order = read_order(checkout / "cases/case001/order.toml")
    provider = provider_for("replay", inbox=work.inbox, replies=case.replies, screen=screening)
    run = Run(case=case, order=order, work=work, provider=provider)
    key = StageKey(stage=Stage.NAMES, version=1, inputs={})
    with run.store.scratch() as scratch:
        write_bytes(scratch / "tree/known.json", KNOWN.to_bytes())
        write_bytes(scratch / "tree/provenance/known.json", stored(KNOWN).to_bytes())
        run.store.keep(key, NAMES, scratch)
    run.results[Stage.NAMES], run.keys[Stage.NAMES] = NAMES, key
    screening.of(run)
    return run


def test_the_case_gets_what_names_nobody_and_the_run_has_the_rest(run: Run) -> None:
    assert b"Quibbleton" in knowing.whole(run).read_bytes()
    assert b"Quibbleton" not in knowing.kept(run).read_bytes()


@pytest.mark.parametrize("text", ["as brass_monocle", "by Orla Quibbleton", "YnJhc3Ntb25vY2xl", "an open-zork-key"])
def test_a_stored_reply_that_names_the_source_is_moved_and_told_of(run: Run, text: str) -> None:
    store = ReplyStore(root=run.case.replies)
    store.keep(REQUEST, {"text": text}, answered_by="a")
    told: list[str] = []
    reply = Asking(provider=run.provider, note=told.append, drifts=run.work.root / "drift.json").ask(REQUEST)
    assert reply is not None
    assert reply.refusal is not None
    assert json.loads(reply.refusal.shown)["text"].startswith(text[:2] if " " in text else "[")
    assert not store.path(REQUEST).exists()
    assert store.refused_path(REQUEST).is_file()
    assert "provenance/refused/spec/FP-01/1.json" in told[-1]
    assert text not in "".join(told)


def test_the_authors_word_frees_a_reply_and_binds_one(run: Run) -> None:
    ReplyStore(root=run.case.replies).keep(REQUEST, {"text": "the open-zork-key of an old guild"}, answered_by="a")
    before = knowing.digest(run)
    assert run.provider.ask(REQUEST).refusal is not None  # type: ignore[union-attr]
    keep = 'schema_version = 1\n[[keep]]\nliteral = "open-zork-key"\nreason = "any key"\nuntil = 2999-01-01\n'
    write_bytes(run.case.provenance / "terms.toml", keep.encode())
    assert knowing.digest(run) != before
    assert run.provider.ask(REQUEST).refusal is None  # type: ignore[union-attr]
    add = '[[add]]\nsurface = "old guild"\ngrade = "I"\nreason = "their forum"\n'
    write_bytes(run.case.provenance / "terms.toml", (keep + add).encode())
    assert run.provider.ask(REQUEST).refusal is not None  # type: ignore[union-attr]


def test_before_the_names_are_decided_no_reply_is_let_through(run: Run, screening: Screening) -> None:
    del run.results[Stage.NAMES]
    with pytest.raises(BadInput, match="cannot be looked at"):
        screening({"text": "x"})
