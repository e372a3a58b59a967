"""One suite before one workspace: tries, and whose fault it is when it does not come to an end."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from environments.interface import Mount
from environments.running import Starved
from judge.bench import Bench, BenchBroke, BenchReport, BenchSpec
from judge.comparing import compare
from judge.connection import DriverSilent
from judge.ends import EndedFromOutside
from judge.evidence import Evidence, named_refusals
from judge.product import Product
from judge.workspace import copy_workspace
from taskpack.errors import RepowrightError, SandboxFailed
from taskpack.suite import TestManifest
from taskpack.verdict import NodeResult

log = logging.getLogger(__name__)

TRIES = 3


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One suite before one workspace: who is at fault when it does not come to an end."""

    spec: BenchSpec
    manifest: TestManifest
    product_site: Path | None = None
    clock: Path | None = None
    resources: Mount | None = None
    always_fresh: bool = False
    masked: tuple[str, ...] = ()
    """Paths that the product finds covered."""
    reference: Path | None = None
    """A workspace that is right: it shows that the machinery works with one."""
    evidence: Evidence
    scratch: Path
    """A folder of this trial's own."""
    _seen: dict[Path, frozenset[tuple[str, int, int]]] = field(default_factory=dict, init=False)
    """What lay in each folder at the first look."""

    def decide(self, workspace: Path) -> BenchReport | SandboxFailed:
        """The bench's report; or one without nodes, whose problem is the candidate's; or what broke outside it.

        A bench that broke with an answer of the product in hand, a driver that did not greet, and a machine without
        memory may be the candidate's doing. It is, when it happens in every try, and after that neither with an empty
        workspace nor with the reference.
        """
        failures: list[SandboxFailed] = []
        for number in range(1, TRIES + 1):
            try:
                return self.run(workspace)
            except SandboxFailed as error:
                self._note(f"attempt {number} of {TRIES}", error)
                failures.append(error)
        if all(map(_may_be_the_products, failures)) and self._is_sound():
            fact = "; ".join(f"{label}: {text.strip()[-300:]}" for label, text in failures[-1].details.items())
            blame = f"{failures[-1].message}, {TRIES} times with this workspace and not with an empty one ({fact})"
            return BenchReport(nodes=(), problems=(blame,))
        return failures[-1]

    @cached_property
    def reference_passes(self) -> bool:
        """Whether the reference passes now, on this machine; False where there is none."""
        if self.reference is None:
            return False
        try:
            report = self.run(copy_workspace(self.reference, self.scratch / "reference").root)
        except RepowrightError as error:
            self._note("with the reference", error)
            return False
        nodes = compare(self.manifest.node_ids, report)
        return bool(nodes) and all(node.result is NodeResult.PASSED for node in nodes)

    def _is_sound(self) -> bool:
        """Whether suite, bench and driver come to an end where no product is, and where a right one is."""
        empty = self.scratch / "empty"
        try:
            empty.mkdir(mode=0o755)
            self.run(empty)
        except (RepowrightError, OSError) as error:
            self._note("with an empty workspace", error)
            return False
        return self.reference is None or self.reference_passes

    def run(self, workspace: Path) -> BenchReport:
        """One try. Raises `SandboxFailed`, and `NoSpace` on a full disk."""
        with named_refusals():
            self._check_files(workspace)
            report = self._run(workspace)
            self._check_files(workspace)
        return report

    def _run(self, workspace: Path) -> BenchReport:
        product = Product(
            sandbox=self.spec.sandbox,
            workspace=workspace,
            lib=self.spec.suite / "tests" / "_lib",
            scenarios=self.spec.suite / "tests" / "scenarios",
            product_paths=self.manifest.product_paths,
            language=self.manifest.language,
            site=self.product_site,
            clock=self.clock,
            resources=self.resources,
            always_fresh=self.always_fresh,
            masked=self.masked,
            wall_s=self.spec.wall_s + 60,
        )
        with product:
            _check_needs(self.manifest, product)
            return Bench(self.spec).run(product)

    def _check_files(self, workspace: Path) -> None:
        """Raise `SandboxFailed` unless all that a verdict rests on lies there as it did at the first look.

        Sandboxes see it read-only, so a change is somebody else's doing.
        """
        for folder in (workspace, self.spec.suite, self.spec.site, self.product_site, self.clock):
            if folder is None:
                continue
            now = _entries(folder)
            if now != self._seen.setdefault(folder, now):
                raise SandboxFailed(
                    "what a verdict rests on was changed while it was reached",
                    details={"folder": str(folder)},
                    remedy="let nothing write there; make it again if it is not whole (repowright author CASE)",
                )

    def _note(self, when: str, error: Exception) -> None:
        log.warning("%s: %s", when, error.render() if isinstance(error, RepowrightError) else error)
        self.evidence.note(when, error)


def _may_be_the_products(failure: SandboxFailed) -> bool:
    if isinstance(failure, EndedFromOutside):
        return not failure.certain
    return isinstance(failure, DriverSilent | Starved) or (isinstance(failure, BenchBroke) and failure.answered)


def _entries(folder: Path) -> frozenset[tuple[str, int, int]]:
    """Path, size and time of each file. Bytecode may be written beside any source at any time."""
    found = set()
    for place, _, names in os.walk(folder):
        if not place.endswith("/__pycache__"):
            for name in names:
                path = os.path.join(place, name)  # noqa: PTH118 (thousands of them, before and after each try)
                info = os.lstat(path)
                found.add((path, info.st_size, info.st_mtime_ns))
    return frozenset(found)


def _check_needs(manifest: TestManifest, product: Product) -> None:
    # Whether calls can be forks, the workspace decides; where they cannot, each is a new interpreter.
    needed = set(manifest.needs) - {"fork"}
    missing = needed - set(product.features) if needed else set()
    if missing:
        raise SandboxFailed(
            "the product sandbox lacks what the suite needs",
            details={"it lacks": ", ".join(sorted(missing))},
            remedy="judge as root, or where the sandbox has uids of its own (repowright doctor tells)",
        )
