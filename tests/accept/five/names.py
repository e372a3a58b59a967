"""Part 5, names and renaming: checks of a neutral name, one map, every byte back."""

from __future__ import annotations

import re
import sys
from itertools import islice
from pathlib import Path

from benchmarks.name_rates import firsts, pattern, rates
from neutralize.coin import GENERATORS
from tests.accept.checklist import Checklist, NotMet, need, pytest_passes, run, tail

UNIT = "tests/unit/neutralize"
_PACKAGES = 4


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("3 a neutral name is checked, in all spellings at once", lambda: pytest_passes(f"{UNIT}/test_names.py"))
    book.claim("3 lists of names are shipped with their date; one that is not whole answers unknown",
               lambda: pytest_passes(f"{UNIT}/test_name_lists.py"))  # fmt: skip
    book.claim("3 every check of a name; all styles are injective and come back",
               lambda: pytest_passes(f"{UNIT}/test_name_checks.py"))  # fmt: skip
    book.claim("3 names of two kinds are proposed with every answer; the registry is asked about one, last",
               lambda: pytest_passes("tests/integration/flows/test_names_command.py"))  # fmt: skip
    book.claim("3 generators fail seldom, longer names more seldom than short ones", _rates)
    book.claim("4 renaming by spans: refusals, every byte back, nothing the second time",
               lambda: pytest_passes(f"{UNIT}/test_rename.py", f"{UNIT}/test_tree.py"))  # fmt: skip
    book.claim("4 Python, JavaScript, prose, configuration from a pack's tables: what stands where, what stops, what is listed",
               lambda: pytest_passes(f"{UNIT}/test_classify.py", f"{UNIT}/test_concerns.py"))  # fmt: skip
    book.claim("4 real packages, Python, JavaScript, TypeScript: tests and mutants alike before and after", _proved)


def _proved() -> str:
    """What `python -m benchmarks.renaming` prints: of every package nothing left, every byte back, all alike."""
    done = run([sys.executable, "-m", "benchmarks.renaming", "--mutants", "4"], timeout=3600)
    need(done.code == 0, tail(done.out + done.err, 14))
    left = dict(re.findall(r"^\| (\S+ [0-9.]+) \|(?: \d+ \|){8} (\d+) \|$", done.out, re.MULTILINE))
    rows = re.findall(
        r"^\| (\S+ [0-9.]+) \| (\w+) \| (\w+) \| (\d+) of \d+ \| \d+ of \d+ \| (\w+) \| (\d+) \| (\d+) \| (\w+) \|$",
        done.out,
        re.MULTILINE,
    )
    bad = [name for name, back, once, _, tests, _, _, defects in rows if {back, once, tests, defects} != {"yes"}]
    bad += [f"{name}: {count} left" for name, count in left.items() if count != "0"]
    need(len(rows) == len(left) == _PACKAGES and not bad, ", ".join(bad) or tail(done.out + done.err, 20))
    need(all(int(killed) > 0 for *_, killed, _ in rows), "defects that no test tells")
    return "; ".join(
        f"{name}: {passed} tests, {killed} of {tried} defects" for name, _, _, passed, _, tried, killed, _ in rows
    )


def _rates() -> str:
    """Refused of 400 names each: made-up names and pairs of words stay below plain short patterns."""
    refused = {kind.value: rates(islice(firsts(make), 400))[1] for kind, make in GENERATORS.items()}
    short = rates(islice(pattern("CVCVC"), 400))[1]
    if max(refused.values()) >= short or max(refused.values()) > 40:
        raise NotMet(f"refused of 400: {refused}, CVCVC {short}")
    return ", ".join(f"{kind} {count}" for kind, count in refused.items()) + f", CVCVC {short} of 400 refused"
