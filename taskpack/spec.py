"""The specification as data: feature points, clauses, forms. The public documents are rendered from it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from taskpack.record import Part, Record

ClauseId = Annotated[str, Field(pattern=r"^FP-[0-9]{2}\.[NBE][0-9]+$")]
FeatureId = Annotated[str, Field(pattern=r"^FP-[0-9]{2}$")]


class ClauseKind(StrEnum):
    NORMAL = "normal"
    BOUNDARY = "boundary"
    ERROR = "error"


class Carrier(StrEnum):
    """What makes a clause observable."""

    VALUE = "value"
    ERROR_TYPE = "error type"
    EXIT_CODE = "exit code"
    FILE = "file"
    OUTPUT = "output"


class Evidence(Part):
    """Where in the reference a clause can be read."""

    path: str
    first_line: Annotated[int, Field(ge=1)]
    last_line: Annotated[int, Field(ge=1)]


class Expected(Part):
    """What a probe must show. Values are wire values (`docs/wire.md`)."""

    outcome: str
    """`returned` or `raised`."""
    value: Any = None
    """For `returned`."""
    error: str = ""
    """For `raised`: the error's type, or one of its bases, as `module.Name` or `Name`."""


class Probe(Part):
    """A scenario with its input and what is seen on the reference."""

    scenario: str
    """Source of one function in the product's language: contract names only, at most 15 lines."""
    args: dict[str, Any]
    """Argument name -> wire value."""
    expected: Expected
    now: float | None = None
    """Seconds since 1970 at which time stands still for the product; None where time plays no part."""


class Clause(Part):
    """One normative sentence."""

    id: ClauseId
    kind: ClauseKind
    text: str
    carrier: Carrier
    forms: tuple[str, ...]
    """Names of the forms that it is seen through."""
    evidence: tuple[Evidence, ...]
    probe: Probe


class FormKind(StrEnum):
    FUNCTION = "function"
    CLASS = "class"
    METHOD = "method"
    ATTRIBUTE = "attribute"
    EXCEPTION = "exception"


class Parameter(Part):
    name: str
    type: str
    default: str = ""
    """As the contract writes it; empty when the argument is required."""
    meaning: str


class Form(Part):
    """The interface that a clause is seen through. Form only, no behaviour."""

    name: str
    """Dotted from the import root, without it: `Sealer.seal`."""
    kind: FormKind
    role: str
    """A few words for the contract's table."""
    signature: str
    """One line, as a caller may rely on it; empty for exceptions without attributes."""
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    raises: tuple[str, ...] = ()
    """Names of exception forms."""
    base: str = ""
    """For exceptions and classes: the base that callers may rely on."""


class Entry(Part):
    """A row of the terminology table."""

    term: str
    meaning: str


class FeaturePoint(Part):
    id: FeatureId
    title: str
    entry: str
    """What the caller uses and may supply; what other feature points hold."""
    uses: tuple[FeatureId, ...] = ()
    """Earlier feature points that it builds on."""
    clauses: tuple[Clause, ...]


class DataForm(Part):
    """What data looks like that a form gives or takes: `<value><sep><signature>`."""

    producer: str
    """Name of the form that makes it."""
    form: str
    """The layout, with `<placeholders>`."""
    type: str


class NamedValue(Part):
    """A text or byte string of the reference that is behaviour."""

    value: str
    """As source code writes it, without the prefix: `brinseal.Sealer`."""
    reason: str
    """Why no document states it."""


class Overview(Part):
    """The parts of the PRD that belong to no feature point."""

    product: str
    terminology: tuple[Entry, ...]
    constraints: tuple[str, ...]
    substance: str
    """The global capability paragraph."""
    non_goals: tuple[str, ...]
    layout: tuple[str, ...]
    """Sentences of the contract on package, import root and source directory."""
    conventions: tuple[str, ...]
    """Sentences of the contract on common inputs."""
    data: tuple[DataForm, ...] = ()
    """Rows of the contract's table of data forms."""
    placeholders: tuple[Entry, ...] = ()
    """What each `<placeholder>` of `data` stands for."""
    left_open: tuple[NamedValue, ...] = ()
    """Named values of the reference that the task leaves to whoever builds it."""


class Spec(Record):
    """Everything public, as data."""

    product: str
    overview: Overview
    features: tuple[FeaturePoint, ...]
    forms: tuple[Form, ...]

    def clauses(self) -> tuple[Clause, ...]:
        """All clauses in order."""
        return tuple(clause for feature in self.features for clause in feature.clauses)
