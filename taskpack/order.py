"""The order: what an author asks for, written by hand in `order.toml`."""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, ValidationError, field_validator, model_validator

from taskpack.drafting import Drafting
from taskpack.errors import BadInput, CaseNotFound
from taskpack.external import External, Hardware
from taskpack.record import Part, Record, Sha256
from taskpack.requested import folded


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\0" in path:
        raise ValueError("must be a path that stays inside the folder")
    return path


_BAD_REF = re.compile(r"\.\.|@\{|//|/\.|\.lock(/|$)|[\0-\x20\x7f~^:?*\[\\]|^[-./]|[./]$|^@$")
_FULL_ID = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_FAULTS_SHOWN = 8


def _ref_name(name: str) -> str:
    if not name or len(name) > 200 or _BAD_REF.search(name):
        raise ValueError("must be a name that git allows, such as `main` or `v1.2`, without refs/")
    if name.startswith("refs/") or _FULL_ID.fullmatch(name):
        raise ValueError("must be the short name; a full id goes into `commit`")
    return name


def _absolute(path: str) -> str:
    if not path.startswith("/") or "\0" in path or ".." in PurePosixPath(path).parts:
        raise ValueError("must be an absolute path without `..`")
    return path


CommitId = Annotated[str, Field(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
CaseId = Annotated[str, Field(pattern=r"^case[0-9]{3,}$")]
RelativePath = Annotated[str, AfterValidator(_inside)]
"""A path that stays inside its folder."""
AbsolutePath = Annotated[str, Field(pattern=r"^/"), AfterValidator(_absolute)]
"""A path on the author's machine."""
RefName = Annotated[str, AfterValidator(_ref_name)]
"""The short name of a branch or tag."""
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class Language(StrEnum):
    """Languages that have a pack."""

    PYTHON = "python"


class PypiSource(Part):
    """A source archive on PyPI, pinned by the SHA-256 of its file."""

    kind: Literal["pypi"]
    name: str
    version: str
    sha256: Sha256


class GitSource(Part):
    """A commit of a git repository: `url` is https, ssh or a local path.

    Exactly one of `commit` (the full id), `branch` and `tag` names it. A branch or tag is resolved once; what it was
    then is kept in the case (`Resolution`).
    """

    kind: Literal["git"]
    url: str
    commit: CommitId | None = None
    branch: RefName | None = None
    tag: RefName | None = None

    @model_validator(mode="after")
    def _one_name(self) -> Self:
        if sum(name is not None for name in (self.commit, self.branch, self.tag)) != 1:
            raise ValueError("give exactly one of `commit`, `branch` and `tag`")
        return self

    @property
    def ref(self) -> str:
        """The whole name of the branch or tag; empty for a commit."""
        if self.branch is not None:
            return f"refs/heads/{self.branch}"
        return f"refs/tags/{self.tag}" if self.tag is not None else ""

    @property
    def name(self) -> str:
        """What the repository is called."""
        return self.url.rstrip("/").rpartition("/")[2].removesuffix(".git")


class ArchiveSource(Part):
    """A source archive on this machine, `.tar.gz`, `.tgz` or `.zip`, pinned by the SHA-256 of its file."""

    kind: Literal["archive"]
    path: AbsolutePath
    sha256: Sha256
    name: str
    """What the project is called."""


class FolderSource(Part):
    """A plain folder on this machine. Its content is pinned when it is read first (`Resolution`)."""

    kind: Literal["folder"]
    path: AbsolutePath
    name: str
    """What the project is called."""


Source = Annotated[PypiSource | GitSource | ArchiveSource | FolderSource, Field(discriminator="kind")]


class Product(Part):
    """What the task is called, in neutral words."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]{4,}$")]
    """Distribution name and import root of the task's product."""
    summary: str
    """One sentence that names neither the upstream nor its people."""


class RenameTable(Part):
    """The author's choices for names that the upstream made public."""

    identifiers: dict[Identifier, Identifier] = {}
    """Whole identifiers of the public interface, upstream -> neutral."""
    literals: dict[str, str] = {}
    """Exact strings that are behaviour (default values and the like), upstream -> neutral."""
    terms: tuple[str, ...] = ()
    """Identity terms that the sources do not show, added by hand."""
    kept: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Names of other projects that hold the upstream's, as `rich-click` does `click`, and stay as they are."""
    unbanned: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Names of distributions and import roots that the denylist would ban, and that right products need. Never the
    source's own."""


class Testing(Part):
    """How the upstream's own tests are installed and run."""

    requirements: tuple[str, ...]
    """What the tests import besides the product, as the packager spells it."""
    build_requirements: tuple[str, ...] = ()
    """What building the product needs; installed before it, offline afterwards."""
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """The test command; it runs in the source's root."""
    expected: Annotated[int, Field(ge=1)]
    """How many tests must pass, neither more nor fewer."""


class FeatureOrder(Part):
    """A feature point that the author wants, before anything is drafted."""

    id: Annotated[str, Field(pattern=r"^FP-[0-9]{2}$")]
    title: str
    about: str
    """One or two sentences on what is in and what is out."""
    files: Annotated[tuple[RelativePath, ...], Field(min_length=1)]
    """Paths in the reference (neutral names) that a drafting model needs to read."""
    uses: tuple[Annotated[str, Field(pattern=r"^FP-[0-9]{2}$")], ...] = ()
    """Earlier feature points that this one builds on: their forms are given, their clauses hold here as well."""


class Floors(Part):
    """Counts below which a draft goes back."""

    clauses: Annotated[int, Field(ge=1)] = 12
    nodes: Annotated[int, Field(ge=1)] = 24
    mutants: Annotated[int, Field(ge=1)] = 20


class Order(Record):
    """What to author: source, pin, neutral name, scope, provider."""

    case_id: CaseId
    language: Language
    licences: tuple[str, ...] = ("MIT", "BSD-3-Clause", "BSD-2-Clause", "Apache-2.0", "ISC", "0BSD")
    """SPDX ids that this author accepts."""
    provider: str = "mailbox"
    attempts: Annotated[int, Field(ge=1, le=20)] = 4
    """How often one unit may be drafted before it stays a draft."""
    drafting: Drafting = Drafting()
    source: Source
    product: Product
    rename: RenameTable = RenameTable()
    testing: Testing
    features: Annotated[tuple[FeatureOrder, ...], Field(min_length=1)]
    floors: Floors = Floors()
    external: External | None = None
    """Files from elsewhere that the product reads."""
    hardware: Hardware | None = None
    """What a machine must have, where that is more than any machine has."""

    @model_validator(mode="after")
    def _source_stays_banned(self) -> Self:
        if any(folded(name) == folded(self.source.name) for name in self.rename.unbanned):
            raise ValueError(f"rename.unbanned cannot lift the ban of {self.source.name}: the task is made from it")
        return self

    @field_validator("features")
    @classmethod
    def _one_of_each(cls, features: tuple[FeatureOrder, ...]) -> tuple[FeatureOrder, ...]:
        ids = [feature.id for feature in features]
        if len(set(ids)) != len(ids):
            raise ValueError("two feature points have one id")
        for at, feature in enumerate(features):
            if unknown := set(feature.uses) - set(ids[:at]):
                raise ValueError(f"{feature.id} uses {', '.join(sorted(unknown))}, which does not stand before it")
        return features


def read_order(path: Path) -> Order:
    """Read `order.toml`.

    Raises `CaseNotFound` when there is none, `BadInput` for broken TOML and for missing, unknown and wrong fields.
    """
    if not path.is_file():
        raise CaseNotFound(
            f"case {path.parent.name} has no order",
            details={"looked for": str(path)},
            remedy="name a folder under --cases that holds an order.toml",
        )
    try:
        return Order.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is not TOML", details={"fact": str(error)}, remedy="correct the file") from error
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        raise BadInput(
            f"{path} is not a readable order",
            details={
                ".".join(map(str, each["loc"])) or "(whole order)": each["msg"] for each in faults[:_FAULTS_SHOWN]
            },
            remedy="correct these fields; docs/order.md lists all",
        ) from error
