"""Names for products, made up or put together of two words. Whether one can be used, `names` decides."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import count

from neutralize.words import WORDS, listed

_ONSETS = sorted(listed("b br c cl d dr f fl g gl gr h j k l m n p pl pr qu r s sl st t tr v w z"))
_VOWELS = sorted(listed("a e i o u"))
_MIDDLES = sorted(listed("b d l lm ld m mb n nd nt r rd rl rm rn s st t v"))
_ENDS = sorted(listed("l ld m n nd r rn sk st t x"))
_SUFFIXES = sorted(listed("a an ar el en er ic id il in is ix on or um us"))
_WORD = 4
"""Words of fewer letters are in everything."""
_FIRST = sorted(
    listed(
        """
        amber ample blunt brass brisk chalk civic crisp dusky early faint frosty fresh grand hazel ivory jolly keen
        level linen lunar maple mellow misty mossy noble ochre olive plain polar quiet rapid ready rural rustic sandy
        satin silver solid spruce steady stone stout sunny swift tidal topaz umber upper urban velvet vivid warm
        woven calm cozy dark deep fair firm gold gray iron kind lean long mild neat open pale pine pure rare rosy
        ruby safe slow soft tall teal tidy true warm wide wild wise zinc copper golden hidden humble narrow simple
        """
    )
)
_SECOND = sorted(
    listed(
        """
        acorn arbor basin bench birch bower brook cairn canal cedar cliff cloak crane creek crest delta depot dial
        easel fence ferry field fjord forge frame gable glade grove hatch haven hedge inlet kiosk knoll latch ledge
        lodge loom manor marsh mason meadow mill nook orchard otter panel patio perch pier plaza pond porch prairie
        quarry quay quill ravine reef ridge rivet river shelf shore sickle slate spool stair steppe stile tower trail
        trellis tunnel valley vault veldt wharf wheel yard barn bell cove dell dune farm fern gate glen hill isle
        kiln lake lane lawn mast moor moss nest oven path peak raft roof sail seam tarn tile vale weir wick basket
        bridge canopy castle cellar harbor island ladder lagoon mosaic garden pillar saddle summit thicket
        """
    )
)


class Kind(StrEnum):
    """How a name is made."""

    COINED = "coined"
    """Spoken syllables that hold no word: they tell nothing."""
    WORDS = "words"
    """Two ordinary words: easier to remember."""


def coined(seed: str) -> Iterator[str]:
    """Names without end; one seed gives the same ones anywhere. Nothing of the seed can be read from them."""
    for digits in _draws(seed):
        parts = (_ONSETS, _VOWELS, _MIDDLES, _VOWELS, _ENDS, _SUFFIXES)
        name = "".join(part[digit % len(part)] for part, digit in zip(parts, digits, strict=False))
        if not any(_holds_word(name[start:]) for start in range(len(name))):
            yield name


def worded(seed: str) -> Iterator[str]:
    """Names of two words of one length, so that splitting the name in two gives the words back."""
    for digits in _draws(f"words\n{seed}"):
        first = _FIRST[int.from_bytes(digits[:4], "big") % len(_FIRST)]
        fitting = [word for word in _SECOND if len(word) == len(first)]
        yield first + fitting[int.from_bytes(digits[4:8], "big") % len(fitting)]


GENERATORS: dict[Kind, Callable[[str], Iterator[str]]] = {Kind.COINED: coined, Kind.WORDS: worded}


def _draws(seed: str) -> Iterator[bytes]:
    for number in count():
        yield hashlib.sha256(f"{seed}\n{number}".encode()).digest()


def _holds_word(text: str) -> bool:
    return any(text[:end] in WORDS for end in range(_WORD, len(text) + 1))
