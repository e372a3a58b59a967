"""What a solver may not install or import, and the flat list of names that foreign harnesses look for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from neutralize.spelling import lexemes, spoken, styles
from neutralize.terms import grade_of
from taskpack.denylist import Denylist
from taskpack.order import GitSource, Order
from taskpack.rename import Grade, Names, Term


def denylist(order: Order, names: Names) -> Denylist:
    """`source/denylist.json` in the zero2repo format: distributions, Debian packages, repositories, import roots."""
    given = names.terms
    source = order.source
    dists = {normal(term.surface) for term in given if term.kind == "dist"}
    if not isinstance(source, GitSource):
        dists.add(normal(source.name))
    roots = sorted({term.surface for term in given if term.kind == "import-root"})
    if not roots:
        roots = sorted(dist.replace("-", "_") for dist in dists)
    repositories = sorted(term.surface for term in given if term.kind == "url")
    return Denylist(
        case_id=order.case_id,
        ecosystem="pip",
        install_ban=(*sorted(dists), *(f"python3-{_debian(dist)}" for dist in sorted(dists)), *repositories),
        import_ban=(*roots, *(f"{root}/" for root in roots)),
        notes=f"The distribution that {_product(names, order)} restates, its packages and repositories.",
    )


def sensitive_terms(terms: Iterable[Term]) -> list[str]:
    """Names for `manifest.json`: whole words, any case, in the spellings that people write.

    Left out: generic words, which public text needs, and identifiers whose neutral name differs in case alone.
    """
    found: set[str] = set()
    for term in terms:
        if term.grade is Grade.LITERAL:
            found |= {term.surface} if term.kind == "literal" else set()
        elif term.grade is not Grade.GENERIC:
            found |= {term.surface, *_spellings(term)}
    return sorted(found)


def normal(name: str) -> str:
    """A distribution's name in its normal form (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _debian(dist: str) -> str:
    return dist.removeprefix("python-")


def _product(names: Names, order: Order) -> str:
    replacements = {rename.replacement for rename in names.map.renames}
    return order.product.name if order.product.name in replacements else "the product"


def _spellings(term: Term) -> tuple[str, ...]:
    """Spellings in lower case; the reader ignores case. With spaces only when every word is not ordinary English."""
    words = lexemes(term.surface)
    if term.kind in {"email", "host", "url", "api-identifier"} or len(words) < 2:
        return ()
    spaces = spoken(term.surface) and any(grade_of(word) is not Grade.GENERIC for word in words)
    return tuple(dict.fromkeys(style.lower() for style in styles(words, spaces=spaces)))
