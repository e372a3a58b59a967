"""Part 5, measured: what `benchmarks/neutralize.py` prints, against the targets."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.accept.checklist import Checklist, need, run, tail

RECALL = 99.0
SHORT_PER_MB = 0.3
SPEED = {"raw and encoded, 50 names": 300, "raw and encoded, 2000 names": 150, "of all families": 25}
"""Megabytes a second of processor time, by what the row's name ends with."""
BUNDLE_S = 1.0


def claims(book: Checklist, scratch: Path) -> None:
    book.claim(f"7 recall of planted names: {RECALL:g} % of every family", lambda: _recall(_ran("recall")))
    book.claim(f"7 false alarms in 50 MB: none of grade I, {SHORT_PER_MB} per MB of short names",
               lambda: _alarms(_ran("alarms")))  # fmt: skip
    book.claim("7 nothing is left of a renamed package's name", lambda: _residue(_ran("residue")))
    book.claim("7 throughput beside other tools", lambda: _speed(_ran("speed")))


def _ran(part: str) -> str:
    done = run([sys.executable, "-m", "benchmarks.neutralize", part], timeout=3600)
    need(done.code == 0, tail(done.out + done.err, 14))
    return done.out


def _recall(out: str) -> str:
    shares = {
        name: float(share)
        for name, share in re.findall(r"^\| ([^|]+) \| \d+ \| \d+ \| ([0-9.]+)% \|$", out, re.MULTILINE)
    }
    low = [f"{name} {share} %" for name, share in shares.items() if share < RECALL]
    need("all" in shares and not low, ", ".join(low) or tail(out))
    return f"{shares['all']} % of {len(shares) - 1} families"


def _alarms(out: str) -> str:
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| ([0-9.]+) \|$", out, re.MULTILINE)
    said = "; ".join(f"{name}: {rate} per MB" for name, _, rate in rows)
    bad = [name for name, _, rate in rows if float(rate) > (SHORT_PER_MB if "(D)" in name else 0)]
    need(bool(rows) and not bad, said or tail(out))
    return said


def _residue(out: str) -> str:
    rows = re.findall(r"^\| (\S+) \| \d+ \| \d+ \| \d+ \| (\d+) \|$", out, re.MULTILINE)
    said = ", ".join(f"{name} {left}" for name, left in rows)
    need(bool(rows) and all(left == "0" for _, left in rows), said or tail(out))
    return said


def _speed(out: str) -> str:
    found = {
        name.strip(): float(rate)
        for name, rate in re.findall(r"^\| ([^|]+) \| [0-9.]+ \| [0-9.]+ \| (\d+) \|$", out, re.MULTILINE)
    }
    said = "; ".join(f"{name}: {rate:g} MB/s" for name, rate in found.items())
    slow = [
        end
        for end, bar in SPEED.items()
        if max((rate for name, rate in found.items() if name.endswith(end)), default=0) < bar
    ]
    bundle = re.search(r"with the start of the process: ([0-9.]+) s", out)
    slow += [] if bundle and float(bundle[1]) < BUNDLE_S else ["a bundle of 10 MB"]
    need(not slow, f"too slow: {', '.join(slow)}. {said}; a bundle: {bundle[1] if bundle else '?'} s")
    return said
