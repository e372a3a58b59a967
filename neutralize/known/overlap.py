"""How much of the upstream's text a bundle still holds: shared runs, the longest copy, literals and names kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from neutralize.known.compare import CODE_LONG, LONG, SHORT, Backdrop, Characters, Comparison, Copied, Share
from neutralize.known.facts import Known
from neutralize.known.lexing import is_code
from neutralize.known.needle_set import NeedleSet, stands_alone
from taskpack.record import Part, Record

_LISTED = 50


class OverlapLimits(Part):
    """What a bundle may share with its upstream."""

    prose_percent: float = 0.1
    """Of word 8-grams of prose."""
    code_percent: float = 1.0
    """Of 32-grams of code tokens in which all names are alike."""
    run_characters: int = 100
    """The longest copied run of prose is shorter."""
    run_tokens: int = 60
    """The longest copied run of code tokens is shorter."""


class Overlap(Record):
    """The figures of one comparison. The same texts give the same bytes."""

    prose: Share
    code: Share
    """Words of source files, comments with them."""
    code_tokens: Share
    """Tokens of source files, all names alike, no comments."""
    longest_prose: Copied | None
    longest_code: Copied | None
    """In characters."""
    longest_tokens: Copied | None
    copied: tuple[Copied, ...]
    """Stretches of at least 13 words of prose, longest first, at most 50."""
    copied_in_all: int
    words: int
    literals: tuple[str, ...]
    """Distinctive literals of the upstream that are left."""
    literals_rate: float
    """Places of them in 10,000 words."""
    identifiers: tuple[str, ...]
    identifiers_rate: float
    exceeded: tuple[str, ...]
    """Limits that do not hold, with the figures."""


def overlap(
    text_files: Mapping[str, str],
    upstream_files: Mapping[str, str],
    *,
    background: Iterable[str] = (),
    cited: Iterable[str] = (),
    known: Known | None = None,
    limits: OverlapLimits | None = None,
) -> Overlap:
    """Compare a bundle's texts with its upstream's, both by path.

    Runs that stand in three texts of `background` or in one of `cited`, the standards, do not count as shared; the
    longest copies are taken as they are. With `known`, what is left of its literals and identifiers is counted.
    """
    limits = limits or OverlapLimits()
    backdrop = Backdrop(texts=tuple(background), cited=tuple(cited))
    prose = {path: text for path, text in text_files.items() if not is_code(path)}
    code = {path: text for path, text in text_files.items() if is_code(path)}
    words = Comparison(upstream_files, backdrop, code=False)
    tokens = Comparison({path: text for path, text in upstream_files.items() if is_code(path)}, backdrop, code=True)
    characters = Characters(upstream_files)
    in_prose, in_code, in_tokens = words.shared(prose), words.shared(code), tokens.shared(code)
    copied, copied_in_all = words.stretches(prose, in_prose, most=_LISTED)
    count = len(in_prose.sequence.numbers) + len(in_code.sequence.numbers) - len(text_files)
    literals, literal_places = _left(text_files, [fact.value for fact in known.literals] if known else [])
    names, name_places = _left(text_files, [name.value for name in known.identifiers] if known else [])
    found = Overlap(
        prose=in_prose.share,
        code=in_code.share,
        code_tokens=in_tokens.share,
        longest_prose=characters.longest(prose),
        longest_code=characters.longest(code),
        longest_tokens=tokens.longest(code, in_tokens),
        copied=copied,
        copied_in_all=copied_in_all,
        words=count,
        literals=literals,
        literals_rate=_rate(literal_places, count),
        identifiers=names,
        identifiers_rate=_rate(name_places, count),
        exceeded=(),
    )
    return found.model_copy(update={"exceeded": exceeded(found, limits)})


def exceeded(found: Overlap, limits: OverlapLimits) -> tuple[str, ...]:
    """Which limits do not hold."""
    said = []
    if found.prose.short_percent > limits.prose_percent:
        said.append(f"{found.prose.short_percent} % of the prose's word {SHORT}-grams, limit {limits.prose_percent} %")
    if found.copied_in_all:
        said.append(f"{found.copied_in_all} stretches of {LONG} words and more in prose, limit 0")
    if found.code_tokens.long_percent > limits.code_percent:
        share = found.code_tokens.long_percent
        said.append(f"{share} % of the code's {CODE_LONG}-grams with all names alike, limit {limits.code_percent} %")
    if found.longest_prose and found.longest_prose.length >= limits.run_characters:
        said.append(f"{found.longest_prose.length} characters of prose in one run, limit {limits.run_characters}")
    if found.longest_tokens and found.longest_tokens.length >= limits.run_tokens:
        said.append(f"{found.longest_tokens.length} tokens of code in one run, limit {limits.run_tokens}")
    if found.literals:
        said.append(f"{len(found.literals)} distinctive literals, limit 0")
    return tuple(said)


def _left(files: Mapping[str, str], values: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """Which of the values stand in the files by themselves, and at how many places."""
    needles = NeedleSet((value, value) for value in values)
    found: set[str] = set()
    places = 0
    for text in files.values():
        for value, start, end in needles.places(text):
            if stands_alone(text, start, end):
                found.add(value)
                places += 1
    return tuple(sorted(found)), places


def _rate(places: int, words: int) -> float:
    return round(10_000 * places / words, 2) if words else 0.0
