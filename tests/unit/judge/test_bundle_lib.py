"""The library of a bundle is the engine's own files, and needs nothing but the standard library and pytest."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from judge.bundle_lib import copy_lib, lib_files


def test_files_are_the_engines_own_byte_for_byte(checkout: Path, tmp_path: Path) -> None:
    copy_lib(tmp_path)
    written = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert written == lib_files()
    assert {"_lib/taskpack/wire/same.py", "_lib/judge/harness/main.py", "conftest.py"} <= set(written)
    assert "_lib/environments/languages/python/driver_pack.py" in written
    for path, content in written.items():
        if content and path != "conftest.py":
            assert content == (checkout / path.removeprefix("_lib/")).read_bytes()


def test_no_file_imports_more_than_the_standard_library_pytest_and_its_neighbours() -> None:
    files = lib_files()
    for path, content in files.items():
        for node in ast.walk(ast.parse(content)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            for module in modules:
                known = module.partition(".")[0] in sys.stdlib_module_names or module.startswith(("pytest", "_pytest"))
                place = f"_lib/{module.replace('.', '/')}"
                assert known or f"{place}.py" in files or f"{place}/__init__.py" in files, (path, module)


def test_the_driver_loads_without_site_packages(tmp_path: Path) -> None:
    copy_lib(tmp_path)
    program = "import sys; sys.path.append(sys.argv[1]); import environments.driver.main, environments.languages.python.driver_pack"
    command = [sys.executable, "-I", "-S", "-c", program, str(tmp_path / "_lib")]
    assert subprocess.run(command, check=False).returncode == 0
