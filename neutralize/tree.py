"""Renaming a folder of files: contents and paths, checked to be reversible before it counts."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from neutralize.rename import invert
from neutralize.replace import Replacer
from taskpack.files import space_errors, walk
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.rename import RenameMap

MAX_FACTS = 50


@dataclass(frozen=True, kw_only=True)
class Renamed:
    """What was done to a tree."""

    files: tuple[str, ...]
    """New paths, sorted."""
    replaced: int
    """Spans replaced, in contents and paths."""


@dataclass(frozen=True, kw_only=True)
class _Engines:
    forth: Replacer
    back: Replacer


def rename_tree(
    source: Path, dest: Path, map_: RenameMap, *, keep: Callable[[str], bool] = lambda _: True, command: str = ""
) -> Renamed | Rejected:
    """Copy the files of `source` that `keep` accepts to `dest`, which does not exist yet, under the map.

    Contents are replaced in place, byte for byte elsewhere; paths follow the same map. `Rejected` with
    `MAP_NOT_INVERTIBLE` and nothing written when a target spelling is already there, a span lies inside a hash or
    base64, two paths meet, or taking the map back would not restore every byte. Inner relative links are kept.
    """
    engines = _Engines(forth=Replacer(map_), back=Replacer(invert(map_)))
    paths = {path.relative_to(source).as_posix(): path for path in walk(source)}
    kept = {name: path for name, path in paths.items() if keep(name) and ".git" not in PurePosixPath(name).parts}
    facts = [fact for name, path in kept.items() for fact in _faults(name, path, engines)]
    facts += _meetings(kept, engines.forth)
    if facts:
        return Rejected(
            stage=Stage.REFERENCE,
            reason=Reason.MAP_NOT_INVERTIBLE,
            message=f"the rename map cannot be taken back on {len(facts)} places",
            evidence=tuple(facts[:MAX_FACTS]),
            command=command,
        )
    with space_errors(dest):
        return _write(kept, dest, engines.forth)


def _text(path: Path) -> str | None:
    """A file's text, or None for what is left as it is."""
    if path.is_symlink():
        return path.readlink().as_posix()
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _faults(name: str, path: Path, engines: _Engines) -> Iterator[Fact]:
    yield from _text_faults(name, name, engines, line=False)
    text = _text(path)
    if text is not None:
        yield from _text_faults(text, name, engines, line=True)
    if path.is_symlink():
        target = PurePosixPath(text or "")
        inside = (path.parent / target).resolve().is_relative_to(path.parents[name.count("/")].resolve())
        if target.is_absolute() or not inside:
            yield Fact(what=f"the link points out of the tree: {target}", where=name)
    elif not path.is_file():
        yield Fact(what="neither file, folder nor link", where=name)


def _text_faults(text: str, name: str, engines: _Engines, *, line: bool) -> Iterator[Fact]:
    def where(start: int) -> str:
        return f"{name}:{text.count(chr(10), 0, start) + 1}" if line else f"{name} (path)"

    existing = engines.back.spans(text)
    for span in existing:
        yield Fact(what=f"{span.rename.surface!r} is already there", where=where(span.start))
    for span in engines.forth.spans(text):
        if span.opaque:
            yield Fact(what=f"{text[span.start : span.end]!r} lies inside a hash or base64", where=where(span.start))
    renamed = engines.forth.apply(text)
    if not existing and (engines.back.apply(renamed) != text or engines.forth.apply(renamed) != renamed):
        yield Fact(what="taking the map back does not restore the text", where=where(0))


def _meetings(kept: dict[str, Path], forth: Replacer) -> Iterator[Fact]:
    taken: dict[str, str] = {}
    for name in kept:
        other = taken.setdefault(forth.apply(name), name)
        if other != name:
            yield Fact(what=f"{other} and {name} would become one path", where=forth.apply(name))


def _write(kept: dict[str, Path], dest: Path, forth: Replacer) -> Renamed:
    files: list[str] = []
    replaced = 0
    dest.mkdir(parents=True)
    for name, path in kept.items():
        new = forth.apply(name)
        target = dest / new
        target.parent.mkdir(parents=True, exist_ok=True)
        text = _text(path)
        files.append(new)
        spans = [*forth.spans(name), *forth.spans(text or "")]
        replaced += len(spans)
        if path.is_symlink():
            target.symlink_to(forth.apply(text or ""))
        elif text is None:
            shutil.copyfile(path, target)
        else:
            target.write_bytes(forth.apply(text).encode("utf-8"))
        if not path.is_symlink():
            target.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    return Renamed(files=tuple(sorted(files)), replaced=replaced)
