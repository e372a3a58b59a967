"""An engine that is killed at each step of a verdict: no reward, its name as the cause, and the next verdict is right."""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import docker as docker_sdk
import pytest

from environments.docker import Engine
from environments.docker_sandbox import Docker
from judge.judging import judge
from taskpack.errors import SandboxFailed
from taskpack.verdict import Judged, Verdict
from tests.engine import NoEngine, TestEngine, own_engine, why_no_engine
from tests.faults.judging import at_calls
from tests.integration.judge.scenes import check_infra

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.docker,
    pytest.mark.timeout(900),
    # The SDK leaves the socket of a refused connection to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def mortal(base: str) -> Iterator[TestEngine]:
    """An engine that tests may kill."""
    if base or (why_no_engine() and not os.environ.get("REPOWRIGHT_TEST_DOCKER")):
        pytest.skip(base or why_no_engine())
    try:
        with own_engine() as engine:
            yield engine
    except NoEngine as reason:
        pytest.skip(str(reason))


@pytest.fixture
def opened(mortal: TestEngine) -> Iterator[Callable[[], Docker]]:
    """Opens the back end anew; each is closed, and has left no container, at the end."""
    made: list[Docker] = []

    def opens() -> Docker:
        made.append(Docker(address=mortal.address))
        return made[-1]

    yield opens
    for docker in made:
        docker.close()
    last = opens()
    assert last.engine.labelled(f"repowright.area={last._mark}", value_of="repowright.owner") == {}
    last.close()
    gc.collect()


Strike = Callable[[], None]
Step = Callable[[Strike], contextlib.AbstractContextManager[None]]


def _before(name: str, number: int) -> Step:
    """Before the call `number` of the engine's method `name`."""

    @contextlib.contextmanager
    def armed(strike: Strike) -> Iterator[None]:
        real, count = getattr(Engine, name), itertools.count(1)

        def instead(self: Engine, *arguments: Any, **options: Any) -> Any:
            if next(count) == number:
                strike()
            return real(self, *arguments, **options)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Engine, name, instead)
            yield

    return armed


def _in_the_suite(strike: Strike) -> contextlib.AbstractContextManager[None]:
    return at_calls(lambda number: strike() if number == 4 else None)


STEPS = {
    "before a container is made": _before("create", 1),
    "while a container starts": _before("start", 2),
    "in the suite": _in_the_suite,
    "while cleaning up": _before("remove", 1),
}


@pytest.mark.parametrize(
    "step", [pytest.param(step, marks=[] if step == "in the suite" else [pytest.mark.full]) for step in STEPS]
)
def test_an_engine_that_is_killed_is_the_cause_and_the_next_verdict_is_right(  # noqa: PLR0917
    mortal: TestEngine, opened: Callable[[], Docker], bench_site: Path, suite: Path, workspace: Path, tmp_path: Path,
    step: str,
) -> None:  # fmt: skip
    struck: list[int] = []

    def strike() -> None:
        struck.append(1)
        mortal.kill()

    def judged(docker: Docker) -> Verdict:
        return judge(
            suite, workspace, sandbox=docker, bench_site=bench_site, product_site=None, seed="tally",
            logs=tmp_path / "logs",
        )  # fmt: skip

    docker = opened()
    try:
        with STEPS[step](strike):
            verdict = judged(docker)
    finally:
        if struck:
            mortal.start_again()
    assert struck
    check_infra(verdict)
    assert any("engine" in cause for cause in verdict.causes), verdict.causes
    again = judged(opened())
    assert (again.outcome, again.reward) == (Judged.JUDGED, 1), again.causes


@pytest.mark.full
def test_an_engine_that_is_killed_while_it_takes_the_image_is_named_and_takes_it_later(
    mortal: TestEngine, opened: Callable[[], Docker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("environments.docker_sandbox.REPOSITORY", "repowright/another")
    real = docker_sdk.APIClient.import_image_from_data

    def in_parts(file: IO[bytes]) -> Iterator[bytes]:
        for number, part in enumerate(iter(lambda: file.read(1 << 20), b"")):
            if number == 3:
                mortal.kill()
            yield part

    with monkeypatch.context() as patch:
        patch.setattr(
            docker_sdk.APIClient,
            "import_image_from_data",
            lambda self, data, **options: real(self, in_parts(data), **options),
        )
        try:
            with pytest.raises(SandboxFailed, match="engine has not imported"):
                opened()
        finally:
            mortal.start_again()
    docker = opened()
    assert docker.engine.has_image(docker.image)
