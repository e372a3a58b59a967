"""Resources come once, whole and as they were pinned, or not at all. The server is the test's own."""

from __future__ import annotations

import errno
import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from environments import resources
from environments.resources import fetch, resource_mount, resource_site
from taskpack.errors import DigestMismatch, EnvironmentFailed, FetchFailed, NoSpace
from taskpack.external import External, Resource
from taskpack.layout import WorkFolder

DATA = b"rates of exchange " * 20_000
PLAIN = frozenset({"http"})


class _Handler(BaseHTTPRequestHandler):
    asked: list[str]
    answers: dict[str, Any]
    rest: threading.Event

    def do_GET(self) -> None:
        self.asked.append(self.path)
        known = self.answers.get(self.path)
        if known is None:
            self.send_error(404)
            return
        code, headers, body = known
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        for part in body:
            if part is None:
                self.rest.wait(20)
            else:
                self.wfile.write(part)

    def log_message(self, *_: Any) -> None:
        """Not into the test's output."""


class Server:
    """Answers by path: code, headers, parts of the body; a part that is None is a rest."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answers: dict[str, Any] = {}
        self.rest = threading.Event()
        own = {"asked": self.asked, "answers": self.answers, "rest": self.rest}
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), own))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}{path}"

    def gives(self, path: str, *body: bytes | None, code: int = 200, **headers: str) -> None:
        self.answers[path] = (code, {name.replace("_", "-"): value for name, value in headers.items()}, body)

    def stop(self) -> None:
        if self._thread.is_alive():
            self.rest.set()
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    made = Server()
    yield made
    made.stop()


@pytest.fixture
def work(tmp_path: Path) -> WorkFolder:
    return WorkFolder(root=tmp_path / "work")


def resource(url: str, data: bytes = DATA, **more: Any) -> Resource:
    """One that is fetched from the test's server: an order would have to say https."""
    right = Resource(
        id=more.pop("id", "rates"), url="https://files.example/" + url.rpartition("/")[2],
        sha256=hashlib.sha256(data).hexdigest(), size=len(data), license="CC0-1.0", **more,
    )  # fmt: skip
    return right.model_copy(update={"url": url})


def arrived(work: WorkFolder) -> list[str]:
    return sorted(path.name for path in work.resources.iterdir()) if work.resources.is_dir() else []


def test_what_is_right_arrives_once_and_then_no_server_is_needed(server: Server, work: WorkFolder) -> None:
    server.gives("/v1/rates.bin", DATA[:100_000], DATA[100_000:])
    wanted = resource(server.url("/v1/rates.bin"))
    place = fetch(wanted, work=work, schemes=PLAIN)
    assert place.read_bytes() == DATA
    assert (arrived(work), place.stat().st_mode & 0o777) == ([wanted.sha256], 0o644)
    server.stop()
    assert fetch(wanted, work=work, schemes=PLAIN) == place
    assert server.asked == ["/v1/rates.bin"]


def test_what_was_spoiled_since_is_fetched_again(server: Server, work: WorkFolder) -> None:
    server.gives("/rates.bin", DATA)
    wanted = resource(server.url("/rates.bin"))
    fetch(wanted, work=work, schemes=PLAIN).write_bytes(b"spoiled")
    assert fetch(wanted, work=work, schemes=PLAIN).read_bytes() == DATA
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("body", "what"),
    [(DATA[:-1] + b"?", "sha256"), (DATA + b"more", "size"), (DATA[:-1], "size"), (b"", "size")],
    ids=["other bytes", "longer", "shorter", "empty"],
)
@pytest.mark.parametrize("length", [True, False], ids=["with its length", "without"])
def test_what_is_not_as_pinned_leaves_nothing(
    body: bytes, what: str, length: bool, server: Server, work: WorkFolder
) -> None:
    server.gives("/rates.bin", body, **({"Content_Length": str(len(body))} if length else {}))
    with pytest.raises(DigestMismatch, match="rates is not the file that was pinned") as caught:
        fetch(resource(server.url("/rates.bin")), work=work, schemes=PLAIN)
    assert f"pinned {what}" in caught.value.details
    assert caught.value.remedy
    assert arrived(work) == []


def test_an_answer_without_end_is_stopped_at_the_pinned_size(server: Server, work: WorkFolder) -> None:
    server.gives("/rates.bin", DATA, *[b"x" * 65536] * 400, None)
    with pytest.raises(DigestMismatch):
        fetch(resource(server.url("/rates.bin")), work=work, schemes=PLAIN)
    assert arrived(work) == []


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ({"body": (DATA[:1000],), "Content_Length": str(len(DATA))}, "it breaks off before its end"),
        ({"body": (b"ffff\r\nx",), "Transfer_Encoding": "chunked"}, "it breaks off before its end"),
        ({"code": 404, "body": ()}, "HTTP 404"),
        ({"code": 500, "body": ()}, "HTTP 500"),
        ({"code": 302, "body": ()}, "HTTP 302"),
        ({"code": 302, "body": (), "Location": "file:///etc/passwd"}, "it sends us to file://"),
        ({"code": 302, "body": (), "Location": "ftp://files.example/x"}, "it sends us to ftp://files.example"),
        ({"code": 301, "body": (), "Location": "https://files.example/x"}, "it sends us to https://files.example"),
        ({"code": 307, "body": (), "Location": "http://me:word@127.0.0.1/x"}, "which is not followed"),
        ({"code": 302, "body": (), "Location": "http://[/x"}, "ValueError"),
        ({"code": 302, "body": (), "Location": "/rates.bin"}, "more than 5 times"),
    ],
    ids=["cut off", "cut off in a chunk", "not there", "broken", "nowhere", "a file", "ftp", "another scheme", "a user", "nonsense", "a circle"],
)  # fmt: skip
def test_a_server_that_does_not_give_it_is_told_with_the_fact(
    answer: dict[str, Any], word: str, server: Server, work: WorkFolder
) -> None:
    body = answer["body"]
    server.gives("/rates.bin", *body, **{name: value for name, value in answer.items() if name != "body"})
    with pytest.raises(FetchFailed, match="rates cannot be fetched") as caught:
        fetch(resource(server.url("/rates.bin")), work=work, schemes=PLAIN)
    assert word in caught.value.details["fact"]
    assert caught.value.transient
    assert arrived(work) == []


