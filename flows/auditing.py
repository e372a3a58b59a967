"""What an audit is pointed at, and what is known of its source: from the case, the git store, a tree or a term list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from authoring.arrival import store_for
from authoring.gitstore import has_commit
from authoring.pin import checkout_pin
from flows.settings import Settings
from neutralize.audit import run as audit_run
from neutralize.audit.layout import MANIFEST, NAMES, ORDER, case_roots
from neutralize.audit.purpose import is_names, sensitive_terms
from neutralize.audit.report import AuditInput, AuditReport, Kind, Mode
from neutralize.audit.run import Source, Subject, facts
from neutralize.audit.termlists import read_terms, terms_of
from neutralize.authored import FILE as TERMS_FILE
from neutralize.authored import Kept, read_authored
from neutralize.deep import deep_items
from neutralize.known.facts import Known
from neutralize.known.stored import gaps
from neutralize.terms import derive_terms
from neutralize.waivers import FILE as WAIVERS_FILE
from neutralize.waivers import Waivers, read_waivers
from taskpack.errors import BadInput
from taskpack.files import file_digest, tree_digest, walk
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.order import read_order
from taskpack.pin import Pin
from taskpack.rename import Names, Term
from taskpack.scratch import temporary_folder

CHECKED_OUT = ".audit-"
"""Start of the name of a folder that a pin is checked out to."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the user gave."""

    what: str
    """Id of a case, or a path."""
    tree: Path | None = None
    terms: Path | None = None
    waivers: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Aim:
    """What is audited, and the case of ours that it is or holds."""

    path: Path
    name: str
    kind: Kind | None
    case: CaseFolder | None
    waivers_file: Path | None

    @property
    def project(self) -> str:
        """What keyed hashes of shareable reports are of: the case, else what the path is called."""
        return self.case.id if self.case else self.name

    @property
    def decisions(self) -> Waivers:
        return read_waivers(self.waivers_file) if self.waivers_file else Waivers(waivers=())


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """An audit that can be run."""

    aim: Aim
    source: Source

    def report(self, *, today: dt.date) -> AuditReport:
        """Run it."""
        aim = self.aim
        subject = Subject(path=aim.path, name=aim.name, kind=aim.kind, case=aim.case, waivers=aim.decisions)
        return audit_run.run(subject, self.source, today=today)


def today() -> dt.date:
    """The day on which waivers hold or do not."""
    return dt.datetime.now(tz=dt.UTC).date()


@contextmanager
def prepared(settings: Settings, asked: Asked, *, creating: bool = False) -> Iterator[Prepared]:
    """Find out what `asked` is and what is known of it. The pinned tree is there for the body.

    Raises `BadInput` for what cannot be audited or read, `RecordUnreadable` for a damaged record of ours.
    """
    aim = _aim(settings, asked, creating=creating)
    with _tree(aim, asked, settings.work) as pinned:
        yield Prepared(aim=aim, source=_source(aim, asked, pinned))


def _aim(settings: Settings, asked: Asked, *, creating: bool) -> Aim:
    if "/" not in asked.what and (settings.cases / asked.what / ORDER).is_file():
        case: CaseFolder | None = settings.case(asked.what)
        path = settings.cases / asked.what
        kind: Kind | None = Kind.CASE
    else:
        path = _path(settings, asked.what)
        kind = Kind.CASE if (path / ORDER).is_file() else None
        case = CaseFolder(root=path) if kind else _held_case(path)
    waivers = asked.waivers or (case.provenance / WAIVERS_FILE if case else None)
    if asked.waivers and not creating and not asked.waivers.is_file():
        raise BadInput(
            f"{asked.waivers} is not there", details={"flag": "--waivers"}, remedy="name a file of waivers, or leave it"
        )
    return Aim(path=path, name=path.name, kind=kind, case=case, waivers_file=waivers)


def _path(settings: Settings, what: str) -> Path:
    given = Path(what)
    if not what or not given.exists():
        known = sorted(path.parent.name for path in settings.cases.glob("*/order.toml"))
        raise BadInput(
            f"there is neither a case nor a path {what!r}",
            details={"cases": ", ".join(known) or "none", "in": str(settings.cases)},
            remedy="name a case, a folder, or an archive",
        )
    path = given.resolve()
    if not path.is_dir() and not path.is_file():
        raise BadInput(f"{what} is neither folder nor file", remedy="name a case, a folder, or an archive")
    if path.is_dir() and next(walk(path), None) is None:
        raise BadInput(f"{what} is empty", remedy="name a folder with files: where nothing is, nothing was looked at")
    return path


def _held_case(path: Path) -> CaseFolder | None:
    """The one case of ours that lies in a bundle's folder."""
    found = sorted(order.parent for order in path.glob(f"*/{ORDER}")) if path.is_dir() else []
    return CaseFolder(root=found[0]) if len(found) == 1 and (found[0] / NAMES).is_file() else None


@dataclass(frozen=True, kw_only=True)
class _Pinned:
    """The pinned files, where they are at hand."""

    tree: Path | None = None
    repository: Path | None = None
    scratch: Path | None = None
    digest: str = ""
    note: str = ""


