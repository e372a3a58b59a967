"""NEU-COPIES: the environment of the product holds no copy of it, but for what the denylist covers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from environments.denied import SITE, look
from environments.interface import Launch, Limits, Mount
from judge.subject import Around, Subject
from neutralize.copies.fingerprint import fingerprint
from neutralize.copies.search import Copy, Searched
from taskpack.denylist import read_denylist
from taskpack.errors import SandboxFailed
from taskpack.files import file_digest, tree_digest
from taskpack.gate import Gate, GateResult, failed, passed, skipped
from taskpack.layout import CaseFolder
from taskpack.receipt import Input

_PLACE = "/opt/search"
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from copies.inside import main; main()"
_HERE = Path(__file__).resolve().parent
_ANSWERS: dict[tuple[str, Path | None, bytes, tuple[str, ...]], Searched] = {}
"""Of this process. Bases and built environments do not change, and the search takes half a minute."""
_SHOWN = 30


def check_copies(subject: Subject) -> GateResult:
    """The reference is the upstream under other names, and its code is looked for whatever it is called."""
    if subject.around is None:
        return skipped("there is no environment to look at")
    preview = subject.around.preview
    if preview and subject.around.site is None:
        return skipped("the product needs no packages, and a preview base is the host's toolchain, not the task's")
    roots = (SITE,) if preview else ()
    searched = copies_around(subject.around, fingerprint(subject.reference).to_bytes(), roots)
    covered = _covered(subject.case, subject.around) if searched.copies else ()
    standing = [copy for copy in searched.copies if not _is_covered(copy, covered)]
    notes = [f"not read: {fact}" for fact in searched.unread]
    notes += ["the preview base was not searched: it is the host's toolchain"] if preview else []
    notes += [] if searched.compiled else ["the product has too few words of its own to know it when it is compiled"]
    inputs = _inputs(subject, subject.around)
    if standing or searched.unread:
        return failed(
            f"the environment holds {len(standing)} copies of the product, {len(searched.unread)} files were not read",
            evidence=[*(copy.render() for copy in standing), *notes][:_SHOWN],
            inputs=inputs,
        )
    told = [f"banned: {copy.render()}" for copy in searched.copies]
    return passed(f"no copy in {searched.files} files", evidence=[*told, *notes][:_SHOWN], inputs=inputs)


def copies_around(around: Around, known: bytes, roots: Sequence[str] = ()) -> Searched:
    """The search, made inside the product's sandbox, in `roots` or in all of it; places begin at its root.

    Raises `SandboxFailed`.
    """
    key = (around.sandbox.base, around.site, known, tuple(roots))
    if key not in _ANSWERS:
        _ANSWERS[key] = _searched(around, known, roots)
    return _ANSWERS[key]


def _searched(around: Around, known: bytes, roots: Sequence[str]) -> Searched:
    mounts = [Mount(source=_HERE, dest=f"{_PLACE}/copies")]
    mounts += [Mount(source=around.site, dest=SITE)] if around.site else []
    argv = [around.sandbox.python, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, _PLACE, *roots]
    launch = Launch(argv=argv, mounts=mounts, env={"LANG": "C.UTF-8"}, limits=Limits(wall_s=600))
    done = around.sandbox.run(launch, stdin=known)
    try:
        told = json.loads(done.stdout)
        copies = tuple(Copy(**{**one, "evidence": tuple(one["evidence"])}) for one in told.pop("copies"))
        return Searched(copies=copies, unread=tuple(told.pop("unread")), **told)
    except (ValueError, TypeError, KeyError) as error:
        raise SandboxFailed(
            "the search for copies did not come to its end",
            details={"exit": str(done.exit_code), "stderr": done.stderr.decode("utf-8", "replace")[-400:]},
            remedy="run the same command again",
        ) from error


def _covered(case: CaseFolder, around: Around) -> tuple[str, ...]:
    """Places that the denylist's masks cover, or that are taken out of the product's packages."""
    if not case.denylist.is_file():
        return ()
    return tuple(one.path for one in look(read_denylist(case.denylist), sandbox=around.sandbox, site=around.site))


def _is_covered(copy: Copy, covered: tuple[str, ...]) -> bool:
    return any(copy.place == path or copy.place.startswith((f"{path}/", f"{path}!")) for path in covered)


def _inputs(subject: Subject, around: Around) -> tuple[Input, ...]:
    case = subject.case
    site = around.site.name if around.site else "none"
    return (
        Input(name="reference", digest=tree_digest(subject.reference)),
        Input(name="environment", digest=f"{around.sandbox.base} {site}"),
        *((Input(name="denylist", digest=file_digest(case.denylist)),) if case.denylist.is_file() else ()),
    )


GATE: Gate[Subject] = Gate(
    code="NEU-COPIES",
    holds="No file of the product's environment holds the product's code under whatever names, but what is banned.",
    version=1,
    cost=30,
    check=check_copies,
    remedy="Ban the package in source/denylist.json, or leave out what brings it.",
    optional=True,
)
