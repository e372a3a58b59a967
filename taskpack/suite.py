"""The hidden acceptance suite as data: files, nodes, what each node cites."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from taskpack.record import Part, Record, Sha256
from taskpack.spec import ClauseId

NodeId = Annotated[str, Field(pattern=r"^tests/F[0-9]{2}_acceptance\.py::.+$")]


class SuiteFile(Part):
    path: str
    """Relative to the suite's root, `milestones/final`."""
    sha256: Sha256


class TestNode(Part):
    """One frozen node. It must be collected once and pass."""

    __test__ = False  # not a test class of ours

    id: NodeId
    clauses: Annotated[tuple[ClauseId, ...], Field(min_length=1)]


class Suite(Record):
    """The recorded suite."""

    files: tuple[SuiteFile, ...]
    nodes: tuple[TestNode, ...]
    """Sorted by id."""
    product_paths: tuple[str, ...]
    """The contract's import path, relative to the workspace: `src`."""
    language: str
    needs: tuple[str, ...] = ()
    """Features of the wire that the product sandbox must offer."""


class TestManifest(Part):
    """`milestones/final/test_manifest.json`: zero2repo keys (schema version 3), and ours."""

    __test__ = False

    schema_version: Literal[3] = 3
    step: Literal["final"] = "final"
    workdir: Literal["."] = "."
    test_files: tuple[str, ...]
    test_command: str
    test_command_template: str
    execution_groups: dict[str, tuple[str, ...]]
    expected_test_count: int
    framework_label: str = "pytest"
    node_ids: tuple[str, ...]
    clauses: dict[str, tuple[str, ...]]
    product_paths: tuple[str, ...]
    language: str
    needs: tuple[str, ...] = ()
