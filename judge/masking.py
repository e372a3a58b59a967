"""Which paths the product sandbox covers because a case bans them. A ban of what the driver itself needs is refused."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import PurePosixPath

from environments.denied import Finding, Kind, look
from environments.interface import Launch, Sandbox
from judge.bundle_lib import lib_files
from taskpack.denylist import Denylist
from taskpack.errors import BadInput, SandboxFailed

LANGUAGES = ("python", "javascript", "go", "command")
_TABLE = "driver_preload.py"
"""Where modules stand by their names, as texts."""
_OURS = frozenset({"environments", "judge", "taskpack", "pytest", "__future__"})
_LOADED = """
import contextlib, importlib, json, sys
for name in json.loads(sys.argv[1]):
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
files = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
files |= {line.split()[-1] for line in open("/proc/self/maps") if "/" in line}  # shared libraries
print(json.dumps(sorted(files)))
"""


def masks(listed: Denylist, *, sandbox: Sandbox) -> tuple[str, ...]:
    """Every path of the base that a ban covers, sorted.

    Raises `BadInput` when the driver could not start behind them, or when what is banned is a part of the interpreter.
    """
    found = look(listed, sandbox=sandbox)
    needed = driver_files(sandbox)
    for one in found:
        if one.kind is Kind.INTERPRETER:
            raise _refusal(one, "it is compiled into the interpreter, so nothing can cover it")
        user = next((file for file in needed if PurePosixPath(file).is_relative_to(one.path)), "")
        if user:
            raise _refusal(one, f"the judge's own driver loads {user}")
    return tuple(sorted({one.path for one in found}))


def driver_files(sandbox: Sandbox) -> tuple[str, ...]:
    """Files of the base that the driver of any language has loaded, or may load later, and the interpreter."""
    argv = [sandbox.python, "-I", "-S", "-c", _LOADED, json.dumps(list(driver_imports()))]
    done = sandbox.run(Launch(argv=argv))
    if done.exit_code != 0:
        raise SandboxFailed(
            "what the driver loads could not be found out",
            details={"stderr": done.stderr.decode("utf-8", "replace")[-400:]},
            remedy="run the same command again",
        )
    return (*(name for name in json.loads(done.stdout) if name), sandbox.python)


@cache
def driver_imports() -> tuple[str, ...]:
    """Modules that an import statement of the travelling code names, wherever it stands; sorted."""
    names: set[str] = set()
    for language in LANGUAGES:
        for path, data in lib_files(language).items():
            if path.endswith(".py") and "judge/harness" not in path:
                tree = ast.parse(data)
                names |= {*_imports(tree), *(_texts(tree) if path.endswith(_TABLE) else ())}
    return tuple(sorted(name for name in names if name.partition(".")[0] not in _OURS))


def _imports(tree: ast.Module) -> list[str]:
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return names


def _texts(tree: ast.Module) -> list[str]:
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [text for text in texts if all(part.isidentifier() for part in text.split("."))]


def _refusal(found: Finding, fact: str) -> BadInput:
    return BadInput(
        f"the denylist bans {found.token}, which cannot be covered in the product sandbox",
        details={"place": found.path, "fact": fact},
        remedy="take the ban out of the case's denylist; the static scan alone cannot enforce it",
    )
