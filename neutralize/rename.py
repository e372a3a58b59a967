"""The rename map: made from the author's order and the term list, injective, and safe to take back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neutralize.fold import folded
from neutralize.replace import Replacer
from neutralize.spelling import key, lexemes, respell, split_evenly, spoken, styles
from neutralize.terms import OWN_NAMES
from taskpack.order import GitSource, Order
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.rename import KEPT, Grade, Rename, RenameMap, Term


def build_map(order: Order, terms: Iterable[Term]) -> RenameMap | Rejected:
    """The rename map, longest surface first.

    What the author chose wins over what follows from the terms; what `rename.kept` of the order names has an entry that
    replaces nothing. `Rejected` with `MAP_NOT_INVERTIBLE` when two surfaces
    get one replacement, or a replacement would be renamed again, or could not be taken back by itself.
    """
    chosen: dict[str, Rename] = {}
    for rename in [*_tables(order), *_derived(order, tuple(terms))]:
        if rename.surface and (rename.kind == KEPT or rename.surface != rename.replacement):
            chosen.setdefault(rename.surface, rename)
    map_ = RenameMap(renames=_longest_first(chosen.values()))
    faults = tuple(_faults(map_, order))
    if faults:
        return Rejected(
            stage=Stage.NAMES,
            reason=Reason.MAP_NOT_INVERTIBLE,
            message=f"{len(faults)} renames cannot be taken back",
            evidence=faults,
            command=f"repowright author {order.case_id}",
        )
    return map_


def invert(map_: RenameMap) -> RenameMap:
    """The map that takes every rename back."""
    turned = (Rename(surface=r.replacement, replacement=r.surface, kind=r.kind) for r in map_.renames)
    return RenameMap(renames=_longest_first(turned))


def _longest_first(renames: Iterable[Rename]) -> tuple[Rename, ...]:
    return tuple(sorted(renames, key=lambda rename: (-len(rename.surface), rename.surface)))


def _tables(order: Order) -> Iterator[Rename]:
    for name in order.rename.kept:
        yield Rename(surface=name, replacement=name, kind=KEPT)
    for surface, replacement in order.rename.identifiers.items():
        yield Rename(surface=surface, replacement=replacement, kind="identifier")
    for surface, replacement in order.rename.literals.items():
        yield Rename(surface=surface, replacement=replacement, kind="literal")


def _derived(order: Order, terms: tuple[Term, ...]) -> Iterator[Rename]:
    """Neutral stand-ins for everything in the term list that is not the author's own choice."""
    name = order.product.name
    own = own_keys(order, terms)
    yield from _spelled(_family(terms, own), tuple(split_evenly(name, n) or () for n in range(1, 9)))
    groups = [term for term in terms if term.kind in {*OWN_NAMES, "org"} and not _holds(term, own)]
    for number, family in enumerate(_families(groups), start=1):
        yield from _spelled(family, _pieces(name, f"team{_suffix(number)}"))
    persons = [term for term in terms if term.kind == "person" and not _holds(term, own)]
    for number, family in enumerate(_families(persons), start=1):
        yield from _spelled(family, _pieces(name, f"author{_suffix(number)}"))
    for kind, form in (("email", "mail{}@{}.example"), ("host", "{1}{0}.example"), ("url", "code{}.{}.example")):
        surfaces = [term.surface for term in terms if term.kind == kind]
        for number, surface in enumerate(surfaces, start=1):
            yield Rename(surface=surface, replacement=form.format(_suffix(number), name), kind="name")
    taglines = [term.surface for term in terms if term.kind == "literal" and term.surface not in order.rename.literals]
    for surface in taglines[:1]:
        yield Rename(surface=surface, replacement=order.product.summary, kind="literal")


