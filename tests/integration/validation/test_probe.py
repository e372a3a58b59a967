"""Real twins of a product in real environments, forwarded to and judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from environments.choose import choose_sandbox
from flows.bench import Court, subject
from judge.subject import Subject
from taskpack.denylist import Denylist
from taskpack.gate import GateResult
from taskpack.layout import WorkFolder
from taskpack.receipt import GateVerdict
from tests.integration.validation.conftest import FIXTURES
from validation.probe import check_oracle
from validation.selftest import lay_out, site_of

pytestmark = [pytest.mark.sandbox, pytest.mark.full, pytest.mark.timeout(600)]
LIBRARY = FIXTURES.parent / "data" / "oracle"
PACKAGE = FIXTURES / "ENV-ORACLE" / "defect"
Laid = Callable[..., Subject]


@pytest.fixture
def laid(tmp_path: Path, bench_site: Path) -> Laid:
    """A case of an overlay, in a court as a release has one, with these import roots banned."""
    work = WorkFolder(root=tmp_path / "work")
    sandbox = choose_sandbox(work)

    def make(overlay: Path, *, ban: str) -> Subject:
        case, reference = lay_out(FIXTURES / "_base", overlay, tmp_path / "laid")
        listed = Denylist(case_id=case.id, ecosystem="pip", install_ban=(ban,), import_ban=(ban,))
        case.denylist.write_bytes(listed.model_dump_json().encode())
        court = Court(sandbox=sandbox, bench_site=bench_site, product_site=site_of(case), seeds=work.seeds)
        (tmp_path / "scratch").mkdir()
        return subject(court, case, reference, scratch=tmp_path / "scratch")

    return make


def line_of(result: GateResult, module: str) -> str:
    return next(line for line in result.evidence if line.startswith(f"{module} in "))


def test_a_twin_in_the_standard_library_blocks_release(laid: Laid) -> None:
    result = check_oracle(laid(LIBRARY, ban="elsewhere"))
    assert result.verdict is GateVerdict.FAIL
    assert "3 of 3 names): forwarded to, it passes 100% of the nodes, 100% over names alone" in line_of(
        result, "tomllib"
    )
    assert "behind the masks of the denylist still 100%" in line_of(result, "tomllib")


def test_the_ban_of_the_twin_is_held_by_masks_and_lets_it_pass(laid: Laid) -> None:
    result = check_oracle(laid(LIBRARY, ban="tomllib"))
    assert result.verdict is GateVerdict.PASS
    assert line_of(result, "tomllib").endswith("100% over names alone, banned")
    # Modules with the same names that do something else were tried, and stay.
    assert "passes 0% of the nodes" in line_of(result, "json")


def test_the_ban_of_a_package_beside_the_product_is_held_as_well(laid: Laid) -> None:
    result = check_oracle(laid(PACKAGE, ban="pennies"))
    assert result.verdict is GateVerdict.PASS
    assert line_of(result, "pennies").endswith("banned")


def test_a_ban_that_nothing_can_enforce_is_no_ban(laid: Laid) -> None:
    # The judge's driver needs `re` itself, so masks cannot cover it.
    looked_at = laid(PACKAGE, ban="re")
    result = check_oracle(looked_at)
    assert result.verdict is GateVerdict.FAIL
    assert any("cannot be covered" in line for line in result.evidence)
