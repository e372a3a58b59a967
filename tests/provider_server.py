"""A local server that speaks the wire formats of two vendors and counts what it is asked.

    python -m tests.provider_server --replies DIR --log FILE [--port N] [--delay SECONDS]

answers each request from a folder of stored replies (`<stage>/<unit>/<attempt>.json`), prints its address as the only
line on stdout, and writes a line of JSON to FILE for each request, `received` before a byte is sent and `answered`
after the last one. The address goes to `ANTHROPIC_BASE_URL`; with `/v1` at its end, to `OPENAI_BASE_URL`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from providers.schemas import encode
from tests import provider_payloads as payloads
from tests.provider_payloads import Answer

ID = "X-Repowright-Request"
"""The header that says which request it is."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One request as it arrived."""

    vendor: str
    """`anthropic` or `openai`."""
    id: str
    number: int
    """How often this id was asked for, this time included."""
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def schema(self) -> dict[str, Any]:
        """The schema that the reply is bound to."""
        if self.vendor == "anthropic":
            return dict(self.body["output_config"]["format"]["schema"])
        return dict(self.body["response_format"]["json_schema"]["schema"])


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What goes wrong in a vendor's stead of an answer, or in the middle of one."""

    status: int = 0
    """An HTTP status with the vendor's error body; 0 answers."""
    message: str = "something is wrong"
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int = -1
    """Close the stream after so many events; -1 is to the end."""
    cleanly: bool = False
    """Whether a cut stream ends as if it were whole."""
    raw: str = ""
    """Sent as it is, as an event stream."""
    wait: float = 0.0
    """Seconds before the first byte."""
    answer: Answer = field(default_factory=lambda: Answer(text="{}"))


Answering = Callable[[Call], Answer | Fault]

_KINDS = {
    400: ("invalid_request_error", "invalid_request_error"),
    401: ("authentication_error", "invalid_request_error"),
    404: ("not_found_error", "invalid_request_error"),
    429: ("rate_limit_error", "requests"),
    500: ("api_error", "server_error"),
    529: ("overloaded_error", "server_error"),
}


class ProviderServer(ThreadingHTTPServer):
    """Answers with what `answering` says; `calls` holds what arrived."""

    daemon_threads = True

    def __init__(self, answering: Answering, *, port: int = 0, log: Path | None = None, delay: float = 0.0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.answering = answering
        self.log = log
        self.delay = delay
        """Seconds that a whole answer takes."""
        self.calls: list[Call] = []
        self.lock = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is not worth a traceback; anything else is."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def counts(self) -> Counter[str]:
        """How often each request was asked for."""
        return Counter(call.id for call in self.calls)

    def took(self, vendor: str, headers: dict[str, str], body: dict[str, Any]) -> Call:
        with self.lock:
            name = headers.get(ID.lower(), "")
            call = Call(vendor=vendor, id=name, number=self.counts[name] + 1, headers=headers, body=body)
            self.calls.append(call)
        self.note(call, "received")
        return call

    def note(self, call: Call, state: str) -> None:
        if self.log is not None:
            line = {"request": call.id, "vendor": call.vendor, "number": call.number, "state": state}
            with self.lock, self.log.open("a") as file:
                file.write(json.dumps(line) + "\n")
                file.flush()
                os.fsync(file.fileno())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ProviderServer

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length))
        vendor = {"/v1/messages": "anthropic", "/v1/chat/completions": "openai"}.get(self.path.partition("?")[0])
        if vendor is None:
            self._send(404, {"error": {"message": f"there is no {self.path}"}}, {})
            return
        call = self.server.took(vendor, {name.lower(): value for name, value in self.headers.items()}, body)
        said = self.server.answering(call)
        fault = said if isinstance(said, Fault) else Fault(answer=said)
        time.sleep(fault.wait)
        if fault.status:
            self._send(fault.status, _error(vendor, fault), fault.headers)
        elif fault.raw:
            self._reply(200, fault.raw.encode(), {"Content-Type": "text/event-stream"})
        elif body.get("stream"):
            self._stream(call, fault)
        else:
            time.sleep(self.server.delay)
            build = payloads.message if vendor == "anthropic" else payloads.completion
            self._send(200, build(fault.answer), {})
        self.server.note(call, "answered")

    def _stream(self, call: Call, fault: Fault) -> None:
        events = list(_events(call, fault.answer))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(events):
            if number == fault.cut_after:
                break
            self._chunk(event.encode())
            time.sleep(self.server.delay / len(events))
        if fault.cut_after < 0 or fault.cleanly:
            self._chunk(b"")
        else:
            self.close_connection = True

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _send(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
        self._reply(status, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})

    def _reply(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the standard library's name)
        pass


def _events(call: Call, answer: Answer) -> Iterator[str]:
    if call.vendor == "anthropic":
        for name, data in payloads.message_events(answer):
            yield f"event: {name}\ndata: {json.dumps(data)}\n\n"
        return
    with_usage = bool((call.body.get("stream_options") or {}).get("include_usage"))
    for data in payloads.completion_chunks(answer, with_usage=with_usage):
        yield f"data: {json.dumps(data)}\n\n"
    yield "data: [DONE]\n\n"


def _error(vendor: str, fault: Fault) -> dict[str, Any]:
    kinds = _KINDS.get(fault.status, ("api_error", "server_error"))
    build = payloads.message_error if vendor == "anthropic" else payloads.completion_error
    return build(kinds[0 if vendor == "anthropic" else 1], fault.message)


def stored(replies: Path) -> Answering:
    """Answers from a folder of stored replies; what is not there is a 404."""

    def answering(call: Call) -> Answer | Fault:
        _case, stage, unit, attempt = call.id.split(".")
        path = replies / stage / unit / f"{attempt}.json"
        if not path.is_file():
            return Fault(status=404, message=f"no reply to {call.id} is stored")
        value = json.loads(path.read_bytes())["reply"]
        text = json.dumps(encode(value, call.schema), ensure_ascii=False)
        return Answer(text=text, model=str(call.body["model"]), reply_id=f"{call.id}.{call.number}")

    return answering


@contextmanager
def serving(answering: Answering, **options: Any) -> Iterator[ProviderServer]:
    """A server on a port of its own, for as long as the block lasts."""
    with ProviderServer(answering, **options) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--replies", type=Path, required=True)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds that a whole answer takes")
    given = parser.parse_args()
    server = ProviderServer(stored(given.replies), port=given.port, log=given.log, delay=given.delay)
    sys.stdout.write(server.url + "\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