def own_keys(order: Order, terms: Iterable[Term]) -> frozenset[str]:
    """The letters of the names that become the product's name: the import roots', else the distribution's."""
    source = order.source
    dist = (
        source.url.rstrip("/").rpartition("/")[2].removesuffix(".git") if isinstance(source, GitSource) else source.name
    )
    roots = {key(term.surface) for term in terms if term.kind == "import-root"}
    if key(dist) in roots or not roots:
        return frozenset({key(dist)})
    return frozenset(roots if len(roots) == 1 else {min(roots, key=lambda root: (root not in key(dist), root))})


def _holds(term: Term, keys: frozenset[str]) -> bool:
    """Whether a name holds the product's: `python-NAME` follows when NAME is renamed."""
    return any(letters in key(term.surface) for letters in keys)


def _family(terms: Iterable[Term], keys: frozenset[str]) -> tuple[Term, ...]:
    return tuple(term for term in terms if key(term.surface) in keys and term.kind in {*OWN_NAMES, "org", "person"})


def _families(terms: Iterable[Term]) -> list[tuple[Term, ...]]:
    """Terms that are spellings of one name, together; in the order of their letters."""
    grouped: dict[str, list[Term]] = {}
    for term in terms:
        grouped.setdefault(key(term.surface), []).append(term)
    return [tuple(grouped[letters]) for letters in sorted(grouped)]


def _pieces(name: str, role: str) -> tuple[tuple[str, ...], ...]:
    """`name` and `role` as one word, as two, as three and so on; unlike what follows from renaming "NAME role"."""
    return ((name + role,), *((f"{name}ian", *["any"] * extra, role) for extra in range(7)))


def _suffix(number: int) -> str:
    return "" if number == 1 else str(number)


def _spelled(family: tuple[Term, ...], replacements: tuple[tuple[str, ...], ...]) -> Iterator[Rename]:
    """Every spelling of a family's name. The replacement has as many words, so that styles stay apart."""
    if not family:
        return
    kind = "name" if all(term.grade is Grade.IDENTIFYING for term in family) else "word"
    finest = max(family, key=lambda term: (len(lexemes(term.surface)), spoken(term.surface), term.surface))
    words = lexemes(finest.surface)
    for count in dict.fromkeys((len(words), 1)):
        source = words if count > 1 else (key(finest.surface),)
        target = replacements[count - 1] if count <= len(replacements) else ()
        if not target:
            continue
        spaces = spoken(finest.surface)
        for surface, replacement in zip(styles(source, spaces=spaces), styles(target, spaces=spaces), strict=True):
            yield Rename(surface=surface, replacement=replacement, kind=kind)
    for term in family:
        target = replacements[len(lexemes(term.surface)) - 1]
        if folded(term.surface) != term.surface:
            yield Rename(surface=term.surface, replacement=" ".join(target).title() + "native", kind=kind)
        else:
            yield Rename(surface=term.surface, replacement=respell(term.surface, target), kind=kind)


def _faults(map_: RenameMap, order: Order) -> Iterator[Fact]:
    """Renames that are not injective, are renamed again, or do not come back."""
    owner: dict[str, str] = {}
    for rename in map_.renames:
        other = owner.setdefault(rename.replacement, rename.surface)
        if other != rename.surface:
            yield Fact(what=f"{other!r} and {rename.surface!r} both become {rename.replacement!r}", where="map")
    if all(rename.kind == KEPT for rename in map_.renames):
        yield Fact(what="nothing to rename: the sources show no name", where=order.case_id)
        return
    forth, back = Replacer(map_), Replacer(invert(map_))
    for rename in map_.renames:
        if rename.kind == KEPT:
            continue
        again = forth.apply(rename.replacement)
        if again != rename.replacement:
            yield Fact(what=f"{rename.replacement!r}, for {rename.surface!r}, would become {again!r}", where="map")
        elif back.apply(rename.replacement) != rename.surface or back.apply(rename.surface) != rename.surface:
            yield Fact(what=f"{rename.surface!r} -> {rename.replacement!r} does not come back", where="map")
