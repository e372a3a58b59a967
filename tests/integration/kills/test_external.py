"""A whole run of the tiny case with a file from elsewhere, on a machine that has fetched it before: the server is gone."""

from __future__ import annotations

import hashlib
import json
import tarfile
from pathlib import Path

import pytest

from taskpack.external import External
from tests.tiny import CASE, lay_out, make_index

pytestmark = [pytest.mark.sandbox, pytest.mark.full, pytest.mark.timeout(1800)]

RATES = b"EUR 1.0\n"
ASKED = f"""
[hardware]
summary = "One small machine is enough."
memory_mb = 256

[external]
destination = "/opt/models"

[[external.resources]]
id = "rates"
url = "https://files.invalid/v1/rates.txt"
sha256 = "{hashlib.sha256(RATES).hexdigest()}"
size = {len(RATES)}
license = "CC0-1.0"
"""


def names(archive: Path) -> set[str]:
    with tarfile.open(archive) as tar:
        return {info.name.partition("/")[2] for info in tar}


def test_it_is_in_the_bundle_for_whoever_needs_it(room: Path) -> None:
    tiny = lay_out(room / "external", make_index(room / "external-index"))
    tiny.case.order.write_text(tiny.case.order.read_text() + ASKED)
    silent = tiny.author(timeout=900)
    assert silent.returncode == 5, silent.stderr
    assert "the resource rates cannot be fetched" in silent.stderr
    tiny.work.resources.mkdir(parents=True, exist_ok=True)
    (tiny.work.resources / hashlib.sha256(RATES).hexdigest()).write_bytes(RATES)
    done = tiny.author("--json", timeout=900)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    bundle = Path(json.loads(done.stdout)["bundle"])
    assert "public/Hardware_Requirements.md" in names(bundle / f"{CASE}-solver.tar.gz")
    assert "source/env/resources.json" in names(bundle / f"{CASE}-harness.tar.gz")
    assert "`/opt/models/rates.txt` | 8 | CC0-1.0" in tiny.case.hardware.read_text()
    assert External.from_harness(tiny.case.resources.read_bytes()).resources[0].size == len(RATES)
