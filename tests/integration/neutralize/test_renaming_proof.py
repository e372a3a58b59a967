"""Real packages before and after their rename: `python -m benchmarks.renaming` tells more of the same."""

from __future__ import annotations

import pytest

from benchmarks.renaming import PACKAGES, Package, prove
from benchmarks.renaming_runs import NotAnswered

pytestmark = [pytest.mark.full, pytest.mark.timeout(1800)]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_renamed_package_behaves_as_before_and_comes_back(package: Package) -> None:
    try:
        proof = prove(package, mutants=2)
    except NotAnswered as reason:
        pytest.skip(f"the registry does not answer: {reason}")
    assert proof.comes_back
    assert proof.settled
    assert not proof.left
    assert proof.alike
    assert sum(outcome == "passed" for outcome in proof.before.values()) > 50
    assert proof.mutants == 2
    assert not proof.unlike
