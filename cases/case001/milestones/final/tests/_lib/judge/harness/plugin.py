"""The fixtures of a suite. `main` sets link and seed; under plain pytest the product runs beside the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge.harness.inputs import Inputs
from judge.harness.link import Link, Product
from judge.harness.standalone import DEFAULT_SEED, StandaloneLink

LINK = pytest.StashKey[Link]()
SEED = pytest.StashKey[str]()


@pytest.fixture
def product(request: pytest.FixtureRequest) -> Iterator[Product]:
    """The candidate. Its trees end with the node."""
    stash = request.config.stash
    if LINK not in stash:
        stash[LINK] = StandaloneLink(request.config.rootpath, request.path.parent)
    product = Product(stash[LINK], scenarios=request.path.name.partition("_")[0])
    yield product
    product.end_node()


@pytest.fixture
def inputs(request: pytest.FixtureRequest) -> Inputs:
    """Fresh inputs of this node."""
    return Inputs(request.config.stash.get(SEED, DEFAULT_SEED), request.node.nodeid)
