"""Names for the term search that the term list does not have. The scope of the rename does not depend on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neutralize.addresses import url_traces
from neutralize.known.background import Background
from neutralize.known.collect import Collected
from neutralize.manifests import Statement
from neutralize.spelling import key, lexemes
from neutralize.terms import OWN_NAMES, grade_of
from neutralize.words import is_word
from taskpack.rename import Grade, Term

_KINDS = {"dist": "dist", "cli": "cli", "module": "import-root", "project": "project", "org": "org", "title": "project"}
_MAX_CLOSURE = 2000


def stated_terms(statements: Iterable[Statement]) -> Iterator[Term]:
    """Names of the project, its programs, its groups and its places, as manifests state them."""
    for statement in statements:
        if statement.role in _KINDS and key(statement.value):
            yield _term(statement.value, _KINDS[statement.role], statement.source)
        elif statement.role == "url":
            yield from _places(statement)
        elif statement.role == "summary" and len(statement.value.split()) >= 4:
            yield Term(surface=statement.value, grade=Grade.LITERAL, kind="literal", sources=(statement.source,))


def _places(statement: Statement) -> Iterator[Term]:
    try:
        traces = list(url_traces(statement.value))
    except ValueError:
        return
    for trace in traces:
        if key(trace.surface):
            yield _term(trace.surface, "project" if trace.kind == "repo" else trace.kind, statement.source)


def _term(surface: str, kind: str, source: str) -> Term:
    return Term(surface=surface, grade=grade_of(surface), kind=kind, sources=(source,))


def variable_terms(variables: Collected) -> Iterator[Term]:
    """Environment variables, as names between boundaries: a neutral bundle spells them with its own prefix."""
    for fact in variables.facts():
        yield Term(surface=fact.value, grade=Grade.DISTINCTIVE, kind="env-prefix", sources=(fact.source,))


def core_names(terms: Iterable[Term]) -> frozenset[str]:
    """Letters and digits of the project's own names that the search finds between boundaries only."""
    return frozenset(
        key(term.surface)
        for term in terms
        if term.kind in OWN_NAMES and term.grade in {Grade.DISTINCTIVE, Grade.GENERIC} and len(key(term.surface)) > 2
    )


def closure(core: frozenset[str], words: Collected, background: Background) -> Iterator[Term]:
    """Words of the tree's identifiers in which a core name is glued to something: `lfshttp` of `lfs`.

    English words, and words that unrelated projects use, are none of them. `words` holds lower-case lexemes.
    """
    count = 0
    for fact in words.facts():
        if count == _MAX_CLOSURE:
            return
        word = fact.value
        if any(name in word and name != word for name in core) and len(word) > 4 and _own(word, background):
            count += 1
            yield Term(surface=word, grade=Grade.IDENTIFYING, kind="project", sources=(fact.source,))


def _own(word: str, background: Background) -> bool:
    return not is_word(word) and not background.has_word(word) and len(lexemes(word)) <= 2


def merged(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Sorted by kind and surface, the places of equal ones together."""
    found: dict[tuple[str, str, Grade], set[str]] = {}
    for term in terms:
        found.setdefault((term.kind, term.surface, term.grade), set()).update(term.sources)
    return tuple(
        Term(surface=surface, grade=grade, kind=kind, sources=tuple(sorted(sources)))
        for (kind, surface, grade), sources in sorted(found.items())
    )
