"""Published bundles of an invented upstream, in the old style and in the new one, as their makers lay them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TERMS = ["brassmonocle", "brass-monocle", "brass_monocle", "monocleworks/brassmonocle", "Ada Quillfeather", "fetch"]
PRD = "# Vexsum — Full Product Requirements Document\n\n## Product overview\n\nCounts marks in lines of text.\n"
CONTRACT = "## Package and layout\n\nDistribution `vexsum`, import root `vexsum`.\n"
RUNNER = {"language_label": "Python (pytest)", "install_command": "pip install pytest==9.0.3", "build_command": ""}


def new_style(root: Path) -> Path:
    """One case without any word of its upstream but where that is meant to be."""
    manifest = {
        "schema_version": 3,
        "case_id": root.name,
        "sensitive_terms": TERMS,
        "runner": RUNNER,
        "init_metadata": {"suggested_neutral_name": "vexsum", "tech_stack": "Pure Python"},
        "status": "released",
    }
    return _write(root, manifest, groups={"F00": ["tests/_harness.py"], "F01": ["tests/F01_acceptance.py"]})


def old_style(root: Path) -> Path:
    """As `new_style`, with the provenance that manifests had in the old style, and the evidence of the authors."""
    manifest = {
        "schema_version": 3,
        "case_id": root.name,
        "repo_slug": "monocleworks/brassmonocle",
        "repository_url": "https://github.com/monocleworks/brassmonocle",
        "commit": "0f" * 20,
        "sensitive_terms": TERMS,
        "runner": RUNNER,
        "hardware_requirements": {"schema_version": 1, "summary": "CPU", "profiles": []},
        "init_metadata": {"suggested_neutral_name": "vexsum", "tech_stack": "Pure Python"},
        "status": "draft",
    }
    _write(root, manifest, groups=[{"feature_ids": ["F01"], "test_files": ["tests/F01_acceptance.py"]}])
    put(root / "public/Hardware_Requirements.md", "Any machine.\n")
    put(root / "milestones/final/review_verdict.json", {"passed": True, "repair_owner": "none"})
    put(root / "milestones/final/test_usage.json", {"schema_version": 2, "modules": ["vexsum"], "names": []})
    return root


def _write(root: Path, manifest: dict[str, Any], *, groups: Any) -> Path:
    put(root / "public/Full_PRD.md", PRD)
    put(root / "public/Interface_Contract.md", CONTRACT)
    put(root / "source/manifest.json", manifest)
    put(root / "source/recipe.lock.json", {"schema_version": 1, "case_id": root.name, "runner": RUNNER})
    put(
        root / "source/denylist.json",
        {
            "schema_version": 1,
            "case_id": root.name,
            "ecosystem": "pip",
            "install_ban": ["brassmonocle"],
            "import_ban": ["brassmonocle"],
            "notes": "",
        },
    )
    put(root / "milestones/final/test_manifest.json", {"schema_version": 3, "execution_groups": groups})
    put(root / "milestones/final/tests/F01_acceptance.py", "# feature: F01\ndef test_counts() -> None: ...\n")
    put(root / "milestones/final/tests/_harness.py", "def call() -> None: ...\n")
    put(root / "controls/always_accept/app/vexsum.py", "def total(): return 0\n")
    put(root / "controls/always_accept/expect.json", {"reward": 0, "note": "hollow"})
    return root


def put(path: Path, content: Any) -> None:
    """Text or bytes as they are, anything else as JSON the way makers write it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(
            content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        )
