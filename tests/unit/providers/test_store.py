"""The reply store, intents, replay and the choice of a provider."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from providers.choose import NAMES, provider_for
from providers.intents import Intents
from providers.mailbox import Mailbox
from providers.replay import Replay
from providers.replies import ReplyStore, digest, request_digest
from taskpack.errors import BadInput, RecordUnreadable, ReplyMissing
from tests.unit.providers.requests import request


@pytest.fixture
def store(tmp_path: Path) -> ReplyStore:
    return ReplyStore(root=tmp_path / "replies")


@pytest.fixture
def intents(tmp_path: Path) -> Intents:
    return Intents(root=tmp_path / "intents")


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
    assert caught.value.details["providers"] == "anthropic, mailbox, openai, replay"
    assert NAMES == ("anthropic", "mailbox", "openai", "replay")


def test_an_intent_is_open_until_its_reply_is_stored(intents: Intents, store: ReplyStore) -> None:
    intents.open(request(), provider="vendor")
    (waiting,) = intents.open_intents("case901", store)
    assert (waiting.case_id, waiting.stage, waiting.unit, waiting.attempt) == ("case901", "spec", "FP-01", 1)
    assert (waiting.provider, waiting.request) == ("vendor", request_digest(request()))
    store.keep(request(), {}, answered_by="a")
    assert intents.open_intents("case901", store) == ()
    for _ in range(2):
        intents.resolve(request())
    assert list(intents.root.iterdir()) == []


def test_an_intent_follows_its_request_and_is_written_once(intents: Intents, store: ReplyStore) -> None:
    intents.open(request("old"), provider="vendor")
    (path,) = intents.root.iterdir()
    before = path.stat().st_ino
    intents.open(request("old"), provider="vendor")
    assert path.stat().st_ino == before
    intents.open(request("new"), provider="vendor")
    assert [each.request for each in intents.open_intents("case901", store)] == [request_digest(request("new"))]


def test_intents_of_another_case_are_not_this_ones(intents: Intents, store: ReplyStore) -> None:
    intents.open(request(case_id="case902"), provider="vendor")
    assert intents.open_intents("case901", store) == ()
    assert len(intents.open_intents("case902", store)) == 1


def test_a_broken_intent_is_named(intents: Intents, store: ReplyStore) -> None:
    intents.root.mkdir()
    (intents.root / "x.json").write_text("{")
    with pytest.raises(RecordUnreadable, match="x.json is not a readable intent"):  # noqa: RUF043
        intents.open_intents("case901", store)


def test_the_digest_does_not_depend_on_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
