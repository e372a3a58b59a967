"""The product's environment searched for its code, inside the sandbox that it is judged in."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments.choose import choose_sandbox
from environments.interface import Launch
from judge.subject import Around, Subject
from neutralize.copies.fingerprint import fingerprint
from neutralize.copies.gate import check_copies, copies_around
from taskpack.denylist import Denylist
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.receipt import GateVerdict
from taskpack.verdict import Verdict
from validation.selftest import lay_out, site_of

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]
GATES = Path(__file__).parents[2] / "gates"


def never(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
    raise AssertionError("a search needs no verdict")


def subject(case: CaseFolder, reference: Path, folder: Path, *, ban: str, site: Path | None) -> Subject:
    listed = Denylist(case_id=case.id, ecosystem="pip", install_ban=(ban,), import_ban=(ban,))
    case.denylist.write_bytes(listed.model_dump_json().encode())
    around = Around(sandbox=choose_sandbox(WorkFolder(root=folder / "work")), site=site)
    return Subject(case=case, reference=reference, scratch=folder, judge=never, around=around)


def test_a_copy_blocks_release_until_it_is_banned(tmp_path: Path) -> None:
    case, reference = lay_out(GATES / "_base", GATES / "NEU-COPIES" / "defect", tmp_path / "laid")
    free = subject(case, reference, tmp_path, ban="elsewhere", site=site_of(case))
    result = check_copies(free)
    assert result.verdict is GateVerdict.FAIL
    found, *notes = result.evidence
    assert found.startswith("/env/site/coinage: source, ")
    assert "too few words of its own" in notes[-1]
    banned = check_copies(subject(case, reference, tmp_path, ban="coinage", site=site_of(case)))
    assert banned.verdict is GateVerdict.PASS
    assert banned.evidence == (f"banned: {found}", *notes)


@pytest.mark.full
def test_a_twin_in_the_standard_library_is_found_by_its_content(tmp_path: Path) -> None:
    case, _ = lay_out(GATES / "_base", None, tmp_path / "laid")
    seen = subject(case, tmp_path / "renamed", tmp_path, ban="elsewhere", site=None)
    assert seen.around is not None
    command = "import pathlib, tomllib; print(pathlib.Path(tomllib.__file__).with_name('_parser.py').read_text())"
    sandbox = seen.around.sandbox
    done = sandbox.run(Launch(argv=[sandbox.python, "-I", "-S", "-c", command]))
    (tmp_path / "renamed").mkdir()
    text = done.stdout.decode().replace("parse_", "zz_").replace("skip_", "yy_").replace("flags", "xx")
    (tmp_path / "renamed" / "other.py").write_text(text)
    searched = copies_around(seen.around, fingerprint(tmp_path / "renamed").to_bytes())
    places = [copy.place for copy in searched.copies if copy.kind == "source"]
    assert len(places) == 1
    assert places[0].endswith("/tomllib")


def test_a_preview_base_is_not_taken_for_the_environment_of_the_task(tmp_path: Path) -> None:
    case, reference = lay_out(GATES / "_base", GATES / "NEU-COPIES" / "twin", tmp_path / "laid")
    seen = subject(case, reference, tmp_path, ban="elsewhere", site=site_of(case))
    assert seen.around is not None
    if not seen.around.sandbox.base.startswith("preview:"):
        pytest.skip("a root file system of the recipe is here")
    packages = check_copies(seen)
    assert packages.verdict is GateVerdict.PASS
    assert any("preview base was not searched" in line for line in packages.evidence)
    assert check_copies(subject(case, reference, tmp_path, ban="elsewhere", site=None)).verdict is GateVerdict.SKIP
