"""Part 3, item 4, and the paying half of item 1: vendors' models over the wire, and what is paid."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from pathlib import Path

from tests.accept.checklist import CHECKOUT, Checklist, need, repowright, run, tail
from tests.provider_server import serving, stored

CASE = "case001"
HERE = "tests/integration/providers"


def claims(book: Checklist, scratch: Path) -> None:
    """Add this piece's claims."""
    book.claim("4 both SDKs are pinned with their hashes and are imported by a vendor's own request alone", _locked)
    book.claim("4 schemas are sent as vendors take them, and every reply finds its way back",
               lambda: _pytest("tests/unit/providers/test_schemas.py"))  # fmt: skip
    book.claim("4 both vendors over the wire, payloads checked by the SDKs' own types: replies, refusals, cuts, keys, errors",
               lambda: _pytest(f"{HERE}/test_vendors.py"))  # fmt: skip
    book.claim("4 prices, budgets, the ledger; 1 what was in flight at a kill is possibly paid and asked once more",
               lambda: _pytest("tests/unit/providers/test_paid.py", "tests/unit/providers/test_ledger.py"))  # fmt: skip
    book.claim("4 the same from outside: exit codes, tables, budgets, a kill in flight, drift",
               lambda: _pytest(f"{HERE}/test_command_line.py"))  # fmt: skip
    book.claim("5 the mailbox takes no second reply in silence, reads plain files alone, and all units wait at once",
               lambda: _pytest("tests/unit/providers/test_mailbox.py", "tests/unit/drafting/test_drafting.py"))  # fmt: skip
    book.claim("4 the first task's specification and tests are drafted over both wires, each reply asked for once",
               lambda: _authored(scratch))  # fmt: skip


def _locked() -> str:
    lines = (CHECKOUT / "requirements.lock").read_text().splitlines()
    pins = [line for line in lines if line.startswith(("anthropic==", "openai=="))]
    need(len(pins) == 2, f"pinned: {pins}")
    for pin in pins:
        need(lines[lines.index(pin) + 1].strip().startswith("--hash=sha256:"), f"no hash: {pin}")
    return ", ".join(pin.rstrip(" \\") for pin in pins)


def _pytest(*paths: str) -> str:
    done = run([sys.executable, "-m", "pytest", "-q", *paths], timeout=1200)
    need(done.code == 0 and "skipped" not in done.out, tail(done.out, 25))
    return tail(done.out, 1)


def _authored(scratch: Path) -> str:
    """The recorded drafts, given by a server in the words of one vendor, then of the other."""
    cases, work = scratch / "cases", scratch / "work"
    shutil.copytree(CHECKOUT / "cases" / CASE, cases / CASE)
    replies = cases / CASE / "provenance" / "replies"
    shutil.rmtree(replies)
    (cases / CASE / "provenance" / "ledger.jsonl").unlink()
    with serving(stored(CHECKOUT / "cases" / CASE / "provenance" / "replies")) as server:
        for vendor, path, stage in (("anthropic", "", "spec"), ("openai", "/v1", "tests")):
            name = vendor.upper()
            variables = {f"{name}_API_KEY": "sk-nobody-pays-for-this", f"{name}_BASE_URL": server.url + path}
            flags = ("--plain", "--provider", vendor, "--model", "gpt-5.4", "--until", stage)
            done = repowright("author", CASE, "--cases", cases, "--work", work, *flags, env=variables, timeout=1800)
            need(done.code == 0, tail(done.out + done.err, 20))
        asked = Counter(server.counts)
    kept = sorted(replies.rglob("*.json"))
    was = sorted((CHECKOUT / "cases" / CASE / "provenance" / "replies").rglob("*.json"))
    need(len(kept) == len(was) == len(asked) and set(asked.values()) == {1}, f"asked {asked}, stored {len(kept)}")
    for one, other in zip(kept, was, strict=True):
        same = json.loads(one.read_bytes())["reply"] == json.loads(other.read_bytes())["reply"]
        need(same, f"{one.relative_to(replies)} is not the reply that was recorded")
    need("paid replies" in done.out, tail(done.out, 20))
    return tail(done.out, len(asked) + 3)
