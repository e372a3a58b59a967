"""The mailbox: a request waits as files, a reply counts when submitted, and nothing is asked twice."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
from pathlib import Path

import pytest

from providers import mailbox as mailbox_room
from providers.intents import Intents
from providers.mailbox import Mailbox, State, dismiss, listing, submit
from providers.replies import ReplyStore, StoredReply, request_digest
from taskpack.errors import BadInput, RecordUnreadable
from taskpack.outcome import Stage
from tests.unit.providers.requests import SCHEMA, request

ID = "case901.spec.FP-01.1"


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    return tmp_path / "inbox"


@pytest.fixture
def mailbox(tmp_path: Path, inbox: Path) -> Mailbox:
    return Mailbox(inbox=inbox, store=ReplyStore(root=tmp_path / "replies"))


def answer(
    tmp_path: Path, inbox: Path, text: str, *, name: str = ID, by: str = "somebody", replace: bool = False
) -> None:
    file = tmp_path / "answer.json"
    file.write_text(text)
    submit(inbox, name, file, by, replace=replace, store=ReplyStore(root=tmp_path / "replies"))


def test_a_request_waits_as_a_page_that_holds_everything(mailbox: Mailbox, inbox: Path) -> None:
    assert mailbox.ask(request("Draft *this*.\n\n```\ncode\n```\n")) is None
    page = (inbox / ID / "request.md").read_text()
    assert page.startswith(f"# Request {ID}\n")
    assert "Draft *this*.\n\n```\ncode\n```\n" in page
    assert f"repowright inbox submit {ID} FILE --by NAME" in page
    assert "````json\n{" in page
    assert json.loads((inbox / ID / "schema.json").read_text()) == SCHEMA
    assert str(inbox) not in page


def test_a_submitted_reply_is_stored_and_leaves_the_inbox(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    assert mailbox.ask(request()) is None
    answer(tmp_path, inbox, '{"title": "é", "count": 3}', by=" a model ")
    reply = mailbox.ask(request())
    assert reply is not None
    assert json.loads(reply.text) == {"title": "é", "count": 3}
    assert (reply.answered_by, reply.replayed, reply.drift) == ("a model", False, False)
    assert list(inbox.iterdir()) == []
    stored = StoredReply.from_bytes((tmp_path / "replies/spec/FP-01/1.json").read_bytes())
    assert stored.request == request_digest(request())


def test_a_stored_reply_is_never_asked_for_again(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "x"}')
    first = mailbox.ask(request())
    second = mailbox.ask(request())
    assert first is not None
    assert second is not None
    assert second.replayed
    assert second.text == first.text
    assert list(inbox.iterdir()) == []


def test_a_file_that_was_not_submitted_does_not_count(mailbox: Mailbox, inbox: Path) -> None:
    mailbox.ask(request())
    (inbox / ID / "answer.json").write_text('{"title": "x"}')
    assert mailbox.ask(request()) is None


def test_a_changed_request_marks_the_stored_reply_as_drift(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "x"}')
    mailbox.ask(request())
    reply = mailbox.ask(request("Draft it otherwise."))
    assert reply is not None
    assert reply.drift


def test_a_changed_schema_is_drift_too(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "x"}')
    mailbox.ask(request())
    reply = mailbox.ask(request(schema={"type": "object"}))
    assert reply is not None
    assert reply.drift


def test_strict_refuses_drift_and_says_where_the_reply_lies(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "x"}')
    mailbox.ask(request())
    strict = Mailbox(inbox=inbox, store=mailbox.store, strict=True)
    assert strict.ask(request()) is not None
    with pytest.raises(BadInput, match="has changed since it was answered") as caught:
        strict.ask(request("other"))
    assert caught.value.details["reply"].endswith("spec/FP-01/1.json")


def test_a_request_that_changes_while_it_waits_is_written_anew(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request("old words"))
    mailbox.ask(request("new words"))
    assert "new words" in (inbox / ID / "request.md").read_text()
    answer(tmp_path, inbox, '{"title": "x"}')
    reply = mailbox.ask(request("new words"))
    assert reply is not None
    assert not reply.drift


def test_an_answer_to_the_old_words_is_drift(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request("old words"))
    answer(tmp_path, inbox, '{"title": "x"}')
    reply = mailbox.ask(request("new words"))
    assert reply is not None
    assert reply.drift


def test_a_waiting_request_is_not_written_again(mailbox: Mailbox, inbox: Path) -> None:
    mailbox.ask(request())
    before = (inbox / ID / "request.md").stat().st_ino
    mailbox.ask(request())
    assert (inbox / ID / "request.md").stat().st_ino == before


def test_attempts_are_kept_apart(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "one"}')
    assert mailbox.ask(request()) is not None
    assert mailbox.ask(request(attempt=2)) is None
    assert [item.id for item in listing(inbox)] == ["case901.spec.FP-01.2"]


def test_the_listing_tells_waiting_from_answered(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    assert listing(inbox) == ()
    mailbox.ask(request())
    mailbox.ask(request(unit="overview"))
    answer(tmp_path, inbox, '{"title": "x"}')
    assert [(item.id, item.state) for item in listing(inbox)] == [
        (ID, State.ANSWERED),
        ("case901.spec.overview.1", State.WAITING),
    ]


def test_a_second_submission_is_refused_and_names_who_was_first(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "one"}', by="first")
    with pytest.raises(BadInput, match="has a reply already") as caught:
        answer(tmp_path, inbox, '{"title": "two"}')
    assert caught.value.details["by"] == "first"
    assert "--replace" in caught.value.remedy
    reply = mailbox.ask(request())
    assert reply is not None
    assert json.loads(reply.text) == {"title": "one"}


def test_a_submission_that_was_not_taken_can_be_replaced(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "one"}')
    answer(tmp_path, inbox, '{"title": "two"}', replace=True)
    reply = mailbox.ask(request())
    assert reply is not None
    assert json.loads(reply.text) == {"title": "two"}


def test_a_submission_that_was_taken_is_never_replaced(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "one"}')
    killed_in(mailbox, "_clear")  # the reply is stored, and still lies in the inbox
    with pytest.raises(BadInput, match="was taken already"):
        answer(tmp_path, inbox, '{"title": "two"}', replace=True)
    mailbox.ask(request())
    with pytest.raises(BadInput, match="is waiting"):
        answer(tmp_path, inbox, '{"title": "two"}', replace=True)


def test_a_reply_is_not_replaced_while_it_is_taken(
    mailbox: Mailbox, inbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "one"}')
    lock = fcntl.flock
    monkeypatch.setattr(mailbox_room.fcntl, "flock", lambda file, kind: lock(file, kind | fcntl.LOCK_NB))
    tried: list[type[BaseException]] = []

    def take(_folder: Path) -> None:
        with pytest.raises(BlockingIOError) as caught:
            answer(tmp_path, inbox, '{"title": "two"}', replace=True)
        tried.append(caught.type)

    monkeypatch.setattr(mailbox_room, "_clear", take)
    reply = mailbox.ask(request())
    assert reply is not None
    assert json.loads(reply.text) == {"title": "one"}
    assert tried == [BlockingIOError]


@pytest.mark.parametrize("kind", ["fifo", "device", "folder", "socket"])
def test_only_a_plain_file_is_read_and_nothing_is_waited_for(
    mailbox: Mailbox, inbox: Path, tmp_path: Path, kind: str
) -> None:
    mailbox.ask(request())
    path = {"device": Path("/dev/zero")}.get(kind, tmp_path / kind)
    if kind == "fifo":
        os.mkfifo(path)
    if kind == "folder":
        path.mkdir()
    with contextlib.ExitStack() as stack:
        if kind == "socket":
            stack.enter_context(socket.socket(socket.AF_UNIX)).bind(str(path))
        with pytest.raises(BadInput, match=r"is not a plain file|cannot be read"):
            submit(inbox, ID, path, "somebody")


def test_a_link_to_a_fifo_is_no_plain_file(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link.json").symlink_to(tmp_path / "fifo")
    with pytest.raises(BadInput, match="is not a plain file"):
        submit(inbox, ID, tmp_path / "link.json", "somebody")


def test_a_file_beyond_the_bound_is_not_read_whole(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(1 << 40)  # sparse: reading all of it would not end
    with pytest.raises(BadInput, match="is not a usable reply") as caught:
        submit(inbox, ID, tmp_path / "large.json", "somebody")
    assert "more than" in caught.value.details["fact"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "Expecting value"),
        ("{", "Expecting property name"),
        ("[1]", "a JSON object is needed, this is list"),
        ('{"title": NaN}', "NaN is no JSON"),
        ('{"title": "x", "count": 1e999}', "Out of range float values are not JSON compliant"),
        ('{"title": "x", "title": "y"}', "the key `title` is there twice"),
        ('{"title": "\\ud800"}', "utf-8"),
        ('{"title": ' + "[" * 100_000, "recursion"),
    ],
)
def test_what_cannot_be_stored_is_not_taken(
    mailbox: Mailbox, inbox: Path, tmp_path: Path, text: str, fact: str
) -> None:
    mailbox.ask(request())
    with pytest.raises(BadInput, match="is not a usable reply") as caught:
        answer(tmp_path, inbox, text)
    assert fact in caught.value.details["fact"]
    assert mailbox.ask(request()) is None


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("{}", "`title` is missing"),
        ('{"title": "x", "more": 1}', "`more` is not asked for"),
        ('{"title": 1}', "`title` must be of type string"),
        ('{"title": "x", "count": true}', "`count` must be of type integer"),
    ],
)
def test_what_plainly_does_not_fit_the_schema_is_not_taken(
    mailbox: Mailbox, inbox: Path, tmp_path: Path, text: str, fact: str
) -> None:
    mailbox.ask(request())
    with pytest.raises(BadInput, match="does not fit the schema") as caught:
        answer(tmp_path, inbox, text)
    assert caught.value.details["fact"] == fact
    assert listing(inbox)[0].state is State.WAITING


def test_an_unknown_request_is_refused_with_what_is_there(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    with pytest.raises(BadInput, match="no request case901.spec.FP-09.1 is waiting") as caught:  # noqa: RUF043
        answer(tmp_path, inbox, "{}", name="case901.spec.FP-09.1")
    assert caught.value.details["in it"] == ID


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "", ".", "..", "a/b", "a..b", "a\n", "é", "a" * 201])
def test_a_request_id_is_a_plain_name(inbox: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="is no request id"):
        answer(tmp_path, inbox, "{}", name=name)


def test_a_unit_that_is_no_plain_name_is_refused(mailbox: Mailbox) -> None:
    with pytest.raises(BadInput):
        mailbox.ask(request(unit="../../x"))


def test_a_reply_needs_a_name(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    with pytest.raises(BadInput, match="needs the name of who answered"):
        answer(tmp_path, inbox, '{"title": "x"}', by=" ")


def test_a_file_that_is_not_there_is_bad_input(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    with pytest.raises(BadInput, match="cannot be read") as caught:
        submit(inbox, ID, tmp_path / "nothing.json", "somebody")
    assert caught.value.details["fact"] == "No such file or directory"


def test_a_broken_submission_in_the_inbox_is_named(mailbox: Mailbox, inbox: Path) -> None:
    mailbox.ask(request())
    (inbox / ID / "reply.json").write_text('{"schema_version": 1}')
    with pytest.raises(RecordUnreadable, match="reply.json is not a readable submission"):  # noqa: RUF043
        mailbox.ask(request())


def test_a_kill_between_storing_and_clearing_loses_nothing(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "x"}')
    child = os.fork()
    if child == 0:
        mailbox_room._clear = lambda _folder: os.kill(os.getpid(), signal.SIGKILL)
        mailbox.ask(request())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert listing(inbox)[0].state is State.ANSWERED
    reply = mailbox.ask(request())
    assert reply is not None
    assert json.loads(reply.text) == {"title": "x"}
    assert list(inbox.iterdir()) == []


def killed_in(mailbox: Mailbox, name: str) -> None:
    """Ask in a process that is killed when it comes to the function `name` of the mailbox."""
    child = os.fork()
    if child == 0:
        setattr(mailbox_room, name, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        mailbox.ask(request())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_an_intent_is_on_disk_before_the_request_can_be_seen(mailbox: Mailbox, inbox: Path) -> None:
    killed_in(mailbox, "_put")
    assert listing(inbox) == ()
    assert [each.request for each in mailbox.open_intents("case901")] == [request_digest(request())]


def test_what_waits_is_open_and_what_was_answered_is_not(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    mailbox.ask(request(unit="overview"))
    assert [each.unit for each in mailbox.open_intents("case901")] == ["FP-01", "overview"]
    answer(tmp_path, inbox, '{"title": "x"}')
    assert len(mailbox.open_intents("case901")) == 2
    mailbox.ask(request())
    assert [each.unit for each in mailbox.open_intents("case901")] == ["overview"]


def test_a_request_that_was_taken_out_of_the_inbox_by_hand_is_still_open(mailbox: Mailbox, inbox: Path) -> None:
    mailbox.ask(request())
    shutil.rmtree(inbox)
    assert len(mailbox.open_intents("case901")) == 1


def test_a_kill_after_storing_leaves_nothing_open(mailbox: Mailbox, inbox: Path, tmp_path: Path) -> None:
    mailbox.ask(request())
    answer(tmp_path, inbox, '{"title": "x"}')
    child = os.fork()
    if child == 0:
        Intents.resolve = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment,method-assign]
        mailbox.ask(request())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert mailbox.open_intents("case901") == ()
    assert mailbox.ask(request()) is not None
    assert list((tmp_path / "intents").iterdir()) == []


def test_what_a_finished_stage_had_asked_for_leaves_the_inbox_and_no_answer_does(
    mailbox: Mailbox, inbox: Path, tmp_path: Path
) -> None:
    others = ("case901.tests.FP-01.1", "case9010.spec.FP-01.1")
    for wanted in (request(), request(attempt=2), request(stage=Stage.TESTS), request(case_id="case9010")):
        mailbox.ask(wanted)
    answer(tmp_path, inbox, '{"title": "x"}', name="case901.spec.FP-01.2")
    dismiss(inbox, "case901", Stage.SPEC)
    assert [item.id for item in listing(inbox)] == ["case901.spec.FP-01.2", *others]