def test_an_order_is_never_fetched_over_plain_http(server: Server, work: WorkFolder) -> None:
    server.gives("/rates.bin", DATA)
    with pytest.raises(FetchFailed, match="cannot be fetched"):
        fetch(resource(server.url("/rates.bin")), work=work)
    assert server.asked == []


def test_another_place_on_the_same_scheme_is_followed(server: Server, work: WorkFolder) -> None:
    server.gives("/old/rates.bin", code=301, Location="../new/rates.bin")
    server.gives("/new/rates.bin", DATA)
    assert fetch(resource(server.url("/old/rates.bin")), work=work, schemes=PLAIN).read_bytes() == DATA


def test_a_silent_server_and_one_that_takes_too_long_are_given_up(server: Server, work: WorkFolder) -> None:
    server.gives("/rates.bin", DATA[:10], None)
    wanted = resource(server.url("/rates.bin"))
    with pytest.raises(FetchFailed) as caught:
        fetch(wanted, work=work, schemes=PLAIN, silence_s=0.2)
    assert "TimeoutError" in caught.value.details["fact"]
    server.gives("/rates.bin", DATA)
    with pytest.raises(FetchFailed, match="takes too long"):
        fetch(wanted, work=work, schemes=PLAIN, wall_s=-1)
    assert arrived(work) == []


def test_no_server_at_all_is_told(server: Server, work: WorkFolder) -> None:
    wanted = resource(server.url("/rates.bin"))
    server.stop()
    with pytest.raises(FetchFailed) as caught:
        fetch(wanted, work=work, schemes=PLAIN)
    assert "refused" in caught.value.details["fact"]


def test_a_fetch_that_is_killed_leaves_nothing_that_is_taken_for_it(
    server: Server, work: WorkFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.gives("/rates.bin", DATA)
    wanted = resource(server.url("/rates.bin"))

    class Killed(BaseException):
        pass

    def die(_: int) -> None:
        raise Killed

    monkeypatch.setattr(resources.os, "fsync", die)
    with pytest.raises(Killed):
        fetch(wanted, work=work, schemes=PLAIN)
    monkeypatch.undo()
    assert wanted.sha256 not in arrived(work)
    assert fetch(wanted, work=work, schemes=PLAIN).read_bytes() == DATA


def test_a_full_disk_is_our_trouble_and_not_the_servers(
    server: Server, work: WorkFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.gives("/rates.bin", DATA)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(resources.os, "fsync", full)
    with pytest.raises(NoSpace):
        fetch(resource(server.url("/rates.bin")), work=work, schemes=PLAIN)
    assert arrived(work) == []


def packed(files: dict[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return raw.getvalue()


def external(*parts: Resource) -> External:
    return External(destination="/opt/models", resources=tuple(parts[:1])).model_copy(update={"resources": parts})


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders are fetched as if http were https, for the test's server has no certificate."""
    real = resources.fetch
    monkeypatch.setattr(resources, "fetch", lambda one, *, work: real(one, work=work, schemes=PLAIN))


def test_all_of_an_order_lie_where_it_says_and_later_without_a_server(
    server: Server, work: WorkFolder, plain: None
) -> None:
    archive = packed({"eu/a.txt": b"12345", "b": b"1"})
    server.gives("/rates.bin", DATA)
    server.gives("/more.zip", archive)
    wanted = external(
        resource(server.url("/rates.bin"), directory="plain"),
        resource(server.url("/more.zip"), archive, id="more", unpacked_size=6, directory="packed"),
    )
    mount = resource_mount(wanted, work=work)
    assert (mount.dest, mount.writable) == ("/opt/models", False)
    found = {str(path.relative_to(mount.source)) for path in mount.source.rglob("*") if path.is_file()}
    assert found == {"plain/rates.bin", "packed/eu/a.txt", "packed/b"}
    server.stop()
    (mount.source / "packed/b").write_bytes(b"spoiled")
    assert (resource_site(wanted, work=work) / "packed/b").read_bytes() == b"1"
    assert server.asked == ["/rates.bin", "/more.zip"]


def test_two_that_want_one_place_are_refused_and_nothing_is_kept(server: Server, work: WorkFolder, plain: None) -> None:
    archive = packed({"rates.bin": b"12345"})
    server.gives("/rates.bin", DATA)
    server.gives("/more.zip", archive)
    one = resource(server.url("/rates.bin"))
    two = resource(server.url("/more.zip"), archive, id="more", unpacked_size=5)
    for parts in ((one, two), (two, one)):
        with pytest.raises(EnvironmentFailed) as caught:
            resource_site(external(*parts), work=work)
        assert caught.value.remedy
    assert not list(work.environments.glob("resources-*"))
