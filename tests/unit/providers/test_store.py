"""The reply store, intents, replay and the choice of a provider."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from providers.choose import NAMES, provider_for
from providers.intents import Intents, Sent
from providers.interface import Request
from providers.mailbox import Mailbox
from providers.replay import Replay
from providers.replies import ReplyStore, digest, request_digest
from taskpack.errors import BadInput, FetchFailed, RecordUnreadable, ReplyMissing
from tests.unit.providers.requests import request


@pytest.fixture
def store(tmp_path: Path) -> ReplyStore:
    return ReplyStore(root=tmp_path / "replies")


@pytest.fixture
def intents(tmp_path: Path, store: ReplyStore) -> Intents:
    return Intents(root=tmp_path / "intents", store=store)


def test_the_first_reply_wins(store: ReplyStore) -> None:
    store.keep(request(), {"title": "one"}, answered_by="a")
    assert store.keep(request(), {"title": "two"}, answered_by="b").reply == {"title": "one"}


def test_a_reply_lies_under_stage_unit_and_attempt(store: ReplyStore) -> None:
    store.keep(request(attempt=3), {}, answered_by="a")
    assert store.path(request(attempt=3)) == store.root / "spec" / "FP-01" / "3.json"
    assert store.path(request(attempt=3)).is_file()
    assert store.load(request(attempt=2)) is None


def test_the_digest_covers_all_that_can_be_seen() -> None:
    changed = [request("x"), request(unit="y"), request(attempt=2), request(schema={}), request(case_id="case902")]
    assert len({request_digest(item) for item in [request(), *changed]}) == 6


def test_a_broken_reply_is_named(store: ReplyStore) -> None:
    path = store.path(request())
    path.parent.mkdir(parents=True)
    path.write_text('{"half": ')
    with pytest.raises(RecordUnreadable, match="is not a readable storedreply") as caught:
        store.load(request())
    assert str(path) in caught.value.message


def test_replay_gives_the_stored_reply(store: ReplyStore) -> None:
    store.keep(request(), {"title": "é", "n": 10**30}, answered_by="a")
    reply = Replay(store=store).ask(request())
    assert json.loads(reply.text) == {"title": "é", "n": 10**30}
    assert (reply.answered_by, reply.replayed, reply.drift) == ("a", True, False)


def test_replay_without_a_reply_says_what_to_do(store: ReplyStore) -> None:
    with pytest.raises(ReplyMissing) as caught:
        Replay(store=store).ask(request())
    assert caught.value.message == "no reply to case901.spec.FP-01.1 is stored"
    assert caught.value.remedy == "repowright author case901 --provider mailbox"


def test_replay_flags_drift_and_strict_refuses_it(store: ReplyStore) -> None:
    store.keep(request(), {}, answered_by="a")
    assert Replay(store=store).ask(request("other")).drift
    with pytest.raises(BadInput, match="has changed since it was answered"):
        Replay(store=store, strict=True).ask(request("other"))


@pytest.mark.parametrize(("name", "kind"), [("mailbox", Mailbox), ("replay", Replay)])
def test_a_provider_is_chosen_by_its_name(tmp_path: Path, name: str, kind: type) -> None:
    chosen = provider_for(name, inbox=tmp_path, replies=tmp_path, strict=True)
    assert isinstance(chosen, kind)
    assert chosen.name == name


def test_an_unknown_provider_is_bad_input_that_lists_the_names(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no provider `oracle`") as caught:
        provider_for("oracle", inbox=tmp_path, replies=tmp_path)
    assert caught.value.details["providers"] == "mailbox, replay"
    assert NAMES == ("mailbox", "replay")


def test_a_sent_request_leaves_a_reply_and_no_intent(intents: Intents) -> None:
    def send(_request: Request) -> Sent:
        (waiting,) = intents.open_intents()
        assert waiting.request == request_digest(request())
        return Sent(text='{"title": "x"}', answered_by="vendor")

    stored = intents.ask_once(request(), provider="vendor", send=send)
    assert (stored.reply, stored.answered_by) == ({"title": "x"}, "vendor")
    assert intents.open_intents() == ()
    assert list(intents.root.iterdir()) == []


def test_nothing_is_sent_twice(intents: Intents) -> None:
    sent: list[str] = []

    def send(item: Request) -> Sent:
        sent.append(item.id)
        return Sent(text="{}", answered_by="vendor")

    for _ in range(2):
        intents.ask_once(request(), provider="vendor", send=send)
    assert sent == [request().id]


def killed(intents: Intents, where: str) -> None:
    """Ask in a process that is killed while sending, or after the reply was stored."""
    child = os.fork()
    if child == 0:

        def die(*_args: object) -> Sent:
            os.kill(os.getpid(), signal.SIGKILL)
            raise AssertionError

        if where == "resolve":
            Intents._resolve = die  # type: ignore[assignment,method-assign]
        send = die if where == "send" else lambda _request: Sent(text='{"title": "x"}', answered_by="vendor")
        intents.ask_once(request(), provider="vendor", send=send)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_a_kill_while_sending_leaves_the_request_as_possibly_paid(intents: Intents) -> None:
    killed(intents, "send")
    (left,) = intents.open_intents()
    assert (left.case_id, left.stage, left.unit, left.attempt, left.provider) == (
        "case901",
        "spec",
        "FP-01",
        1,
        "vendor",
    )
    intents.ask_once(request(), provider="vendor", send=lambda _request: Sent(text="{}", answered_by="vendor"))
    assert intents.open_intents() == ()


def test_a_kill_after_storing_is_not_possibly_paid_and_the_reply_is_used(intents: Intents) -> None:
    killed(intents, "resolve")
    assert len(list(intents.root.iterdir())) == 1
    assert intents.open_intents() == ()
    stored = intents.ask_once(request(), provider="vendor", send=lambda _request: pytest.fail("sent again"))
    assert stored.reply == {"title": "x"}
    assert list(intents.root.iterdir()) == []


def test_a_failed_sending_stays_open(intents: Intents) -> None:
    def send(_request: Request) -> Sent:
        raise FetchFailed("no line")

    with pytest.raises(FetchFailed):
        intents.ask_once(request(), provider="vendor", send=send)
    assert len(intents.open_intents()) == 1


def test_a_reply_that_is_no_object_is_not_stored(intents: Intents, store: ReplyStore) -> None:
    with pytest.raises(BadInput, match="is not a usable reply"):
        intents.ask_once(
            request(), provider="vendor", send=lambda _request: Sent(text="I think...", answered_by="vendor")
        )
    assert store.load(request()) is None
    assert len(intents.open_intents()) == 1


def test_the_digest_does_not_depend_on_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
