"""The suitability verdict: whether a pinned source can become a task, by facts alone, before any model is asked."""

from __future__ import annotations

from enum import StrEnum

from taskpack.record import Part, Record


class Suitable(StrEnum):
    """The verdict."""

    USABLE = "usable"
    NEEDS_TRIMMING = "needs_trimming"
    UNUSABLE = "unusable"


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


class Finding(Part):
    """One fact that counts against the source."""

    severity: Severity
    message: str
    """What is there and where it was seen."""


class Dimension(Part):
    """One of three sides that a source is looked at from."""

    passed: bool
    """No finding is an error."""
    findings: tuple[Finding, ...]


class Dimensions(Part):
    external_resources: Dimension
    """Licence, network, databases, content that is kept elsewhere."""
    environment_hardware: Dimension
    """Interpreter, compilers, displays, graphics processors, size."""
    blackbox_testability: Dimension
    """Tests and a public interface."""


class Method(StrEnum):
    """Where the evidence was gathered."""

    DOCKER = "docker"
    NATIVE = "native"
    """The local sandbox."""
    NONE = "none"
    """Nothing was run: the source was turned away before."""


class Evidence(Part):
    """What was run, and how it ended. Summaries hold no times, so that the same source gives the same bytes."""

    environment_method: Method
    install_command: str = ""
    install_exit_code: int | None = None
    install_summary: str = ""
    test_command: str = ""
    test_exit_code: int | None = None
    test_summary: str = ""
    docker_image_saved: bool = False
    tests_passed: bool = False


class Suitability(Record):
    """`provenance/suitability.json`. It has no date: the pin and the environment that it was made from have digests."""

    case_id: str
    repo_slug: str
    repository_url: str
    summary: str
    verdict: Suitable
    dimensions: Dimensions
    empirical_evidence: Evidence
    recommended_trim: tuple[str, ...]
    """Paths in the source without which it would be usable."""
    blocking_items: tuple[str, ...]
    """Errors that no trimming mends."""
