"""Replies that name the source: stored whatever happens, looked at before they are used, and never asked for again."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from providers.choose import provider_for
from providers.interface import Provider, Refusal
from providers.mailbox import Mailbox, listing, submit
from providers.paid import Paid
from providers.replay import Replay
from providers.replies import RefusedReply, ReplyStore
from taskpack.drafting import Drafting
from taskpack.errors import BadInput
from tests.unit.providers.requests import request
from tests.unit.providers.test_paid import RIGHT, Vendor

NAMED = {"title": "as Brassmonocle does"}


def screen(reply: Any) -> Refusal | None:
    text = json.dumps(reply)
    if "Brassmonocle" not in text:
        return None
    return Refusal(
        findings=("title: 'Brassmonocle' is 'brassmonocle'",),
        told=("title: a name",),
        shown=text.replace("Brassmonocle", "[withheld]"),
    )


def broken(_reply: Any) -> Refusal | None:
    raise RuntimeError("the screen broke")


@pytest.fixture
def store(tmp_path: Path) -> ReplyStore:
    return ReplyStore(root=tmp_path / "replies", screen=screen)


def files(tmp_path: Path) -> list[str]:
    roots = ("replies", "refused")
    found = [path for root in roots for path in (tmp_path / root).rglob("*") if path.is_file() or root == "replies"]
    return sorted(path.relative_to(tmp_path).as_posix() for path in found if path.is_file())


def asked(store: ReplyStore, reply: Any) -> Any:
    store.keep(request(), reply, answered_by="a")
    return store.replay(request(), strict=False)


def test_a_clean_reply_lies_among_the_replies_alone(store: ReplyStore, tmp_path: Path) -> None:
    assert asked(store, {"title": "x"}).refusal is None
    assert files(tmp_path) == ["replies/spec/FP-01/1.json"]
    assert not (tmp_path / "refused/spec").exists()


def test_a_reply_that_names_the_source_never_lies_among_the_replies(store: ReplyStore, tmp_path: Path) -> None:
    store.keep(request(), NAMED, answered_by="a")
    assert files(tmp_path) == ["refused/spec/FP-01/1.json"]
    reply = store.replay(request(), strict=False)
    assert reply is not None
    assert reply.refusal == screen(NAMED)
    assert json.loads(reply.text) == NAMED
    assert files(tmp_path) == ["refused/spec/FP-01/1.json"]
    kept = RefusedReply.from_bytes(store.refused_path(request()).read_bytes())
    assert (kept.stored.reply, kept.findings) == (NAMED, ("title: 'Brassmonocle' is 'brassmonocle'",))


def test_a_refused_reply_counts_as_stored_and_is_never_replaced(store: ReplyStore) -> None:
    asked(store, NAMED)
    assert store.has(request().id)
    assert store.keep(request(), {"title": "y"}, answered_by="b").reply == NAMED


def test_what_was_stored_before_the_name_was_known_is_taken_out_and_what_is_free_again_put_back(
    store: ReplyStore, tmp_path: Path
) -> None:
    blind = ReplyStore(root=store.root, screen=lambda _reply: None)
    assert asked(blind, NAMED).refusal is None
    assert files(tmp_path) == ["replies/spec/FP-01/1.json"]
    assert Replay(store=store).ask(request()).refusal is not None
    assert files(tmp_path) == ["refused/spec/FP-01/1.json"]
    assert Replay(store=blind).ask(request()).refusal is None
    assert files(tmp_path) == ["replies/spec/FP-01/1.json"]


def test_a_move_that_was_cut_is_brought_to_its_end(store: ReplyStore, tmp_path: Path) -> None:
    asked(store, {"title": "x"})
    whole = store.path(request()).read_bytes()
    store.keep(request(unit="FP-02"), NAMED, answered_by="a")
    store.refused_path(request()).parent.mkdir(parents=True)
    kept = RefusedReply(stored=store.load(request()))  # type: ignore[arg-type]
    store.refused_path(request()).write_bytes(kept.to_bytes())
    assert store.replay(request(), strict=False).refusal is None  # type: ignore[union-attr]
    assert files(tmp_path) == ["refused/spec/FP-02/1.json", "replies/spec/FP-01/1.json"]
    assert store.path(request()).read_bytes() == whole


def test_a_screen_that_breaks_loses_nothing_and_lets_nothing_through(store: ReplyStore, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        asked(replace(store, screen=broken), {"title": "x"})
    assert files(tmp_path) == ["refused/spec/FP-01/1.json"]
    assert store.replay(request(), strict=False).refusal is None  # type: ignore[union-attr]


def test_without_a_screen_a_refused_reply_is_not_given_out(store: ReplyStore) -> None:
    asked(store, NAMED)
    with pytest.raises(BadInput, match="not free to be used"):
        ReplyStore(root=store.root).replay(request(), strict=False)


def test_a_mailbox_takes_a_reply_out_of_the_inbox_whatever_the_screen_says(store: ReplyStore, tmp_path: Path) -> None:
    box = Mailbox(inbox=tmp_path / "inbox", store=store)
    assert box.ask(request()) is None
    (tmp_path / "reply.json").write_text(json.dumps(NAMED))
    submit(tmp_path / "inbox", request().id, tmp_path / "reply.json", "me", store=store)
    reply = box.ask(request())
    assert reply is not None
    assert reply.refusal is not None
    assert listing(tmp_path / "inbox") == ()
    assert box.open_intents("case901") == ()


# what was paid


def vendor(tmp_path: Path, *, text: str = json.dumps(NAMED)) -> tuple[Paid, Vendor]:
    made: Provider = provider_for(
        "openai",
        inbox=tmp_path / "inbox",
        replies=tmp_path / "replies",
        drafting=Drafting(model="model-1"),
        screen=screen,
    )
    assert isinstance(made, Paid)
    client = Vendor(answers=[replace(RIGHT, text=text)])
    return replace(made, client=client), client


def test_a_sold_reply_that_names_the_source_is_paid_once_and_is_one_attempt(tmp_path: Path) -> None:
    provider, client = vendor(tmp_path)
    first, again = provider.ask(request()), provider.ask(request())
    assert first.refusal == again.refusal == screen(NAMED | {"title": "as Brassmonocle does"})
    assert (first.replayed, again.replayed, again.usage == first.usage) == (False, True, True)
    assert len(client.calls) == 1
    assert provider.intents.possibly_paid("case901", provider.store) == ()
    assert files(tmp_path) == ["refused/spec/FP-01/1.json"]


@pytest.mark.parametrize("named", [True, False])
def test_a_kill_between_storing_and_looking_costs_nothing_and_the_next_run_looks(tmp_path: Path, named: bool) -> None:
    text = json.dumps(NAMED if named else {"title": "x"})
    provider, client = vendor(tmp_path, text=text)
    child = os.fork()
    if child == 0:
        die = lambda _reply: os.kill(os.getpid(), signal.SIGKILL)  # noqa: E731
        replace(provider, store=replace(provider.store, screen=die)).ask(request())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    kept = RefusedReply.from_bytes(provider.store.refused_path(request()).read_bytes())
    assert kept.findings == ()
    assert files(tmp_path) == ["refused/spec/FP-01/1.json"]
    reply = provider.ask(request())
    assert (reply.refusal is not None) is named
    assert client.calls == []
    assert files(tmp_path) == [f"{'refused' if named else 'replies'}/spec/FP-01/1.json"]
