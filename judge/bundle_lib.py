"""The part of the engine that travels with every suite, byte for byte: wire, driver, harness."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from taskpack.files import write_bytes

_ROOT = Path(__file__).parents[1]
_FOLDERS = ("taskpack/wire", "environments/driver", "judge/harness")
_IMPORT_PATH = "judge/import_path.py"
_CONFTEST = "judge/harness/bundle_conftest.py"


def lib_files(language: str = "python") -> dict[str, bytes]:
    """Path within a suite's `tests/` -> content, sorted: `_lib/...` and `conftest.py`.

    Of the languages' packs only that of `language` comes along, and of it only its driver. Package files above the
    copied modules are empty: nothing else of those packages comes with them.
    """
    sources = [path for folder in _FOLDERS for path in (_ROOT / folder).glob("*.py")]
    sources += [_ROOT / _IMPORT_PATH, *_driver_files(_ROOT / "environments/languages" / language)]
    files = {f"_lib/{path.relative_to(_ROOT).as_posix()}": path.read_bytes() for path in sources}
    conftest = files.pop(f"_lib/{_CONFTEST}")
    modules = [PurePosixPath(path) for path in files if path.endswith(".py")]
    packages = {parent for path in modules for parent in path.parents if parent.parts[1:]}
    files = {f"{package}/__init__.py": b"" for package in packages} | files
    return dict(sorted((files | {"conftest.py": conftest}).items()))


def _driver_files(pack: Path) -> list[Path]:
    """What the driver of a pack is made of: its `driver*.py`, and a folder `wire` in the language itself."""
    return [*pack.glob("driver*.py"), *(path for path in (pack / "wire").rglob("*") if path.is_file())]


def copy_lib(dest: Path, language: str = "python") -> None:
    """Write `_lib` and `conftest.py` into `dest`, a suite's `tests` folder."""
    for path, content in lib_files(language).items():
        write_bytes(dest / path, content)
