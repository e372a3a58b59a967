"""The term list: every name that points to the upstream, with how much of a giveaway it is and where it was found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from neutralize.addresses import EMAIL, Trace, email_traces, url_traces
from neutralize.manifests import Statement, statements
from neutralize.notices import holders, is_person, party, titles
from neutralize.spelling import key, lexemes
from neutralize.traverse import decode, items
from neutralize.words import GIVEN_NAMES, is_word, listed
from taskpack.order import GitSource, Order
from taskpack.rename import Grade, Term
from taskpack.requested import folded as folded_name

OWN_NAMES = ("dist", "import-root", "project", "cli")
"""Kinds of terms that name the project itself."""
_BANNED = frozenset({"dist", "import-root"})
_ROLE_KINDS = {"dist": "dist", "cli": "cli", "module": "import-root", "title": "project"}
_NO_ROOTS = listed(
    """
    tests test testing docs doc examples example benchmarks scripts tools build dist requirements
    """
)


def derive_terms(tree: Path, order: Order | None) -> tuple[Term, ...]:
    """Terms from manifests, licence texts, README, import roots and the order if there is one, by kind and surface.

    What a name is comes from the root's own files; the rest of the tree shows only how else it is written. Nothing of
    the tree is run. A name whose ban the order lifts is the project's all the same, and no distribution or import root.
    """
    lifted = {folded_name(name) for name in order.rename.unbanned} if order else set()
    found: dict[tuple[str, str], set[str]] = {}
    for given, surface, source in [*_stated(tree), *_roots(tree), *(_ordered(order) if order else ())]:
        kind = "project" if given in _BANNED and folded_name(surface) in lifted else given
        if key(surface):
            found.setdefault((kind, surface), set()).add(source)
    terms = [
        Term(surface=surface, grade=grade_of(surface), kind=kind, sources=tuple(sorted(sources)))
        for (kind, surface), sources in found.items()
        if not (kind == "person" and surface.lower() in GIVEN_NAMES)
    ]
    terms += [*_surnames(terms), *_humped(tree, terms), *_taglines(tree), *(_chosen(order) if order else ())]
    return tuple(sorted({(term.kind, term.surface): term for term in terms}.values(), key=_place))


def grade_of(surface: str) -> Grade:
    """The first rule set: one common word is generic, four characters or less are distinctive, all else identifies.

    A name of several words is graded as a whole.
    """
    words = lexemes(surface)
    if len(words) == 1 and is_word(words[0]):
        return Grade.GENERIC
    return Grade.DISTINCTIVE if len(key(surface)) <= 4 else Grade.IDENTIFYING


def is_distinctive(identifier: str) -> bool:
    """Whether a public identifier is more than one ordinary word, so that it alone may tell where it is from."""
    words = [word for word in lexemes(identifier) if not word.isdigit()]
    return len(words) > 1 or (len(words) == 1 and len(words[0]) > 4 and not is_word(words[0]))


Found = tuple[str, str, str]


def _stated(tree: Path) -> Iterator[Found]:
    for statement in [*statements(tree), *holders(tree), *titles(tree)]:
        for trace in _traces(statement):
            yield trace.kind, trace.surface, statement.source


def _traces(statement: Statement) -> Iterator[Trace]:
    role, value = statement.role, statement.value
    if role in _ROLE_KINDS:
        yield Trace(surface=value, kind=_ROLE_KINDS[role])
    elif role == "url":
        yield from (_named(trace) for trace in url_traces(value))
    elif role == "email":
        yield from (trace for address in EMAIL.findall(value) for trace in email_traces(address))
    elif role == "party" and (name := party(value)) and "[bot]" not in value:
        yield Trace(surface=name, kind="person" if is_person(name) or name.lower() in GIVEN_NAMES else "org")


def _named(trace: Trace) -> Trace:
    return Trace(surface=trace.surface, kind="project") if trace.kind == "repo" else trace


def _roots(tree: Path) -> Iterator[Found]:
    """Packages and modules that an installation would offer."""
    for base in (tree / "src", tree / "lib", tree):
        for package in sorted(base.glob("*/__init__.py")) if base.is_dir() else []:
            name = package.parent.name
            if name not in _NO_ROOTS and not name.startswith("test"):
                yield "import-root", name, f"{package.relative_to(tree).as_posix()}:1"
        if base != tree:
            for module in sorted(base.glob("*.py")) if base.is_dir() else []:
                yield "import-root", module.stem, f"{module.relative_to(tree).as_posix()}:1"


def _ordered(order: Order) -> Iterator[Found]:
    source = order.source
    if isinstance(source, GitSource):
        if "://" in source.url or "@" in source.url:
            url = re.sub(r"^(?:ssh://)?git@([^:/]+)[:/]", r"https://\1/", source.url)
            yield from ((_named(trace).kind, trace.surface, "order") for trace in url_traces(url))
        else:
            yield "project", Path(source.url).name.removesuffix(".git"), "order"
    else:
        yield "dist", source.name, "order"
    yield from (("project", term, "order") for term in order.rename.terms)


def _surnames(terms: list[Term]) -> Iterator[Term]:
    """A surname alone is a term when it is no common word; inside longer words it would meet too many others."""
    for term in terms:
        last = term.surface.split()[-1] if term.kind == "person" else ""
        if last != term.surface and grade_of(last) is Grade.IDENTIFYING:
            yield Term(surface=last, grade=Grade.DISTINCTIVE, kind="person", sources=term.sources)


def _humped(tree: Path, terms: list[Term]) -> Iterator[Term]:
    """Glued names that the tree also writes with humps, which show their words: `OldTally` for `oldtally`.

    Of several such spellings the one of most words counts, then the most frequent.
    """
    known: dict[str, int] = {}
    for term in terms:
        if term.grade is Grade.IDENTIFYING and term.kind in {*OWN_NAMES, "org", "person"}:
            known[key(term.surface)] = max(known.get(key(term.surface), 0), len(lexemes(term.surface)))
    if not known:
        return
    pattern = re.compile("|".join(re.escape(name) for name in sorted(known, key=len, reverse=True)), re.IGNORECASE)
    places: dict[str, list[str]] = {}
    for item in items(tree):
        text = decode(item.data) if item.data is not None else None
        for match in pattern.finditer(text or ""):
            if text and len(lexemes(match[0])) > known.get(key(match[0]), 99):
                places.setdefault(match[0], []).append(f"{item.path}:{text.count(chr(10), 0, match.start()) + 1}")
    ranked = sorted(places, key=lambda name: (-len(lexemes(name)), -len(places[name]), name))
    for letters in sorted({key(name) for name in places}):
        surface = next(name for name in ranked if key(name) == letters)
        yield Term(surface=surface, grade=Grade.IDENTIFYING, kind="project", sources=(places[surface][0],))


def _taglines(tree: Path) -> Iterator[Term]:
    """The one-line description, when it is long enough to be recognised."""
    found: dict[str, set[str]] = {}
    for statement in statements(tree):
        if statement.role == "summary" and len(statement.value.split()) >= 4:
            found.setdefault(statement.value, set()).add(statement.source)
    for text, sources in found.items():
        yield Term(surface=text, grade=Grade.LITERAL, kind="literal", sources=tuple(sorted(sources)))


def _chosen(order: Order) -> Iterator[Term]:
    """What the author renames: distinctive public identifiers, and literals."""
    for identifier in order.rename.identifiers:
        if is_distinctive(identifier):
            grade = Grade.LITERAL if _near_neutral(identifier, order) else Grade.DISTINCTIVE
            yield Term(surface=identifier, grade=grade, kind="api-identifier", sources=("order",))
    for literal in order.rename.literals:
        yield Term(surface=literal, grade=Grade.LITERAL, kind="literal", sources=("order",))


def _near_neutral(identifier: str, order: Order) -> bool:
    """Whether a neutral name holds the same words, as after a change of case: then only the exact text is hunted."""
    words = lexemes(identifier)
    names = [order.product.name, *order.rename.identifiers.values(), *order.rename.literals.values()]
    return any(
        lexemes(name)[start : start + len(words)] == words
        for name in names
        for start in range(len(lexemes(name)) - len(words) + 1)
    ) or any(key(name) == "".join(words) for name in names)


def _place(term: Term) -> tuple[str, str]:
    return term.kind, term.surface
