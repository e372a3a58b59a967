"""Both vendors' SDKs: what is sent, what comes back, and every way in which it does not."""

from __future__ import annotations

import json
import logging
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from providers.replies import StoredReply, request_digest
from taskpack.errors import KeyRefused, ProviderBusy, RequestRefused
from taskpack.ledger import Ending
from tests.integration.providers.conftest import SECRET, VARIABLES, Bench, said
from tests.provider_payloads import Answer
from tests.provider_server import Fault
from tests.unit.providers.requests import request

RIGHT = said({"title": "é", "count": 3, "any": "[1, null]"})


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_reply_is_read_stored_and_counted(bench: Bench) -> None:
    bench.serve(RIGHT)
    reply = bench.provider().ask(request())
    assert json.loads(reply.text) == {"title": "é", "count": 3, "any": [1, None]}
    assert (reply.answered_by, reply.replayed, reply.drift) == ("model-1", False, False)
    usage = reply.usage
    assert usage is not None
    assert (usage.provider, usage.model, usage.reply_id, usage.tries) == (bench.vendor, "model-1", "reply-1", 1)
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.written_tokens) == (100, 20, 60, 10)
    stored = StoredReply.from_bytes((bench.folder / "replies/spec/FP-01/1.json").read_bytes())
    assert (stored.reply, stored.usage, stored.request) == (json.loads(reply.text), usage, request_digest(request()))


def test_a_stored_reply_is_not_asked_again_and_needs_no_key(bench: Bench) -> None:
    server = bench.serve(RIGHT)
    first = bench.provider().ask(request())
    bench.environ.delenv(VARIABLES[bench.vendor][0])
    second = bench.provider().ask(request())
    assert (second.text, second.replayed, second.usage) == (first.text, True, first.usage)
    assert len(server.calls) == 1


def test_a_stored_reply_to_another_wording_is_drift(bench: Bench) -> None:
    server = bench.serve(RIGHT)
    bench.provider().ask(request())
    assert bench.provider().ask(request("Otherwise.")).drift
    assert len(server.calls) == 1


def test_what_changes_least_is_sent_first_and_marked_for_the_cache(bench: Bench) -> None:
    server = bench.serve(RIGHT)
    prompt = "The source.\nWhat was wrong.\n"
    bench.provider(effort="low", max_output_tokens=999).ask(request(prompt, stable=12))
    body = server.calls[0].body
    assert body["stream"] is True
    if bench.vendor == "anthropic":
        (system,) = body["system"]
        stable, rest = body["messages"][0]["content"]
        assert (stable["text"], rest["text"]) == ("The source.\n", "What was wrong.\n")
        assert system["cache_control"] == stable["cache_control"] == {"type": "ephemeral"}
        assert "cache_control" not in rest
        assert (body["max_tokens"], body["output_config"]["effort"]) == (999, "low")
        head = system["text"]
    else:
        assert [message["role"] for message in body["messages"]] == ["system", "user"]
        assert body["messages"][1]["content"] == prompt
        assert (body["max_completion_tokens"], body["reasoning_effort"]) == (999, "low")
        assert body["response_format"]["json_schema"]["strict"] is True
        head = body["messages"][0]["content"]
    assert json.dumps(server.calls[0].schema["required"]) == '["title", "count", "any"]'
    assert json.loads(head.partition("## Schema of the reply\n\n")[2]) == server.calls[0].schema


def test_the_key_goes_to_the_server_and_nowhere_else(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server = bench.serve(Answer(text=json.dumps({"title": f"your key is {SECRET}", "any": "1"})))
    reply = bench.provider().ask(request())
    assert SECRET in json.dumps(server.calls[0].headers)
    assert SECRET not in reply.text
    assert f"[{VARIABLES[bench.vendor][0]}]" in reply.text
    assert SECRET.encode() not in bench.everything_written()
    assert SECRET not in caplog.text


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 529])
def test_a_key_that_a_server_echoes_is_in_no_error(bench: Bench, status: int) -> None:
    bench.serve(Fault(status=status, message=f"bad key {SECRET}"))
    with pytest.raises((KeyRefused, ProviderBusy, RequestRefused)) as caught:
        bench.provider(retries=0).ask(request())
    shown = caught.value.render() + repr(caught.value.__cause__) + repr(caught.value.__context__)
    assert SECRET not in shown
    assert SECRET.encode() not in bench.everything_written()


