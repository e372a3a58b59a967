"""What is banned and lies in an environment: taken out, looked for, and told apart from parts of the language."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.denied import Kind, check_clean, look
from environments.interface import Sandbox
from environments.languages.python.strip import strip
from judge.judging import judge
from judge.masking import masks
from neutralize.submitted.scan import scan_workspace
from taskpack.denylist import Denylist
from taskpack.errors import EnvironmentFailed
from taskpack.verdict import Verdict

pytestmark = pytest.mark.sandbox

BANS = Denylist(
    case_id="case900",
    ecosystem="pip",
    install_ban=("oldtally", "@brass/tally-js", "host.example/bw/oldtally"),
    import_ban=("oldtally", "tomllib"),
)
OTHER_ROOT = {
    "oldtally-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: OldTally\n\n",
    "oldtally-1.0.dist-info/RECORD": "plain/__init__.py,,\n",
    "plain/__init__.py": "worked = True\n",
}


def lay(site: Path, files: dict[str, str | bytes]) -> Path:
    site.mkdir(exist_ok=True)
    site.chmod(0o755)
    for name, content in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return site


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return out.getvalue()


PLACES = {
    "oldtally/__init__.py": Kind.MODULE,
    "oldtally.py": Kind.MODULE,
    "oldtally.cpython-311-x86_64-linux-gnu.so": Kind.MODULE,
    "__pycache__/oldtally.cpython-311.pyc": Kind.MODULE,
    "OldTally-1.0.dist-info/METADATA": Kind.METADATA,
    "own/_vendor/oldtally/__init__.py": Kind.VENDORED,
    "own/extern/oldtally.py": Kind.VENDORED,
    "bin/oldtally": Kind.PROGRAM,
    "own/wheels/oldtally-1.0-py3-none-any.whl": Kind.ARCHIVE,
    "own/bundled.whl": Kind.ARCHIVE,
    "lib/liboldtally.so.1": Kind.SHARED,
    "include/oldtally.h": Kind.HEADER,
    "lib/node_modules/@brass/tally-js/index.js": Kind.NODE,
    "lib/node_modules/oldtally/index.js": Kind.NODE,
    "go/pkg/mod/host.example/bw/oldtally@v1.0.0/x.go": Kind.VENDORED,
}


@pytest.mark.parametrize("place", PLACES)
def test_each_way_to_be_there_is_found_and_fails_the_build(sandbox: Sandbox, tmp_path: Path, place: str) -> None:
    content = zipped("own/_vendor/oldtally/__init__.py") if place.endswith("bundled.whl") else b""
    site = lay(tmp_path / "site", {place: content})
    with pytest.raises(EnvironmentFailed, match="bans") as failed:
        check_clean(BANS, sandbox=sandbox, site=site)
    assert any(str(PLACES[place]) in fact for fact in failed.value.details.values()), failed.value.details


def test_a_folder_without_code_that_python_would_import_is_found(sandbox: Sandbox, tmp_path: Path) -> None:
    site = lay(tmp_path / "site", {"oldtally/part.txt": ""})
    assert [one.kind for one in look(BANS, sandbox=sandbox, site=site) if one.token == "oldtally"] == [Kind.MODULE]


def test_parts_of_the_language_are_told_apart(sandbox: Sandbox, tmp_path: Path) -> None:
    site = lay(tmp_path / "site", {
        "oldtallyx.py": "", "own/oldtally_like.py": "", "oldtally_tools-1.dist-info/METADATA": "", "bin/oldtally-x": "",
        "own/data/oldtally.txt": "", "own/bundled.whl": zipped("own/oldtally_like.py"),
    })  # fmt: skip
    kept = check_clean(BANS, sandbox=sandbox, site=site)
    assert {one.kind for one in kept} == {Kind.LIBRARY}
    assert {one.token for one in kept} == {"tomllib"}


@pytest.fixture
def ask(sandbox: Sandbox, bench_site: Path, suite: Path, workspace: Path) -> Callable[[Path], Verdict]:
    """Judge a product that rests on `plain`, before every other layer."""
    module = workspace / "src" / "tally" / "ledger.py"
    module.write_text(f"from plain import worked\nassert worked\n{module.read_text()}")

    def judged(site: Path) -> Verdict:
        return judge(
            suite,
            workspace,
            sandbox=sandbox,
            bench_site=bench_site,
            product_site=site,
            seed="tally",
            denied=lambda root: scan_workspace(root, BANS).causes,
            masked=masks(BANS, sandbox=sandbox),
        )

    return judged


def test_a_banned_distribution_under_another_import_root_is_stopped_by_the_strip_alone(
    ask: Callable[[Path], Verdict], sandbox: Sandbox, tmp_path: Path
) -> None:
    site = lay(tmp_path / "site", OTHER_ROOT)
    assert ask(site).reward == 1
    assert strip(site, BANS)
    check_clean(BANS, sandbox=sandbox, site=site)
    assert ask(site).reward == 0


def test_a_package_whose_name_begins_with_the_banned_one_stays(ask: Callable[[Path], Verdict], tmp_path: Path) -> None:
    files = {
        name.replace("oldtally", "oldtally_tools"): text.replace("OldTally", "oldtally-tools")
        for name, text in OTHER_ROOT.items()
    }
    site = lay(tmp_path / "site", files)
    assert strip(site, BANS) == ()
    assert ask(site).reward == 1


def test_a_vendored_copy_in_a_dependency_is_stopped_by_the_probe_alone(
    ask: Callable[[Path], Verdict], sandbox: Sandbox, tmp_path: Path
) -> None:
    site = lay(tmp_path / "site", {
        "plain/__init__.py": "from plain._vendor.oldtally import worked\n",
        "plain/_vendor/oldtally/__init__.py": "worked = True\n",
    })  # fmt: skip
    assert strip(site, BANS) == ()
    assert ask(site).reward == 1
    with pytest.raises(EnvironmentFailed, match="bans"):
        check_clean(BANS, sandbox=sandbox, site=site)
