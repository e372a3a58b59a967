"""Renaming a folder of files: contents and paths, checked to be reversible before it counts."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from environments.languages.writings import UNKNOWN, writing_of
from neutralize.classify import Kind, Reading
from neutralize.concerns import Concerns
from neutralize.lines import Lines
from neutralize.rename import invert
from neutralize.replace import Replacer, Span
from neutralize.third_party import ThirdParty, third_party
from taskpack.files import space_errors, walk
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.rename import KEPT, RenameMap

MAX_FACTS = 50
MAX_LISTED = 500


@dataclass(frozen=True, kw_only=True)
class Renamed:
    """What was done to a tree."""

    files: tuple[str, ...]
    """New paths, sorted."""
    replaced: int
    """Spans replaced, in contents and paths."""
    kinds: Mapping[str, int]
    """The same by what stood there (`classify.Kind`); kinds without a place are left out."""
    listed: tuple[Fact, ...]
    """Places that were renamed, and that a person should look at."""


@dataclass(frozen=True, kw_only=True)
class _Engines:
    forth: Replacer
    back: Replacer
    third: ThirdParty


@dataclass(kw_only=True)
class _Seen:
    """What is found out before anything is written."""

    refused: list[Fact] = field(default_factory=list)
    listed: list[Fact] = field(default_factory=list)
    kinds: Counter[Kind] = field(default_factory=Counter)


def rename_tree(
    source: Path, dest: Path, map_: RenameMap, *, keep: Callable[[str], bool] = lambda _: True, command: str = ""
) -> Renamed | Rejected:
    """Copy the files of `source` that `keep` accepts to `dest`, which does not exist yet, under the map.

    Contents are replaced in place, byte for byte elsewhere; paths follow the same map. `Rejected` with
    `MAP_NOT_INVERTIBLE` and nothing written when a target spelling is already there, a span lies inside a hash, base64,
    an escape or a name of another project that is needed, two paths meet, or taking the map back would not restore
    every byte. Inner relative links are kept. Manifests of all of `source` say which projects are others.
    """
    paths = {path.relative_to(source).as_posix(): path for path in walk(source)}
    kept = {name: path for name, path in paths.items() if keep(name) and ".git" not in PurePosixPath(name).parts}
    glued = _glued(kept)
    forth = Replacer(map_, glued=glued)
    engines = _Engines(forth=forth, back=Replacer(invert(map_), glued=glued), third=third_party(source, forth))
    seen = _Seen()
    for name, path in kept.items():
        _look(name, path, engines, seen)
    seen.refused += _meetings(kept, engines.forth)
    if seen.refused:
        return Rejected(
            stage=Stage.REFERENCE,
            reason=Reason.MAP_NOT_INVERTIBLE,
            message=f"the rename map does not fit {len(seen.refused)} places",
            evidence=tuple(seen.refused[:MAX_FACTS]),
            command=command,
        )
    with space_errors(dest):
        files = _write(kept, dest, engines.forth)
    return Renamed(
        files=files,
        replaced=seen.kinds.total(),
        kinds={kind: seen.kinds[kind] for kind in Kind if seen.kinds[kind]},
        listed=tuple(_capped(seen.listed)),
    )


def reach(tree: Path, map_: RenameMap) -> int:
    """How many places of a tree the map would rename: none in one that it has renamed."""
    paths = {path.relative_to(tree).as_posix(): path for path in walk(tree)}
    forth = Replacer(map_, glued=_glued(paths))
    texts = [(name, "") for name in paths]
    texts += [(_text(path) or "", writing_of(name).letters) for name, path in paths.items()]
    return sum(len(list(_replacing(forth.spans(text, letters=letters)))) for text, letters in texts)


def _glued(names: Iterable[str]) -> list[str]:
    return sorted({sign for name in names for sign in writing_of(name).glued})


def _capped(listed: list[Fact]) -> list[Fact]:
    left = len(listed) - MAX_LISTED
    return [*listed[:MAX_LISTED], *([Fact(what=f"{left} more places like these")] if left > 0 else [])]


def _text(path: Path) -> str | None:
    """A file's text, or None for what is left as it is."""
    if path.is_symlink():
        return path.readlink().as_posix()
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _look(name: str, path: Path, engines: _Engines, seen: _Seen) -> None:
    """A path and what lies there: what stops the rename, what a person should see, how much of what is renamed."""
    _look_at(Reading(name, UNKNOWN), name, name, engines, seen, path=True)
    text = _text(path)
    if text is not None:
        writing = UNKNOWN if path.is_symlink() else writing_of(name)
        _look_at(Reading(text, writing), text, name, engines, seen, path=False)
    seen.refused += _link_faults(name, path, text or "")


def _link_faults(name: str, path: Path, text: str) -> Iterator[Fact]:
    if path.is_symlink():
        target = PurePosixPath(text)
        inside = (path.parent / target).resolve().is_relative_to(path.parents[name.count("/")].resolve())
        if target.is_absolute() or not inside:
            yield Fact(what=f"the link points out of the tree: {target}", where=name)
    elif not path.is_file():
        yield Fact(what="neither file, folder nor link", where=name)


def _look_at(reading: Reading, text: str, name: str, engines: _Engines, seen: _Seen, *, path: bool) -> None:
    lines = Lines(text)

    def where(start: int) -> str:
        return f"{name} (path)" if path else f"{name}:{lines.number(start)}"

    letters = reading.writing.letters
    existing = list(_replacing(engines.back.spans(text, letters=letters)))
    seen.refused += (
        Fact(what=f"{span.rename.surface!r} is already there", where=where(span.start)) for span in existing
    )
    spans = engines.forth.spans(text, letters=letters)
    for concern in Concerns(name, reading, text, spans, engines.third).all() if spans else ():
        fact = Fact(what=concern.what, where=where(concern.place))
        (seen.refused if concern.refuses else seen.listed).append(fact)
    for span in _replacing(spans):
        seen.kinds[Kind.PATH if path else reading.kind(span.start)] += 1
    if not existing:
        renamed = engines.forth.apply(text, letters=letters)
        back = engines.back.apply(renamed, letters=letters)
        if back != text or engines.forth.apply(renamed, letters=letters) != renamed:
            seen.refused.append(Fact(what="taking the map back does not restore the text", where=where(0)))


def _replacing(spans: Iterable[Span]) -> Iterator[Span]:
    return (span for span in spans if span.rename.kind != KEPT)


def _meetings(kept: Mapping[str, Path], forth: Replacer) -> Iterator[Fact]:
    taken: dict[str, str] = {}
    for name in kept:
        other = taken.setdefault(forth.apply(name), name)
        if other != name:
            yield Fact(what=f"{other} and {name} would become one path", where=forth.apply(name))
        if writing_of(name) is not writing_of(forth.apply(name)):
            yield Fact(what=f"{name} would get another ending", where=forth.apply(name))


def _write(kept: Mapping[str, Path], dest: Path, forth: Replacer) -> tuple[str, ...]:
    files: list[str] = []
    dest.mkdir(parents=True)
    for name, path in kept.items():
        new = forth.apply(name)
        target = dest / new
        target.parent.mkdir(parents=True, exist_ok=True)
        text = _text(path)
        files.append(new)
        if path.is_symlink():
            target.symlink_to(forth.apply(text or ""))
            continue
        if text is None:
            shutil.copyfile(path, target)
        else:
            target.write_bytes(forth.apply(text, letters=writing_of(name).letters).encode("utf-8"))
        target.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    return tuple(sorted(files))