@contextmanager
def _tree(aim: Aim, asked: Asked, work: WorkFolder) -> Iterator[_Pinned]:
    """The pinned files: of `--tree`, else of the git store when it has them."""
    if asked.tree is not None and (not asked.tree.is_dir() or next(walk(asked.tree), None) is None):
        raise BadInput(
            f"{asked.tree} is no folder with files",
            details={"flag": "--tree"},
            remedy="name the folder that holds the source's files at the pinned commit",
        )
    pin = Pin.from_bytes(aim.case.pin.read_bytes(), where=str(aim.case.pin)) if _has_pin(aim.case) else None
    store = store_for(work, pin.source) if pin else None
    stored = pin is not None and store is not None and store.is_dir() and has_commit(store, pin.commit)
    if asked.tree is None and not stored:
        yield _Pinned(note=_absent(aim.case) if pin and aim.case else "")
        return
    with temporary_folder(work.git, prefix=CHECKED_OUT) as scratch:
        repository = store if stored else None
        if asked.tree is not None:
            tree, digest, note = asked.tree.resolve(), tree_digest(asked.tree), "the source: the folder of --tree"
        else:
            assert pin is not None  # noqa: S101 (it is stored)
            tree, digest, note = scratch / "tree", pin.digest(), "the source: the pin in the git store"
            checkout_pin(pin, work=work, dest=tree)
        yield _Pinned(tree=tree, repository=repository, scratch=scratch, digest=digest, note=note)


def _has_pin(case: CaseFolder | None) -> TypeGuard[CaseFolder]:
    return case is not None and case.pin.is_file()


def _absent(case: CaseFolder) -> str:
    again = f"repowright author {case.id} --until pin"
    return f"the pin is not in the git store; with it more is found: {again}, or --tree DIR"


def _source(aim: Aim, asked: Asked, pinned: _Pinned) -> Source:
    gathered, known = _Gathered(), None
    order = read_order(aim.case.order) if aim.case else None
    if pinned.tree is not None:
        gathered.take(derive_terms(pinned.tree, order), "the pinned files")
        known = facts(pinned.tree, pinned.repository, gathered.terms)
        gathered.take(known.terms if known else (), "their other manifests, variables and compounds")
        gathered.input("pin", pinned.digest)
        if not gathered.terms:
            raise BadInput(
                "the pinned files show no name",
                details={"folder": str(asked.tree or "git store")},
                remedy="name the root folder of the source, which has its manifest, or give --terms",
            )
    if asked.terms is not None:
        gathered.take(read_terms(asked.terms), "the list of --terms")
        gathered.input("terms", file_digest(asked.terms))
    if aim.case is not None and aim.case.names.is_file():
        names = Names.from_bytes(aim.case.names.read_bytes(), where=str(aim.case.names))
        gathered.names = names
        gathered.take(names.terms, "names.json")
        gathered.input("names", names.digest())
    elif aim.case is None:
        gathered.take(_carried(aim.path), "what it carries itself")
    if known is None and aim.case is not None and aim.case.known.is_file():
        known = Known.from_bytes(aim.case.known.read_bytes(), where=str(aim.case.known))
        gathered.take(known.terms, "known.json")
        gathered.input("known", file_digest(aim.case.known))
    terms = _authored(aim, gathered)
    return Source(
        mode=_mode(pinned, known, terms),
        terms=terms,
        tree=pinned.tree,
        facts=known,
        scratch=pinned.scratch,
        names=gathered.names,
        kept=gathered.kept,
        inputs=tuple(gathered.inputs),
        notes=(*gathered.notes(), *([pinned.note] if pinned.note else []), *(gaps(known) if known else ())),
    )


def _mode(pinned: _Pinned, known: Known | None, terms: tuple[Term, ...]) -> Mode:
    if pinned.tree is not None:
        return Mode.PIN
    return Mode.RECORD if known is not None else Mode.TERMS if terms else Mode.NOTHING


def _authored(aim: Aim, gathered: _Gathered) -> tuple[Term, ...]:
    """The terms with the author's changes."""
    path = aim.case.provenance / TERMS_FILE if aim.case else None
    authored = read_authored(path) if path else None
    if path is None or authored is None:
        return gathered.terms
    gathered.input("authored", file_digest(path))
    gathered.kept = authored.keep
    gathered.counts.append(f"{len(authored.add)} added and {len(authored.regrade)} regraded in {TERMS_FILE}")
    return authored.applied(gathered.terms)


class _Gathered:
    """Terms from several places. The first to name one grades it."""

    def __init__(self) -> None:
        self._terms: dict[tuple[str, str], Term] = {}
        self.inputs: list[AuditInput] = []
        self.counts: list[str] = []
        self.names: Names | None = None
        self.kept: tuple[Kept, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        return tuple(self._terms[place] for place in sorted(self._terms))

    def take(self, terms: tuple[Term, ...], where: str) -> None:
        for term in terms:
            self._terms.setdefault((term.kind, term.surface), term)
        if terms:
            self.counts.append(f"{len(terms)} from {where}")

    def input(self, name: str, digest: str) -> None:
        self.inputs.append(AuditInput(name=name, digest=digest))

    def notes(self) -> Iterator[str]:
        if self.counts:
            yield f"terms: {', '.join(self.counts)}"


def _carried(path: Path) -> tuple[Term, ...]:
    """The term lists of the cases in a bundle: of the names stage where they are there, else of their manifests."""
    found: dict[str, bytes] = {}
    paths: list[str] = []
    for item in deep_items(path):
        paths.append(item.path)
        if item.path.endswith((MANIFEST, NAMES)) and item.data is not None:
            found[item.path] = item.data
    terms: list[Term] = []
    for root in case_roots(paths):
        names, manifest = found.get(root + NAMES, b""), found.get(root + MANIFEST, b"")
        if is_names(names):
            terms += Names.model_validate_json(names).terms
        else:
            terms += terms_of(sensitive_terms(manifest), source=MANIFEST)
    return tuple({(term.kind, term.surface): term for term in terms}.values())
