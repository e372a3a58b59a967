"""Resources of a case are there, read-only and without network, for the product as for the upstream's tests."""

from __future__ import annotations

import hashlib
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.interface import Mount, Sandbox
from environments.languages.python.tests import run_upstream_tests
from environments.resources import resource_mount
from judge.judging import judge
from taskpack.errors import FetchFailed
from taskpack.external import External, Resource
from taskpack.layout import WorkFolder
from taskpack.verdict import Judged, Verdict

pytestmark = pytest.mark.sandbox

READS = """
import pathlib, socket
_place = pathlib.Path("/opt/models")
assert (_place / "plain/rates.bin").read_bytes() == b"rates", "the file"
assert (_place / "packed/eu/a.txt").read_bytes() == b"packed", "what was in the archive"
for _name in ("new", "plain/rates.bin"):
    try:
        (_place / _name).write_bytes(b"other")
    except OSError:
        pass
    else:
        raise AssertionError("it can be written to")
try:
    socket.create_connection(("files.invalid", 443), 1)
except OSError:
    pass
else:
    raise AssertionError("there is a network")
"""
TEST = f"def test_they_are_there():\n{textwrap.indent(READS, '    ')}"


@pytest.fixture
def resources(tmp_path: Path) -> Mount:
    """As they are on a machine that has fetched them once: the server is gone."""
    work = WorkFolder(root=tmp_path / "work")
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("eu/a.txt", b"packed")
    parts = []
    for name, data in (("rates.bin", b"rates"), ("more.zip", (tmp_path / "more.zip").read_bytes())):
        digest = hashlib.sha256(data).hexdigest()
        is_zip = name.endswith("zip")
        parts.append(
            Resource(
                id=name[:4], url=f"https://files.invalid/{name}", sha256=digest, size=len(data), license="CC0-1.0",
                directory="packed" if is_zip else "plain", unpacked_size=6 if is_zip else None,
            )
        )  # fmt: skip
        (work.root / "resources").mkdir(parents=True, exist_ok=True)
        (work.resources / digest).write_bytes(data)
    return resource_mount(External(destination="/opt/models", resources=tuple(parts)), work=work)


@pytest.fixture
def reads(workspace: Path) -> Path:
    """A product that needs them."""
    start = workspace / "src/tally/__init__.py"
    start.write_text(start.read_text() + READS)
    return workspace


def test_a_product_has_them_while_it_is_judged(
    sandbox: Sandbox, bench_site: Path, suite: Path, reads: Path, resources: Mount
) -> None:
    found = judge(
        suite, reads, sandbox=sandbox, bench_site=bench_site, product_site=None, seed="s", resources=resources
    )
    assert (found.outcome, found.reward, found.causes) == (Judged.JUDGED, 1, ())


def test_without_them_it_gets_0(verdict_of: Callable[[Path], Verdict], reads: Path) -> None:
    assert verdict_of(reads).reward == 0


@pytest.mark.parametrize("there", [True, False], ids=["there", "not there"])
def test_the_upstreams_tests_have_them(
    there: bool, sandbox: Sandbox, bench_site: Path, tmp_path: Path, resources: Mount
) -> None:
    project = tmp_path / "project"
    (project / "tests").mkdir(parents=True)
    (project / "tests" / "test_reads.py").write_text(TEST)
    outcome = run_upstream_tests(
        project,
        site=bench_site,
        command=["python", "-m", "pytest", "-q"],
        sandbox=sandbox,
        product_paths=(),
        resources=[resources] if there else [],
    )
    assert (outcome.passed, outcome.failed) == ((1, 0) if there else (0, 1)), outcome.log_tail


def test_on_a_machine_that_never_fetched_them_the_server_is_asked(tmp_path: Path) -> None:
    one = Resource(id="one", url="https://files.invalid/x", sha256="0" * 64, size=1, license="CC0-1.0")
    with pytest.raises(FetchFailed):
        resource_mount(External(destination="/opt/models", resources=(one,)), work=WorkFolder(root=tmp_path / "w"))
