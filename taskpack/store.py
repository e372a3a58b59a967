"""The stage store: results kept under the digest of what they were made from, read without Prefect.

`<stages>/<stage>/v<VERSION>/<digest>/` holds `result.json` and, where a stage makes files, `tree/`. A folder appears
whole or not at all. Rejections are answers and are kept; waits are not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from taskpack.files import publish_folder, space_errors, write_bytes
from taskpack.record import Record, to_json
from taskpack.scratch import SCRATCH, temporary_folder


@dataclass(frozen=True, kw_only=True)
class StageKey:
    """Identity of a stage's result: its name, its own version, and the digests of its inputs by name."""

    stage: str
    version: int
    inputs: Mapping[str, str]

    @property
    def digest(self) -> str:
        return hashlib.sha256(to_json(dict(self.inputs))).hexdigest()


@dataclass(frozen=True, kw_only=True)
class StageStore:
    """Results of stages below `root`."""

    root: Path

    def folder(self, key: StageKey) -> Path:
        return self.root / key.stage / f"v{key.version}" / key.digest

    def tree(self, key: StageKey) -> Path:
        """The files a stage made; they exist only with a result."""
        return self.folder(key) / "tree"

    def load(self, key: StageKey, kinds: tuple[type[Record], ...]) -> Record | None:
        """The stored result, as the first of `kinds` that reads it; None when there is none."""
        path = self.folder(key) / "result.json"
        if not path.is_file():
            return None
        data = path.read_bytes()
        for kind in kinds[:-1]:
            try:
                return kind.from_bytes(data, where=str(path))
            except Exception:  # noqa: BLE001, S112 (another kind of result)
                continue
        return kinds[-1].from_bytes(data, where=str(path))

    def scratch(self) -> AbstractContextManager[Path]:
        """A folder on the store's own file system, gone afterwards unless it was kept."""
        return temporary_folder(self.root, prefix=SCRATCH)

    def keep(self, key: StageKey, result: Record, scratch: Path) -> None:
        """Publish `result`, and `scratch/tree` when it exists, under `key`."""
        with space_errors(scratch):
            write_bytes(scratch / "inputs.json", to_json(dict(key.inputs)))
            write_bytes(scratch / "result.json", result.to_bytes())
        publish_folder(scratch, self.folder(key))
