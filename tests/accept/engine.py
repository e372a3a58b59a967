"""A container engine of our own, named to everything that a checklist starts."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from tests.engine import VARIABLE, own_engine


@contextlib.contextmanager
def engine_for_all() -> Iterator[str]:
    """Its address, in our environment as well. Raises `NoEngine` where none can be started."""
    with own_engine() as engine:
        os.environ[VARIABLE] = os.environ["REPOWRIGHT_DOCKER"] = engine.address
        yield engine.address
