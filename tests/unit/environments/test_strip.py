"""What is taken out of an environment because it is banned, and what stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments.languages.python.strip import strip
from taskpack.denylist import Denylist

BANS = Denylist(case_id="case900", ecosystem="pip", install_ban=("name-odd",), import_ban=("oldtally", "oldtally/"))


def lay(site: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return site


def left(site: Path) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())


OTHER_ROOT = {
    "Name_Odd-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: Name.Odd\n\n",
    "Name_Odd-1.0.dist-info/RECORD": "plain/__init__.py,,\nplain/deep/x.py,,\nalone.py,,\n../../bin/odd,,\nName_Odd-1.0.dist-info/METADATA,,\n",
    "Name_Odd-1.0.dist-info/entry_points.txt": "[console_scripts]\nodd-too = plain:main\n",
    "plain/__init__.py": "",
    "plain/deep/x.py": "",
    "alone.py": "",
    "__pycache__/alone.cpython-311.pyc": "",
    "bin/odd": "",
    "bin/odd-too": "",
}
KEPT = {
    "name_odd_tools/__init__.py": "",
    "name_odd_tools-1.0.dist-info/METADATA": "Name: name-odd-tools\n",
    "name_odd_tools-1.0.dist-info/RECORD": "name_odd_tools/__init__.py,,\n",
    "oldtallyx.py": "",
    "__pycache__/oldtallyx.cpython-311.pyc": "",
    "bin/kept": "",
}


def test_a_banned_distribution_goes_with_everything_it_recorded_whatever_that_is_called(tmp_path: Path) -> None:
    gone = strip(lay(tmp_path, OTHER_ROOT | KEPT), BANS)
    assert left(tmp_path) == sorted(KEPT)
    assert {"Name_Odd-1.0.dist-info", "plain/__init__.py", "bin/odd", "bin/odd-too"} <= set(gone)
    assert not (tmp_path / "plain").exists()


def test_a_banned_import_root_goes_whoever_brought_it(tmp_path: Path) -> None:
    roots = {"oldtally/__init__.py": "", "oldtally.cpython-311-x86_64-linux-gnu.so": "", "oldtally.pyi": ""}
    strip(lay(tmp_path, roots | KEPT), BANS)
    assert left(tmp_path) == sorted(KEPT)


@pytest.mark.parametrize("row", ["../outside/file", "/{outside}/file", "link/file", "../../../outside/file"])
def test_nothing_outside_the_folder_is_touched(tmp_path: Path, row: str) -> None:
    outside = lay(tmp_path / "outside", {"file": "x"})
    site = lay(tmp_path / "site", {"name_odd-1.dist-info/METADATA": "Name: name-odd\n"})
    (site / "name_odd-1.dist-info" / "RECORD").write_text(row.format(outside=str(outside).lstrip("/")) + ",,\n")
    (site / "link").symlink_to(outside)
    strip(site, BANS)
    assert left(outside) == ["file"]
    assert left(site) == []


def test_a_clean_environment_stays_as_it_is(tmp_path: Path) -> None:
    assert strip(lay(tmp_path, KEPT), BANS) == ()
    assert left(tmp_path) == sorted(KEPT)
