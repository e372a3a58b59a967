"""Files of a case that other people's harnesses read: `source/manifest.json`, `source/recipe.lock.json` (zero2repo)."""

from __future__ import annotations

from typing import Literal

from taskpack.order import CaseId, Language, Order
from taskpack.recipe import Recipe
from taskpack.record import Part

PYTHON_FLOOR = "3.11"
LANGUAGE_LABELS = {Language.PYTHON: "Python (pytest)"}


class Runner(Part):
    """How a workspace is set up and its suite is run."""

    schema_version: Literal[1] = 1
    language_label: str
    install_command: str
    build_command: str = ""
    test_command_template: str
    workdir: Literal["."] = "."


class InitMetadata(Part):
    suggested_neutral_name: str
    tech_stack: str


class CaseManifest(Part):
    """`source/manifest.json`, schema version 3, newest style: no upstream provenance."""

    schema_version: Literal[3] = 3
    case_id: CaseId
    sensitive_terms: tuple[str, ...]
    runner: Runner
    init_metadata: InitMetadata
    status: Literal["draft", "released"]


class Resolved(Part):
    python: dict[str, str]
    apt: dict[str, str] = {}


class LockRunner(Part):
    install_command: str
    build_command: str


class RecipeLock(Part):
    """`source/recipe.lock.json`, schema version 2."""

    schema_version: Literal[2] = 2
    case_id: CaseId
    base_image: str
    public: Literal[True] = True
    resolved: Resolved
    runner: LockRunner


def runner(order: Order, bench: Recipe, *, test_command_template: str) -> Runner:
    """Installs what the suite needs, by version; the product itself needs nothing but the language."""
    packages = " ".join(f"'{package.name}=={package.version}'" for package in bench.packages)
    return Runner(
        language_label=LANGUAGE_LABELS[order.language],
        install_command=f"python3 -m pip install --no-cache-dir {packages}",
        test_command_template=test_command_template,
    )


def manifest(
    order: Order, runner: Runner, *, sensitive_terms: tuple[str, ...], status: Literal["draft", "released"]
) -> CaseManifest:
    return CaseManifest(
        case_id=order.case_id,
        sensitive_terms=sensitive_terms,
        runner=runner,
        init_metadata=InitMetadata(
            suggested_neutral_name=order.product.name, tech_stack=f"Pure Python {PYTHON_FLOOR}+; CPU only"
        ),
        status=status,
    )


def recipe_lock(order: Order, runner: Runner, bench: Recipe) -> RecipeLock:
    return RecipeLock(
        case_id=order.case_id,
        base_image="codingbench-base/ubuntu:24.04",
        resolved=Resolved(python={package.name: package.version for package in bench.packages}),
        runner=LockRunner(install_command=runner.install_command, build_command=runner.build_command),
    )