def test_without_a_key_nothing_is_sent_and_the_variable_is_named(bench: Bench) -> None:
    server = bench.serve(RIGHT)
    bench.environ.delenv(VARIABLES[bench.vendor][0])
    with pytest.raises(KeyRefused) as caught:
        bench.provider().ask(request())
    assert VARIABLES[bench.vendor][0] in caught.value.message
    assert server.calls == []
    assert bench.provider().intents.sends(request()) == 0


def test_a_refused_key_is_an_error_of_its_own(bench: Bench) -> None:
    bench.serve(Fault(status=401))
    with pytest.raises(KeyRefused, match="does not take the key"):
        bench.provider().ask(request())


@pytest.mark.parametrize("status", [429, 500, 529])
def test_a_busy_vendor_is_asked_again_as_often_as_the_order_says(bench: Bench, status: int) -> None:
    server = bench.serve(Fault(status=status), Fault(status=status), RIGHT)
    reply = bench.provider(retries=2).ask(request())
    assert reply.usage is not None
    assert (reply.usage.tries, len(server.calls), bench.waits) == (3, 3, [1.0, 2.0])


@pytest.mark.parametrize("status", [429, 500, 529])
def test_a_vendor_that_stays_busy_is_a_transient_error(bench: Bench, status: int) -> None:
    server = bench.serve(Fault(status=status, message="later, please"))
    with pytest.raises(ProviderBusy) as caught:
        bench.provider(retries=1).ask(request())
    assert caught.value.transient
    assert caught.value.details["status"] == str(status)
    assert "later, please" in caught.value.details["it says"]
    assert len(server.calls) == 2
    assert bench.provider().intents.possibly_paid("case901", bench.provider().store) == ()


def test_the_vendor_says_how_long_to_wait(bench: Bench) -> None:
    bench.serve(Fault(status=429, headers={"Retry-After": "7"}), RIGHT)
    bench.provider().ask(request())
    assert bench.waits == [7.0]


def test_a_vendor_that_asks_for_a_long_wait_stops_the_run(bench: Bench) -> None:
    server = bench.serve(Fault(status=429, headers={"Retry-After": "3600"}))
    with pytest.raises(ProviderBusy):
        bench.provider().ask(request())
    assert (bench.waits, len(server.calls)) == ([], 1)


@pytest.mark.parametrize("status", [400, 404])
def test_a_bad_request_is_named_and_not_repeated(bench: Bench, status: int) -> None:
    server = bench.serve(Fault(status=status, message="no such thing"))
    with pytest.raises(RequestRefused) as caught:
        bench.provider().ask(request())
    assert caught.value.details["status"] == str(status)
    assert "no such thing" in caught.value.details["it says"]
    assert len(server.calls) == 1


def test_a_server_that_is_not_there_costs_nothing(bench: Bench) -> None:
    bench.serve(RIGHT)
    port = free_port()
    provider = bench.provider(base_url=f"http://127.0.0.1:{port}", retries=1)
    with pytest.raises(ProviderBusy, match="cannot be reached") as caught:
        provider.ask(request())
    assert f"127.0.0.1:{port}" in caught.value.message
    assert len(bench.waits) == 1
    assert provider.intents.sends(request()) == 0


def test_the_orders_base_url_goes_before_the_environments(bench: Bench) -> None:
    server = bench.serve(RIGHT)
    bench.environ.setenv(VARIABLES[bench.vendor][1], f"http://127.0.0.1:{free_port()}")
    bench.provider(base_url=server.url + VARIABLES[bench.vendor][2]).ask(request())
    assert len(server.calls) == 1


@pytest.mark.parametrize("cleanly", [False, True], ids=["broken", "as if whole"])
@pytest.mark.parametrize("after", [0, 1, 4])
def test_a_stream_that_is_cut_is_possibly_paid_and_not_repeated_by_itself(
    bench: Bench, after: int, cleanly: bool
) -> None:
    server = bench.serve(Fault(cut_after=after, cleanly=cleanly, answer=RIGHT))
    provider = bench.provider()
    with pytest.raises(ProviderBusy, match="broke off") as caught:
        provider.ask(request())
    assert caught.value.details["cost"] == "possibly paid"
    assert len(server.calls) == 1
    assert provider.store.load(request()) is None
    assert [intent.sends for intent in provider.intents.possibly_paid("case901", provider.store)] == [1]


