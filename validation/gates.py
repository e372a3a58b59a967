"""The gates of validation: the table. What each one does stands in `strength` and `protection`."""

from __future__ import annotations

from judge.subject import Subject
from taskpack.gate import Gate
from validation.denylist import check_denylist
from validation.parity import check_back_ends, check_fork
from validation.probe import check_oracle
from validation.protection import check_clauses, check_mutants
from validation.roundtrip import check_roundtrip
from validation.stored import check_stored
from validation.strength import (
    check_controls,
    check_reference,
    check_runner,
    check_shadow,
    check_vacuous,
    check_variants,
)

GATES: tuple[Gate[Subject], ...] = (
    Gate(
        code="REF-PASS",
        holds="The reference scores 1 three times of three, each time with another seed.",
        version=1,
        cost=4,
        check=check_reference,
        remedy="Correct the node that failed, or the clause it cites when the reference shows otherwise.",
    ),
    Gate(
        code="REF-FORK",
        holds="The reference and the stored controls come out alike, node by node, in forks and in new interpreters.",
        version=1,
        cost=20,
        check=check_fork,
        remedy="Make the product or the scenario independent of which modules were loaded before it.",
        requires=("REF-PASS",),
        optional=True,
    ),
    Gate(
        code="REF-PARITY",
        holds="The reference and the stored controls come out alike, node by node, on both back ends.",
        version=1,
        cost=30,
        check=check_back_ends,
        remedy="Look at what the node sees of its machine: paths, limits, users, clocks, devices.",
        requires=("REF-PASS",),
        optional=True,
    ),
    Gate(
        code="PKG-ROUNDTRIP",
        holds="The reference and the stored controls come out alike, node by node, by way of a harness's archive.",
        version=1,
        cost=4,
        check=check_roundtrip,
        remedy="Make the product independent of what stays behind on the way; docs/build-contract.md lists it.",
        requires=("REF-PASS",),
    ),
    Gate(
        code="NEU-DENYLIST",
        holds="The denylist stops no right workspace, and stops what the case was made from.",
        version=1,
        cost=5,
        check=check_denylist,
        remedy="Look in provenance/names.json where the ban that the evidence shows comes from: source/denylist.json is"
        " made of the distributions and import roots there.",
        requires=("PKG-ROUNDTRIP",),
    ),
    Gate(
        code="ENV-ORACLE",
        holds="No module of the product's environment passes more than a small share of the suite in its place.",
        version=1,
        cost=15,
        check=check_oracle,
        remedy="Ban the module in source/denylist.json, or leave out the package that brings it.",
        requires=("REF-PASS",),
        optional=True,
    ),
    Gate(
        code="STR-VACUOUS",
        holds="An empty folder, empty files, stubs and a product that exits at import score 0.",
        version=1,
        cost=6,
        check=check_vacuous,
        remedy="Let a node assert the value or error that its clause states, not that nothing went wrong.",
        requires=("REF-PASS",),
    ),
    Gate(
        code="STR-CONTROLS",
        holds="A mutant that raises everywhere scores 0 and a comment-only change scores 1.",
        version=1,
        cost=3,
        check=check_controls,
        remedy="Look at the nodes that accept any error, or that look at source text.",
        requires=("REF-PASS",),
    ),
    Gate(
        code="STR-VARIANTS",
        holds="Other private names, another order of definitions and another layout score 1.",
        version=1,
        cost=4,
        check=check_variants,
        remedy="Let the node use contract names only; what it saw is the implementer's choice.",
        requires=("REF-PASS",),
    ),
    Gate(
        code="FAIR-STORED",
        holds="Every control stored in the case scores what its expect.json says.",
        version=2,
        cost=4,
        check=check_stored,
        remedy="Read the control beside the clause: correct the suite, or the expectation if the control is wrong.",
        requires=("REF-PASS",),
        optional=True,
    ),
    Gate(
        code="STR-MUTANTS",
        holds="Syntax mutants ran, as many as ordered; each was killed by a named node or is listed open.",
        version=1,
        cost=40,
        check=check_mutants,
        remedy="Make the kill matrix again, or give clauses their evidence, so that more is in reach.",
        requires=("REF-PASS",),
    ),
    Gate(
        code="STR-CLAUSE",
        holds="Every clause has a node that killed a mutant on the clause's own evidence, one that some node let pass.",
        version=2,
        cost=41,
        check=check_clauses,
        remedy="Add the case that tells the reference from the mutant open on the clause's lines; where these yield"
        " none, name in its evidence, in the feature point's reply at `spec`, the lines that act on it.",
        requires=("REF-PASS", "STR-MUTANTS"),
    ),
    Gate(
        code="SEC-RUNNER",
        holds="Candidates that patch the test runner, exit, or equal everything score 0, their twins 1.",
        version=1,
        cost=8,
        check=check_runner,
        remedy="Decide on the bench: scenarios return raw data, and nodes compare it with `same`.",
        requires=("REF-PASS",),
    ),
    Gate(
        code="SEC-SHADOW",
        holds="A candidate that ships an agreeing hmac.py scores 0; one whose hmac.py is honest scores 1.",
        version=1,
        cost=3,
        check=check_shadow,
        remedy="Compute expected values on the bench, never in a scenario.",
        requires=("REF-PASS",),
    ),
)
"""In the order of the page that lists them."""
