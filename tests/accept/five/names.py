"""Part 5, names and renaming: checks of a neutral name, one map, every byte back."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from benchmarks.name_rates import firsts, pattern, rates
from neutralize.coin import GENERATORS
from tests.accept.checklist import Checklist, NotMet, pytest_passes

UNIT = "tests/unit/neutralize"


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
    book.claim("4 Python, JavaScript, prose, configuration from a pack's tables; tests and mutants alike before and after",
               _not_built)  # fmt: skip


def _rates() -> str:
    """Refused of 400 names each: made-up names and pairs of words stay below plain short patterns."""
    refused = {kind.value: rates(islice(firsts(make), 400))[1] for kind, make in GENERATORS.items()}
    short = rates(islice(pattern("CVCVC"), 400))[1]
    if max(refused.values()) >= short or max(refused.values()) > 40:
        raise NotMet(f"refused of 400: {refused}, CVCVC {short}")
    return ", ".join(f"{kind} {count}" for kind, count in refused.items()) + f", CVCVC {short} of 400 refused"


def _not_built() -> str:
    raise NotMet("not built yet")
