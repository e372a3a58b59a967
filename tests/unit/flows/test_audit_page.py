"""How an audit looks: golden pages at 80 columns, and bounds that hold for any text."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from flows.audit_page import Line, change_lines, page
from neutralize.audit.changes import changes
from neutralize.audit.core import Known, audit
from neutralize.audit.report import AuditReport, Kind, Mode
from neutralize.audit.shareable import shareable
from neutralize.audit.termlists import terms_of
from neutralize.scan import Scanner
from neutralize.traverse import Item
from neutralize.waivers import Waiver, Waivers
from tests.bundles import TERMS

DAY = dt.date(2030, 1, 1)
LIST = terms_of(TERMS, source="x")
SCANNER = Scanner(LIST)
PRD = """# Vexsum

Counts marks in lines of text, as brass_monocle does, and gives them back sorted.
It will fetch the next row; then it will fetch the last.
\tA tab, 你好世界, and `BrassMonocle` in the middle of a line that is far longer than any terminal is wide, to its end
By Ada Quillfeather.
"""
ITEMS = (
    Item(
        path="source/manifest.json",
        data=b'{\n  "repo_slug": "monocleworks/brassmonocle",\n  "sensitive_terms": ["x"]\n}\n',
    ),
    Item(path="source/denylist.json", data=b'{"install_ban": ["brassmonocle"], "import_ban": []}'),
    Item(path="public/Full_PRD.md", data=PRD.encode()),
    Item(path="public/Interface_Contract.md", data=b"plain\n"),
    Item(path="public/evil\x1b[31m\u202e.bin", data=b"\x00\x1b[2J brassmonocle \x9b\n"),
    Item(path="milestones/final/tests/brassmonocle/F01_acceptance.py", data=b"x\n"),
    Item(path="milestones/huge.bin", data=None, problem="larger than 16777216 bytes"),
)


def made(mode: Mode = Mode.TERMS, items: tuple[Item, ...] = ITEMS, *, waive: bool = False) -> AuditReport:
    terms = () if mode is Mode.NOTHING else LIST
    known = Known(name="case101", kind=Kind.BUNDLE, mode=mode, terms=terms, searcher=Scanner(terms), today=DAY,
                  notes=("terms: 6 from what it carries itself",) if terms else ())  # fmt: skip
    report = audit(items, known)
    if not waive:
        return report
    place = next(place for place in report.findings if place.found == "review")
    kept = Waiver(term="fetch", path=place.path, line_digest=place.line_digest, reason="a verb", expires=DAY)
    old = kept.model_copy(update={"expires": dt.date(2029, 5, 1), "path": "public/Gone.md"})
    return audit(items, Known(**{**vars(known), "waivers": Waivers(waivers=(kept, old))}))


def plain(lines: list[Line]) -> str:
    return "".join("".join(text for text, _ in line) + "\n" for line in lines)


def shown(report: AuditReport, *, limit: int = 20, width: int = 80) -> str:
    return plain(list(page(report, width=width, limit=limit, again="repowright audit case101")))


PAGES = {
    "names": lambda: shown(made()),
    "shareable": lambda: shown(shareable(made(), bytes(32), SCANNER)),
    "waived": lambda: shown(made(items=(ITEMS[1], *ITEMS[3:4], Item(path="public/Full_PRD.md", data=b"It will fetch.\n")), waive=True)),
    "cut": lambda: shown(made(), limit=2),
    "nothing": lambda: shown(made(Mode.NOTHING, ITEMS[3:4])),
    "change": lambda: plain(list(change_lines("case101", changes(made(items=ITEMS[:2]), made()), width=80))),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_pages_look_as_they_did(name: str, checkout: Path, update_golden: bool) -> None:
    golden = checkout / "tests/data/audit" / f"{name}.txt"
    seen = PAGES[name]()
    if update_golden:
        golden.write_text(seen)
    assert seen == golden.read_text()


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal_and_each_mark_is_under_its_text(width: int) -> None:
    lines = shown(made(), width=width, limit=0).splitlines()
    assert max(cell_len(line) for line in lines) <= width
    marked = 0
    for above, below in pairwise(lines):
        if below.strip(" |^") == "" and "^" in below:
            start, length = below.index("^"), below.count("^")
            under = "".join(char for place, char in _cells(above) if start <= place < start + length)
            assert under.lower().replace("_", "") in {
                "brassmonocle",
                "fetch",
                "adaquillfeather",
                "ada quillfeather",
                "monocleworks/brassmonocle",
            }
            marked += 1
    assert marked >= 7


def _cells(line: str) -> list[tuple[int, str]]:
    found, place = [], 0
    for char in line:
        found.append((place, char))
        place += cell_len(char)
    return found


@settings(max_examples=60, deadline=None)
@example(before="", after="\x1f", name="000000\x1f\x1f\x1f\x1f\u2e80\U0001089f\U000116ca\U00018d09")
@example(before="\u4e00" * 100, after="\u4e00" * 100, name="\u4e00" * 40)
@given(before=st.text(max_size=300), after=st.text(max_size=300), name=st.text(min_size=1, max_size=40))
def test_whatever_stands_around_a_finding_only_printable_lines_of_the_width_come_out(
    before: str, after: str, name: str
) -> None:
    data = f"{before} brassmonocle {after}".encode("utf-8", "surrogatepass")
    text = shown(made(items=(Item(path=f"public/{name}", data=data),)))
    assert all(char.isprintable() or char == "\n" for char in text)
    assert max(cell_len(line) for line in text.splitlines()) <= 80