def test_a_reply_that_takes_too_long_is_given_up(bench: Bench) -> None:
    bench.serve(Fault(wait=3.0, answer=RIGHT))
    provider = bench.provider(timeout_seconds=0.5)
    with pytest.raises(ProviderBusy, match="broke off"):
        provider.ask(request())
    assert provider.intents.sends(request()) == 1


def test_a_server_that_never_ends_is_given_up(bench: Bench) -> None:
    """Each byte comes in time, so only the whole can be late."""
    server = bench.serve(RIGHT)
    server.delay = 20.0
    provider = bench.provider(timeout_seconds=2.5)
    with pytest.raises(ProviderBusy, match="broke off") as caught:
        provider.ask(request())
    assert caught.value.details["fact"] == "no whole reply within 2.5 s"


def test_a_truncated_reply_is_no_draft_and_is_in_the_ledger(bench: Bench) -> None:
    bench.serve(Answer(text='{"title": "hal', ending="truncated"))
    provider = bench.provider()
    with pytest.raises(RequestRefused, match="was cut") as caught:
        provider.ask(request())
    assert "max_output_tokens" in caught.value.remedy
    (entry,) = provider.ledger.entries()
    assert (entry.ending, entry.output_tokens, entry.provider) == (Ending.TRUNCATED, 20, bench.vendor)
    assert provider.store.load(request()) is None
    assert provider.intents.possibly_paid("case901", provider.store) == ()


def test_a_model_that_declines_is_no_draft_and_is_in_the_ledger(bench: Bench) -> None:
    bench.serve(Answer(text="I cannot do that.", ending="refused"))
    provider = bench.provider()
    with pytest.raises(RequestRefused, match="declined") as caught:
        provider.ask(request())
    assert caught.value.details["reason"] in {"refusal: cyber: It may do harm.", "stop: I cannot do that."}
    assert [entry.ending for entry in provider.ledger.entries()] == [Ending.REFUSED]


@pytest.mark.parametrize("text", ["no json", '{"title": ', "[1]", "", '{"title": NaN}', '{"a": 1, "a": 2}'])
def test_a_reply_that_is_no_json_object_is_kept_as_an_attempt(bench: Bench, text: str) -> None:
    server = bench.serve(Answer(text=text))
    reply = bench.provider().ask(request())
    assert json.loads(reply.text) == text
    assert bench.provider().ask(request()).replayed
    assert len(server.calls) == 1


def test_what_does_not_speak_the_format_is_named(bench: Bench) -> None:
    bench.serve(Fault(raw="<html>a page</html>"))
    with pytest.raises((RequestRefused, ProviderBusy)) as caught:
        bench.provider().ask(request())
    assert "127.0.0.1" in caught.value.message


@pytest.mark.parametrize(
    "event",
    ["{", "[]", "5", '{"type": "message_start"}', '{"choices": [{}]}', '{"choices": 5}', '{"error": {"message": "x"}}'],
)
def test_garbage_in_a_stream_is_no_bug_of_ours(bench: Bench, event: str) -> None:
    kind = "message_start" if bench.vendor == "anthropic" else "message"
    bench.serve(Fault(raw=f"event: {kind}\ndata: {event}\n\n"))
    with pytest.raises((RequestRefused, ProviderBusy)):
        bench.provider().ask(request())


def test_an_sdk_is_imported_by_its_own_provider_alone(checkout: Path) -> None:
    code = (
        "import sys\n"
        "from providers.choose import provider_for\n"
        "import flows.main\n"
        "from pathlib import Path\n"
        "from taskpack.drafting import Drafting\n"
        "for name in ('anthropic', 'openai', 'mailbox', 'replay'):\n"
        "    provider_for(name, inbox=Path('x'), replies=Path('y'), drafting=Drafting(model='m'))\n"
        "print(sorted({'anthropic', 'openai', 'httpx2', 'prefect'} & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
