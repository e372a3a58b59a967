"""Verdicts about workspaces with what is banned in them: one outcome, and layers that each stop what the others pass.

The layers here are the scan of what was submitted and the masks of the product sandbox; those of the environment are in
`test_environments_denied.py`, those of the shims in `tests/unit/environments/test_shims.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.judging import judge
from judge.masking import masks
from neutralize.submitted.report import PREFIX
from neutralize.submitted.scan import scan_workspace
from taskpack.denylist import Denylist
from taskpack.errors import BadInput
from taskpack.verdict import Judged, NodeResult, Verdict

pytestmark = pytest.mark.sandbox

BANS = Denylist(
    case_id="case900",
    ecosystem="pip",
    install_ban=("oldtally", "env"),
    import_ban=("oldtally", "tomllib", "tomllib/"),
)
WIDE = "".join(chr(ord(char) + 0xFEE0) for char in "oldtally")

Ask = Callable[..., Verdict]


@pytest.fixture
def ask(sandbox: Sandbox, bench_site: Path, suite: Path) -> Ask:
    """Judge a workspace with the layers that are asked for."""

    def judged(workspace: Path, *, scanned: bool = True, masked: bool = True) -> Verdict:
        return judge(
            suite,
            workspace,
            sandbox=sandbox,
            bench_site=bench_site,
            product_site=None,
            seed="tally",
            denied=(lambda root: scan_workspace(root, BANS).causes) if scanned else (lambda _: ()),
            masked=masks(BANS, sandbox=sandbox) if masked else (),
        )

    return judged


def rests_on(workspace: Path, code: str) -> None:
    """The product is right as long as `code` does its work: its total is what that leaves in `worked`."""
    module = workspace / "src" / "tally" / "ledger.py"
    module.write_text(f"{code}\nassert worked\n{module.read_text()}")


def reward(verdict: Verdict) -> int | None:
    assert verdict.outcome is Judged.JUDGED
    return verdict.reward


VENDORED = {
    "helpers/__init__.py": "",
    "helpers/parts.py": f"try:\n    from {WIDE}.ledger import Ledger\nexcept ImportError:\n    Ledger = None\nworked = True\n",
}


def vendor(workspace: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = workspace / "src" / "tally" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    rests_on(workspace, "from tally.helpers.parts import worked")


def test_a_vendored_copy_with_its_import_in_full_width_letters_is_stopped_by_the_scan_alone(
    workspace: Path, ask: Ask
) -> None:
    vendor(workspace, VENDORED)
    assert reward(ask(workspace, scanned=False)) == 1
    verdict = ask(workspace)
    assert reward(verdict) == 0
    assert verdict.causes == (f"{PREFIX}oldtally: src/tally/helpers/parts.py:2: from {WIDE}.ledger import Ledger",)
    assert {node.result for node in verdict.nodes} == {NodeResult.MISSING}


def test_a_helper_that_only_tells_of_the_banned_thing_scores_1(workspace: Path, ask: Ask) -> None:
    vendor(workspace, {
        "helpers/__init__.py": "",
        "helpers/parts.py": '"""Not from oldtally.ledger import Ledger."""\n# import oldtally\nworked = "oldtally"\n',
    })  # fmt: skip
    (workspace / "README.md").write_text("Unlike oldtally: pip install oldtally, import oldtally.\n")
    assert reward(ask(workspace)) == 1


STANDARD = 'import importlib\nworked = importlib.import_module(bytes.fromhex("746f6d6c6c6962").decode()).loads("a = 1")'
PROGRAM = 'import subprocess\nworked = subprocess.run(["".join(map(chr, [101, 110, 118])), "true"]).returncode == 0'


@pytest.mark.parametrize("code", [STANDARD, PROGRAM], ids=["standard module", "program"])
def test_a_name_built_at_run_time_is_stopped_by_the_masks_alone(workspace: Path, ask: Ask, code: str) -> None:
    rests_on(workspace, code)
    assert reward(ask(workspace, masked=False)) == 1
    verdict = ask(workspace)
    assert reward(verdict) == 0
    assert not any(cause.startswith(PREFIX) for cause in verdict.causes)


@pytest.mark.parametrize(
    "code",
    [
        STANDARD.replace("746f6d6c6c6962", "6a736f6e"),  # json
        PROGRAM.replace("[101, 110, 118]", "[116, 114, 117, 101]"),  # true
    ],
    ids=["standard module", "program"],
)
def test_the_masks_leave_everything_else(workspace: Path, ask: Ask, code: str) -> None:
    rests_on(workspace, code.replace('loads("a = 1")', 'loads("1")'))
    assert reward(ask(workspace)) == 1


@pytest.mark.parametrize(
    ("root", "fact"), [("json", "driver loads"), ("_sre", "compiled into"), ("socket", "driver loads")]
)
def test_a_ban_of_what_the_driver_needs_is_refused(sandbox: Sandbox, root: str, fact: str) -> None:
    bans = BANS.model_copy(update={"import_ban": (root,), "install_ban": ("oldtally",)})
    with pytest.raises(BadInput, match="cannot be covered") as refused:
        masks(bans, sandbox=sandbox)
    assert fact in refused.value.details["fact"]


def test_what_is_not_there_needs_no_mask(sandbox: Sandbox) -> None:
    assert (
        masks(BANS.model_copy(update={"import_ban": ("oldtally",), "install_ban": ("oldtally",)}), sandbox=sandbox)
        == ()
    )
