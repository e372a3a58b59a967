"""Checks of a neutral name that need neither tree nor registry: what the shipped lists and the terms say of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from neutralize.answer import Answer, Check, found
from neutralize.lists.shipped import Lists, shipped, strict_key
from neutralize.offence import offends, refused_count
from neutralize.rename import own_keys
from neutralize.reserved import KEYWORDS, keyword_of, library_of
from neutralize.spelling import key, lexemes, split_evenly, style_clashes, style_set
from neutralize.terms import OWN_NAMES
from neutralize.words import is_word
from taskpack.order import Order
from taskpack.rename import Grade, Term

RUN = 4
"""A run of so many letters that two names share is one too many."""
_SHORT = 3
"""Shorter words are in everything."""


def name_checks(name: str, *, taken: Collection[str], lists: Lists | None = None) -> tuple[Check, ...]:
    """What is known of a name by itself, every question once.

    `taken` are the products of other cases; `lists` stand in for the shipped ones.
    """
    known = lists or shipped()
    languages = keyword_of(name)
    homes = library_of(name)
    return (
        found("keyword", [f"a keyword in {language}" for language in languages], otherwise=_in_languages()),
        found("library", [f"a name of the library of {home}" for home in homes], otherwise=_in_languages()),
        _word(name, known),
        *(filter_.check(rule, name) for rule, filter_ in known.filters.items() if rule != "word"),
        known.most_used.check("near", name),
        found("cases", _other_cases(name, taken), otherwise="no other case has the name or a look-alike of it"),
        found(
            "offensive",
            ["it holds a word that offends"] if offends(name) else [],
            otherwise=f"it holds none of {refused_count()} words",
        ),
    )


def upstream_checks(order: Order, terms: Iterable[Term]) -> tuple[Check, ...]:
    """What the upstream's terms say of the order's name: shared letters and words, and all styles at once."""
    name, terms = order.product.name, tuple(terms)
    named = [term for term in terms if term.kind not in {"api-identifier", "literal"}]
    return (
        found(
            "overlap",
            [*_runs(name, named), *_words(name, terms)],
            otherwise=f"no run of {RUN} letters of it is in {len(named)} terms, no word in these or in public names",
        ),
        _styles(name, own_words(order, terms)),
    )


def own_words(order: Order, terms: Iterable[Term]) -> tuple[str, ...]:
    """The words of the upstream's own name, in the spelling that shows most of them."""
    terms = tuple(terms)
    keys = own_keys(order, terms)
    spellings = [lexemes(term.surface) for term in terms if key(term.surface) in keys and term.kind in OWN_NAMES]
    return max(spellings, key=lambda words: (len(words), words), default=("upstream",))


def _in_languages() -> str:
    return f"in none of {', '.join(KEYWORDS)}"


def _word(name: str, known: Lists) -> Check:
    if is_word(name):
        return Check(rule="word", answer=Answer.TAKEN, about="an ordinary English word")
    return known.filters["word"].check("word", name)


def _other_cases(name: str, taken: Collection[str]) -> list[str]:
    alike = sorted(other for other in taken if strict_key(other) == strict_key(name))
    return [f"another case's product is called {other}" for other in alike]


def _runs(name: str, terms: Iterable[Term]) -> list[str]:
    runs = {name[start : start + RUN] for start in range(len(name) - RUN + 1)}
    alphabetic = sorted(run for run in runs if run.isalpha())
    return [f"{run!r} is also in {term.surface!r}" for term in terms for run in alphabetic if run in key(term.surface)]


def _words(name: str, terms: Iterable[Term]) -> list[str]:
    """Words of the name that are words of a term; of own names also short ones that the name begins or ends with."""
    own = set(lexemes(name))
    facts = []
    for term in terms:
        if term.kind == "literal" or term.grade is Grade.LITERAL:
            continue
        words = {word for word in lexemes(term.surface) if len(word) >= _SHORT and word.isalpha()}
        shared = words & own
        if term.kind in {*OWN_NAMES, "org"}:
            shared |= {word for word in words if len(word) == _SHORT and (name.startswith(word) or name.endswith(word))}
        facts += [f"the word {word!r} is also in {term.surface!r}" for word in sorted(shared)]
    return facts


def _styles(name: str, source: tuple[str, ...]) -> Check:
    """All styles of the name in as many words as the upstream's has, and in one."""
    split = split_evenly(name, len(source))
    faults = style_clashes((key("".join(source)),), (name,))
    if split is None:
        faults.append(f"it cannot be split into {len(source)} words")
    elif len(source) > 1:
        faults += style_clashes(source, split)
    return found("styles", faults, otherwise=style_set(split or (name,)).render())
