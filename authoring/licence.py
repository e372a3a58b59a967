"""The licence gate: what the texts in a source say, what its metadata says, and whether both allow its use."""

from __future__ import annotations

import hashlib
import itertools
import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from authoring.claims import Claim, read_claims
from authoring.members import Member, Mode
from taskpack.outcome import Fact
from taskpack.pin import LicenceFile

log = logging.getLogger(__name__)
_NAME = re.compile(r"^(un)?(licen[cs]e|copying|notice)s?([-._ ].*)?$", re.IGNORECASE)
_FOLDERS = {"licenses", "licences"}
_NO_TEXT = {
    ".py",
    ".pyi",
    ".pyc",
    ".js",
    ".ts",
    ".go",
    ".rs",
    ".c",
    ".h",
    ".json",
    ".toml",
    ".yml",
    ".yaml",
    ".html",
}
_NO_TEXT |= {".css", ".png", ".svg", ".gif", ".jpg", ".csv", ".xml"}
_LONGEST = 512 * 1024
_POINTER = 600


@dataclass(frozen=True, kw_only=True)
class Agreed:
    """Metadata and texts say the same, and it is accepted."""

    expression: str
    files: tuple[LicenceFile, ...]


@dataclass(frozen=True, kw_only=True)
class NotAgreed:
    """Nothing found, no agreement, or a licence that is not accepted: a person has to look."""

    message: str
    evidence: tuple[Fact, ...]


def is_licence_file(path: str) -> bool:
    """Whether a file is there to state a licence or a notice."""
    place = PurePosixPath(path)
    if place.suffix.lower() in _NO_TEXT:
        return False
    return bool(_NAME.match(place.name)) or any(part.lower() in _FOLDERS for part in place.parts[:-1])


def identify(text: str) -> frozenset[str]:
    """SPDX ids of the licence texts in `text`; empty when it is mostly something else."""
    if len(text) > _LONGEST:
        return frozenset()
    from licenseclassifier import identify_license  # noqa: PLC0415 (loads a corpus when imported)

    try:
        return frozenset(match.id for match in identify_license(text))
    except Exception:  # a text that the classifier trips over is a text that nobody recognised
        log.warning("the licence classifier failed on a text of %d characters", len(text), exc_info=True)
        return frozenset()


def judge_licence(members: Sequence[Member], *, accepted: Collection[str]) -> Agreed | NotAgreed:
    """Compare every LICENSE, COPYING and NOTICE with the metadata, and both with `accepted` SPDX ids."""
    texts = {item.path: item.data for item in members if item.mode is not Mode.LINK and is_licence_file(item.path)}
    ids = {path: identify(data.decode("utf-8", "replace")) for path, data in texts.items()}
    files = tuple(
        LicenceFile(path=path, sha256=hashlib.sha256(data).hexdigest(), detected=" AND ".join(sorted(ids[path])))
        for path, data in sorted(texts.items(), key=lambda item: item[0].encode())
    )
    claims = read_claims(members, identify=identify)
    found = frozenset(itertools.chain.from_iterable(ids.values()))
    seen = (
        *_seen(files),
        *(Fact(what=f"metadata says `{claim.text}`", where=claim.where) for claim in claims),
    )

    def no(message: str, *more: Fact) -> NotAgreed:
        return NotAgreed(message=message, evidence=(*more, *seen))

    if not files:
        return no("no licence text was found", Fact(what="no LICENSE, COPYING or NOTICE file in the source"))
    strangers = _strangers(texts, ids)
    if strangers:
        return no("a licence text is not recognised", *(Fact(what="unknown text", where=path) for path in strangers))
    if not claims:
        return no(
            "the metadata names no licence",
            Fact(what="no expression, no classifier, no licence file is named"),
        )
    doubts = _doubts(claims, found)
    if doubts:
        return no("metadata and licence texts do not agree", *doubts)
    allowed = found & frozenset(accepted)
    if not all(claim.covered_by(allowed) for claim in claims):
        unwanted = ", ".join(sorted(found - allowed))
        return no(
            f"the licence is not accepted: {unwanted}",
            Fact(what=f"accepted are {', '.join(sorted(accepted))}"),
        )
    exact = [claim.expression for claim in claims if claim.expression]
    return Agreed(expression=exact[0] if exact else " AND ".join(sorted(found)), files=files)


def _seen(files: Sequence[LicenceFile]) -> tuple[Fact, ...]:
    return tuple(
        Fact(
            what=f"text of {file.detected}" if file.detected else "no licence text recognised",
            where=file.path,
        )
        for file in files
    )


def _strangers(texts: dict[str, bytes], ids: dict[str, frozenset[str]]) -> tuple[str, ...]:
    """Texts that may say anything: neither recognised, nor a notice, nor a pointer to a recognised text."""
    known = [PurePosixPath(path).name.encode() for path, found in ids.items() if found]
    return tuple(
        path
        for path in sorted(texts)
        if not ids[path]
        and not PurePosixPath(path).name.lower().startswith("notice")
        and not (len(texts[path]) <= _POINTER and any(name in texts[path] for name in known))
    )


def _doubts(claims: Sequence[Claim], found: frozenset[str]) -> tuple[Fact, ...]:
    doubts: list[Fact] = []
    for claim in claims:
        if not claim.alternatives:
            doubts.append(Fact(what=f"`{claim.text}` is no licence that we know", where=claim.where))
        elif not claim.covered_by(found):
            doubts.append(Fact(what=f"`{claim.text}` has no text in the source", where=claim.where))
        elif found - claim.named:
            more = ", ".join(sorted(found - claim.named))
            doubts.append(Fact(what=f"`{claim.text}` leaves out {more}, whose text is there", where=claim.where))
    return tuple(doubts)
