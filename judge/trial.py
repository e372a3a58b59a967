"""One suite before one workspace: tries, and whose fault it is when it does not come to an end."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from environments.interface import Mount
from judge.bench import Bench, BenchBroke, BenchReport, BenchSpec
from judge.connection import DriverSilent
from judge.product import Product
from taskpack.errors import SandboxFailed
from taskpack.suite import TestManifest

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
    scratch: Path
    """A folder of this trial's own."""

    def decide(self, workspace: Path) -> BenchReport | SandboxFailed:
        """The bench's report; or one without nodes, whose problem is the candidate's; or what broke outside it.

        A bench that broke with an answer of the product in hand, and a driver that did not greet, may be the
        candidate's doing. It is, when it happens in every try, and not with an empty workspace after that.
        """
        failures: list[SandboxFailed] = []
        for number in range(1, TRIES + 1):
            try:
                return self.run(workspace)
            except SandboxFailed as error:
                log.warning("attempt %d of %d: %s", number, TRIES, error.render())
                failures.append(error)
        if all(_may_be_the_products(failure) for failure in failures) and self._is_sound():
            fact = "; ".join(f"{label}: {text.strip()[-300:]}" for label, text in failures[-1].details.items())
            blame = f"{failures[-1].message}, {TRIES} times with this workspace and not with an empty one ({fact})"
            return BenchReport(nodes=(), problems=(blame,))
        return failures[-1]

    def _is_sound(self) -> bool:
        """Whether suite, bench and driver come to an end where no product is."""
        empty = self.scratch / "empty"
        empty.mkdir(mode=0o755)
        try:
            self.run(empty)
        except SandboxFailed as error:
            log.warning("with an empty workspace: %s", error.render())
            return False
        return True

    def run(self, workspace: Path) -> BenchReport:
        """One try. Raises `SandboxFailed`."""
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


def _may_be_the_products(failure: SandboxFailed) -> bool:
    return isinstance(failure, DriverSilent) or (isinstance(failure, BenchBroke) and failure.answered)


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
