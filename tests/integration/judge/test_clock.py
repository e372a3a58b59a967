"""`now`: what a call, and a program that it starts, is told of the time."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from environments.clock import clock_site
from environments.interface import Sandbox
from judge.harness.link import Product as Asked
from judge.product import Product
from taskpack.layout import WorkFolder
from tests.integration.judge.test_trees import Wire, lay_out

pytestmark = pytest.mark.sandbox

PRODUCT = """
import datetime, os, subprocess, time
def now(): return time.time()
def twice(): return [time.time(), time.time(), time.monotonic() - time.monotonic()]
def today(): return datetime.date.today()
def elsewhere():
    os.environ["TZ"] = "America/New_York"; time.tzset()
    return [time.time(), str(datetime.datetime.now())]
def program(): return subprocess.run(["date", "+%s"], capture_output=True, text=True).stdout.strip()
def later():
    begin = time.time(); time.sleep(0.05)
    return time.time() - begin
"""
MOMENTS = [0.0, 1_577_836_800.0, 1_577_836_800.25, 2_147_483_648.0, 4_102_444_800.5]


@pytest.fixture(scope="module")
def product(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = lay_out(tmp_path_factory.mktemp("clock"), PRODUCT)
    site = clock_site(work=WorkFolder(root=tmp_path_factory.mktemp("work")), sandbox=sandbox)
    with Product(
        sandbox=sandbox,
        workspace=folder / "app",
        lib=folder / "tests/_lib",
        scenarios=folder / "scenarios",
        product_paths=("src",),
        clock=site,
    ) as started:
        assert "clock" in started.features
        yield Asked(Wire(started))


def do(product: Asked, what: str, *, fresh: bool = False) -> object:
    return product.call("do", what=what, args=[], fresh=fresh).value


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_frozen_clock_stands_still(product: Asked, moment: float, fresh: bool) -> None:
    first, second, passed = do(product.at(moment), "twice", fresh=fresh)  # type: ignore[misc]
    assert first == second == pytest.approx(moment, abs=1e-6)
    assert passed == 0


def test_a_running_clock_goes_on_from_there(product: Asked) -> None:
    running = product.at(2_147_483_648, running=True)
    assert 2_147_483_648 <= do(running, "now") < 2_147_483_648 + 60  # type: ignore[operator]
    assert do(running, "later") >= 0.05  # type: ignore[operator]


def test_programs_see_the_same_time(product: Asked) -> None:
    assert do(product.at(1_577_836_800), "program") == "1577836800"
    assert product.at(1_577_836_800).run(["date", "+%s"]).stdout == b"1577836800\n"


def test_a_zone_changes_nothing_about_the_moment(product: Asked) -> None:
    assert do(product.at(1_577_836_800), "elsewhere") == [1_577_836_800.0, "2019-12-31 19:00:00"]


def test_without_now_the_time_is_the_real_one(product: Asked) -> None:
    assert abs(do(product, "now") - time.time()) < 3600  # type: ignore[operator]
    assert do(product.at(0), "now") == 0.0
    assert abs(do(product, "now") - time.time()) < 3600  # type: ignore[operator]
