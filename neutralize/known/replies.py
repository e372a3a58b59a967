"""A model's reply, looked at before it is kept: what of the upstream does it say from memory or from its input."""

from __future__ import annotations

from collections.abc import Iterable

from neutralize.finding import Finding
from neutralize.known.allow import Allow
from neutralize.known.detect import detectors
from neutralize.known.facts import Known
from neutralize.scan import Scanner
from neutralize.traverse import Item
from taskpack.rename import Term


def reply_findings(
    text: str, terms: Iterable[Term], known: Known | None = None, *, path: str = "reply", allow: Allow | None = None
) -> tuple[Finding, ...]:
    """Every place in `text` that names the upstream, sorted by place; empty for a reply that may be kept.

    Terms are those of the list and of `known`. `path` is what findings call the reply.
    """
    scanner = Scanner([*terms, *(known.terms if known else ())])
    found = list(scanner.findings(text, path))
    item = Item(path=path, data=text.encode("utf-8", "replace"))
    for detector in detectors(known, allow=allow):
        found += detector.findings(item, text)
    unique = {(finding.line, finding.column, finding.rule, finding.term): finding for finding in found}
    return tuple(unique[place] for place in sorted(unique))
