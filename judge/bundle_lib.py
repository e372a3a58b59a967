"""The part of the engine that travels with every suite, byte for byte: wire, driver, harness."""

from __future__ import annotations

from pathlib import Path

from taskpack.files import write_bytes

_ROOT = Path(__file__).parents[1]
_FOLDERS = ("taskpack/wire", "judge/harness")
_DRIVER = "environments/languages/python"
_IMPORT_PATH = "judge/import_path.py"
_CONFTEST = "judge/harness/bundle_conftest.py"
_EMPTY = (
    "environments/__init__.py",
    "environments/languages/__init__.py",
    "environments/languages/python/__init__.py",
    "judge/__init__.py",
    "taskpack/__init__.py",
)


def lib_files() -> dict[str, bytes]:
    """Path within a suite's `tests/` -> content, sorted: `_lib/...` and `conftest.py`.

    Package files above the copied modules are empty: nothing else of those packages comes along.
    """
    sources = [path for folder in _FOLDERS for path in (_ROOT / folder).glob("*.py")]
    sources += (_ROOT / _DRIVER).glob("driver*.py")
    sources.append(_ROOT / _IMPORT_PATH)
    files = {f"_lib/{path.relative_to(_ROOT).as_posix()}": path.read_bytes() for path in sources}
    conftest = files.pop(f"_lib/{_CONFTEST}")
    files |= {f"_lib/{path}": b"" for path in _EMPTY}
    return dict(sorted((files | {"conftest.py": conftest}).items()))


def copy_lib(dest: Path) -> None:
    """Write `_lib` and `conftest.py` into `dest`, a suite's `tests` folder."""
    for path, content in lib_files().items():
        write_bytes(dest / path, content)
