"""Names taken apart into words, and put together again in every style that code and prose write them in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations, pairwise

from neutralize.fold import folded

_LEXEME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_JOINERS = ("", "_", "-", ".", " ")


def lexemes(surface: str) -> tuple[str, ...]:
    """The words of a name, lower case: split at joiners, case humps and where letters and digits meet."""
    return tuple(part.lower() for part in _LEXEME.findall(folded(surface)))


def key(surface: str) -> str:
    """The letters and digits alone, lower case: equal for all spellings of one name."""
    return "".join(lexemes(surface))


def spoken(surface: str) -> bool:
    """Whether prose may write the name in several words: it holds a space, a hyphen or an underscore itself."""
    return any(char in folded(surface) for char in " -_")


def split_evenly(name: str, count: int) -> tuple[str, ...] | None:
    """`name` in `count` pieces of about one length, each beginning with a letter; None when there is no such split."""
    free = [place for place in range(1, len(name)) if name[place].isalpha()]
    cuts = [0]
    for step in range(1, count):
        later = count - 1 - step
        open_places = [place for place in free[: len(free) - later] if place > cuts[-1]]
        if not open_places:
            return None
        cuts.append(min(open_places, key=lambda place: abs(place - round(step * len(name) / count))))
    return tuple(name[start:end] for start, end in pairwise([*cuts, len(name)]))


def respell(surface: str, words: tuple[str, ...]) -> str:
    """`words` in the exact spelling of an ASCII `surface` of as many words: its joiners, the case of each word."""
    rest = iter(words)

    def become(match: re.Match[str]) -> str:
        word, like = next(rest), match[0]
        return word.upper() if like.isupper() and len(like) > 1 else word.capitalize() if like[0].isupper() else word

    return _LEXEME.sub(become, surface)


def styles(words: tuple[str, ...], *, spaces: bool) -> tuple[str, ...]:
    """Every spelling of `words`, in an order that depends on their number alone; some may be equal to each other."""
    shapes = [
        [word.lower() for word in words],
        [word.upper() for word in words],
        [word.capitalize() for word in words],
        [words[0].lower(), *[word.capitalize() for word in words[1:]]],
        [words[0].capitalize(), *[word.lower() for word in words[1:]]],
    ]
    joiners = _JOINERS[: 1 if len(words) == 1 else 5 if spaces else 4]
    return tuple(joiner.join(shape) for joiner in joiners for shape in shapes)


@dataclass(frozen=True, kw_only=True)
class StyleSet:
    """One name in all styles at once."""

    module: str
    """Import root and distribution: the words glued."""
    snake: str
    kebab: str
    dotted: str
    pascal: str
    camel: str
    screaming: str
    cli: str
    env: str
    """What the names of environment variables begin with."""
    domain: str

    def render(self) -> str:
        return ", ".join(f"{style} {text}" for style, text in vars(self).items())


def style_set(words: tuple[str, ...]) -> StyleSet:
    """`words`, lower case, in every style."""
    kebab = "-".join(words)
    capitals = [word.capitalize() for word in words]
    return StyleSet(
        module="".join(words),
        snake="_".join(words),
        kebab=kebab,
        dotted=".".join(words),
        pascal="".join(capitals),
        camel="".join([words[0], *capitals[1:]]),
        screaming="_".join(words).upper(),
        cli=kebab,
        env=f"{'_'.join(words).upper()}_",
        domain=f"{''.join(words)}.example",
    )


def style_clashes(source: tuple[str, ...], target: tuple[str, ...]) -> list[str]:
    """Why replacing `source` by `target` in every style could not be taken back; empty when it is injective.

    What two styles write differently for `source`, they have to write differently for `target`.
    """
    ours, theirs = vars(style_set(target)), vars(style_set(source))
    return [
        f"{one} and {other} are both {ours[one]}"
        for one, other in combinations(ours, 2)
        if ours[one] == ours[other] and theirs[one] != theirs[other]
    ]
