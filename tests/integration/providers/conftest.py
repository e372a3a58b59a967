"""A vendor's provider against the local server that speaks its wire format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from providers.choose import provider_for
from providers.paid import Paid
from taskpack.drafting import Drafting
from tests.provider_payloads import Answer
from tests.provider_server import Answering, Call, Fault, ProviderServer, serving

SECRET = "sk-test-0123456789abcdef"
VARIABLES = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", ""),
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1"),
}


@dataclass(kw_only=True)
class Bench:
    """One vendor, a folder, and a server that answers from a list."""

    vendor: str
    folder: Path
    environ: pytest.MonkeyPatch
    stack: ExitStack
    waits: list[float] = field(default_factory=list)
    """Seconds that the provider would have slept."""
    server: ProviderServer = field(init=False)

    def serve(self, *answers: Answer | Fault | Callable[[Call], Answer | Fault]) -> ProviderServer:
        """Answer the n-th request with the n-th of `answers`, and every later one with the last."""

        def answering(call: Call) -> Answer | Fault:
            said = answers[min(len(self.server.calls), len(answers)) - 1]
            return said(call) if callable(said) else said

        return self.serve_with(answering)

    def serve_with(self, answering: Answering) -> ProviderServer:
        self.server = self.stack.enter_context(serving(answering))
        key, base, path = VARIABLES[self.vendor]
        self.environ.setenv(key, SECRET)
        self.environ.setenv(base, self.server.url + path)
        return self.server

    def provider(self, **drafting: Any) -> Paid:
        asked = Drafting.model_validate({"model": "model-1", **drafting})
        made = provider_for(
            self.vendor,
            inbox=self.folder / "inbox",
            replies=self.folder / "replies",
            ledger=self.folder / "ledger.jsonl",
            drafting=asked,
        )
        assert isinstance(made, Paid)
        return replace(made, sleep=self.waits.append)

    def everything_written(self) -> bytes:
        """Every byte of every file below the folder, names included."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return b"".join(str(path).encode() + path.read_bytes() for path in files)


@pytest.fixture(params=sorted(VARIABLES))
def bench(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    for names in VARIABLES.values():
        for name in names[:2]:
            monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:
        yield Bench(vendor=request.param, folder=tmp_path, environ=monkeypatch, stack=stack)


def said(value: object, **changes: Any) -> Answer:
    return Answer(text=json.dumps(value), **changes)
