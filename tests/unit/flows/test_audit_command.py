"""`repowright audit`: what it is pointed at, what it knows, how it ends, what it refuses."""

from __future__ import annotations

import ctypes
import datetime as dt
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from authoring.pin import pin
from flows.audit_runs import EXITS
from flows.auditing import today
from flows.exits import MEANINGS
from flows.main import app
from neutralize.audit.report import Answer, Mode
from neutralize.known.facts import Fact, Known
from neutralize.known.stored import stored
from taskpack.errors import BadInput, RecordUnreadable, RepowrightError
from taskpack.layout import WorkFolder
from taskpack.order import Order
from taskpack.pin import Pin
from taskpack.rename import Grade, Names, RenameMap, Term
from tests.bundles import TERMS, new_style, old_style, put

LATER = (today() + dt.timedelta(days=30)).isoformat()


class Ground:
    """A folder of cases, a work directory, and the command in them."""

    def __init__(self, root: Path, checkout: Path) -> None:
        self.root = root
        self.cases = root / "cases"
        self.work = root / "work"
        self.cases.mkdir()
        self._order = (checkout / "cases/case001/order.toml").read_text()

    def case(self, name: str = "case901") -> Path:
        """A case of ours without a pin: its names are known, its documents hold none."""
        root = new_style(self.cases / name)
        put(root / "order.toml", self._order.replace("case001", name))
        terms = tuple(
            Term(surface=surface, grade=grade, kind="project", sources=("order",))
            for surface, grade in (("brass-monocle", Grade.IDENTIFYING), ("fetch", Grade.GENERIC))
        )
        names = Names(
            map=RenameMap(renames=()), terms=terms, checks=("kept: public names that stay as they are: none",)
        )
        put(root / "provenance/names.json", names.to_bytes())
        put(root / "provenance/replies/x.json", {"said": "brassmonocle"})
        return root

    def run(self, *words: str | Path) -> Result:
        places = ["--cases", str(self.cases), "--work", str(self.work)]
        return CliRunner().invoke(app, ["audit", *map(str, words), *places])

    def json(self, *words: str | Path) -> Any:
        return json.loads(self.run(*words, "--json").stdout)

    def refused(self, *words: str | Path, kind: type[RepowrightError] = BadInput) -> str:
        """How the command complains."""
        result = self.run(*words)
        assert isinstance(result.exception, kind), (result.exception, result.stdout)
        assert result.exception.remedy
        return result.exception.render()


@pytest.fixture
def ground(tmp_path: Path, checkout: Path) -> Ground:
    return Ground(tmp_path, checkout)


def test_every_answer_has_an_exit_code_of_its_own_with_a_meaning() -> None:
    assert set(EXITS) == set(Answer)
    assert len(set(EXITS.values())) == len(Answer)
    assert {int(code) for code in EXITS.values()} <= MEANINGS.keys()
    assert [answer for answer, code in EXITS.items() if code == 0] == [Answer.NEUTRAL]


def test_a_case_by_id_without_its_pin_is_audited_with_its_names(ground: Ground) -> None:
    ground.case()
    result = ground.run("case901")
    assert result.exit_code == 0, result.stdout
    assert "neutral: 0 HITS, 0 REVIEWS, 0 not scanned" in result.stdout
    assert "with a term list alone" in result.stdout
    document = ground.json("case901")
    assert (document["kind"], document["mode"], document["answer"]) == ("case", "terms", "neutral")
    left = {one["path"] for one in document["coverage"]["left_out"]}
    assert {"order.toml", "provenance/names.json", "provenance/replies/x.json", "source/denylist.json"} <= left


def test_a_case_by_its_folder_is_the_case_by_its_id(ground: Ground) -> None:
    case = ground.case()
    assert ground.json(case) == ground.json("case901")


def test_the_pinned_files_give_terms_that_no_list_has(ground: Ground, checkout: Path) -> None:
    case = ground.case()
    put(case / "public/Full_PRD.md", "As OldTally does.\n")
    assert ground.run("case901").exit_code == 0
    result = ground.run("case901", "--tree", checkout / "tests/data/neutralize/oldtally", "--json")
    document = json.loads(result.stdout)
    assert (document["mode"], document["answer"], result.exit_code) == ("pin", "names its source", 1)
    assert {one["name"] for one in document["inputs"]} == {"audited", "entries", "names", "pin"}


def test_a_published_bundle_brings_its_own_terms(ground: Ground) -> None:
    root = old_style(ground.root / "case102")
    document = ground.json(root)
    assert (document["kind"], document["mode"], document["answer"]) == ("bundle", "terms", "names its source")
    assert {place["visibility"] for place in document["findings"]} == {"harness"}
    assert ground.run(new_style(ground.root / "case101")).exit_code == 0


def test_a_folder_without_names_is_never_neutral(ground: Ground) -> None:
    put(ground.root / "some/readme.md", "Nothing to see.\n")
    result = ground.run(ground.root / "some")
    assert result.exit_code == EXITS[Answer.UNKNOWN]
    assert "nothing known:" in result.stdout
    put(ground.root / "some/more.7z", b"7z\xbc\xaf\x27\x1c")
    assert ground.run(ground.root / "some").exit_code == EXITS[Answer.INCOMPLETE]


def test_a_term_list_is_used_beside_what_a_bundle_carries(ground: Ground) -> None:
    root = new_style(ground.root / "case101")
    put(root / "public/Full_PRD.md", "By the old guild and brass-monocle.\n")
    put(ground.root / "terms.txt", "# more\nold guild\n")
    document = ground.json(root, "--terms", ground.root / "terms.txt")
    assert {place["surface"] for place in document["findings"]} == {"old guild", "brass-monocle"}
    assert "terms" in {one["name"] for one in document["inputs"]}


def test_a_single_file_is_audited_with_its_name(ground: Ground) -> None:
    put(ground.root / "brassmonocle.md", "x\n")
    put(ground.root / "terms.txt", "brassmonocle\n")
    document = ground.json(ground.root / "brassmonocle.md", "--terms", ground.root / "terms.txt")
    assert (document["kind"], [place["view"] for place in document["findings"]]) == ("file", ["path"])


def test_the_authors_file_changes_what_is_looked_for(ground: Ground) -> None:
    case = ground.case()
    put(case / "public/Full_PRD.md", "By the old guild, which can fetch.\n")
    assert ground.run("case901").exit_code == EXITS[Answer.DECISIONS]
    put(
        case / "provenance/terms.toml",
        'schema_version = 1\n[[add]]\nsurface = "old guild"\ngrade = "I"\nreason = "their forum"\n'
        '[[regrade]]\nsurface = "fetch"\ngrade = "I"\nreason = "no verb here"\n',
    )
    document = ground.json("case901")
    assert [place["found"] for place in document["findings"]] == ["hit", "hit"]
    assert any("1 added and 1 regraded" in note for note in document["notes"])


def test_the_report_is_the_same_bytes_twice(ground: Ground) -> None:
    case = ground.case()
    put(case / "public/Full_PRD.md", "It will fetch brassmonocle.\n")
    for words in (("case901", "--json"), ("case901", "--json", "--shareable"), ("case901",)):
        assert ground.run(*words).stdout == ground.run(*words).stdout


def test_the_shareable_form_holds_no_name_and_its_key_is_private(ground: Ground) -> None:
    case = ground.case()
    put(case / "public/Full_PRD.md", "See brass_monocle.\n")
    put(case / "public/brassmonocle/x.md", "BrassMonocle\n")
    log = ground.root / "log.sarif"
    for words in (("--json",), ()):
        told = ground.run("case901", "--shareable", "--sarif", log, *words).stdout + log.read_text()
        assert "monocle" not in told.lower()
        assert "T001" in told
    assert (ground.work / "audit/key").stat().st_mode & 0o777 == 0o600
    assert "monocle" in ground.run("case901", "--sarif", log).stdout.lower()
    elsewhere = case.rename(ground.root / "brassmonocle-1.4")
    put(elsewhere / "public/Full_PRD.md", "See brass_monocle.\n" * 50)
    told = ground.run(elsewhere, "--shareable").stdout
    assert "monocle" not in told.lower()
    assert "32 more findings: the same command with --limit 0" in told
    assert json.loads(log.read_text())["version"] == "2.1.0"


def test_long_lists_are_cut_with_a_count_and_the_way_to_the_rest(ground: Ground) -> None:
    case = ground.case()
    put(case / "public/Full_PRD.md", "brassmonocle\n" * 50)
    shown = ground.run("case901").stdout
    assert shown.count(" HIT ") == 20
    assert "and 30 more findings: repowright audit case901" in shown.replace("\n  ", " ")
    assert "--limit 0" in shown
    assert ground.run("case901", "--limit", "0").stdout.count(" HIT ") == 50
    assert len(ground.json("case901")["findings"]) == 50


def test_a_review_is_waived_by_its_number_until_its_line_changes(ground: Ground) -> None:
    case = ground.case()
    put(case / "public/Full_PRD.md", "It will fetch the next row.\n")
    assert ground.run("case901").exit_code == EXITS[Answer.DECISIONS]
    done = ground.run("case901", "--waive", "1", "--reason", "a verb", "--until", LATER)
    assert done.exit_code == 0, done.exception
    assert "It will fetch the next row." in done.stdout
    after = ground.run("case901")
    assert after.exit_code == 0
    assert f"is waived until {LATER}: a verb" in after.stdout
    put(case / "public/Full_PRD.md", "It will fetch the last row.\n")
    again = ground.run("case901")
    assert again.exit_code == EXITS[Answer.DECISIONS]
    assert "is about nothing that is found" in again.stdout


def test_decisions_on_a_bundle_of_others_go_to_a_file_that_is_named(ground: Ground) -> None:
    root = new_style(ground.root / "case101")
    put(root / "public/Full_PRD.md", "It will fetch the next row.\n")
    words = ("--waive", "1", "--reason", "a verb", "--until", LATER)
    assert "--waivers" in ground.refused(root, *words)
    file = ground.root / "decisions.json"
    assert "--waivers" in ground.refused(root, "--waivers", file)
    assert ground.run(root, "--waivers", file, *words).exit_code == 0
    assert ground.run(root, "--waivers", file).exit_code == 0
    assert ground.run(root).exit_code == EXITS[Answer.DECISIONS]


def test_a_hit_is_not_waived(ground: Ground) -> None:
    case = ground.case()
    put(case / "public/Full_PRD.md", "brassmonocle\n")
    words = ("--reason", "x", "--until", LATER)
    assert "is a HIT" in ground.refused("case901", "--waive", "1", *words)
    assert not (case / "provenance/waivers.json").exists()


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (("--waive", "9", "--reason", "x", "--until", LATER), "no finding 9"),
        (("--waive", "0", "--reason", "x", "--until", LATER), "no finding 0"),
        (("--waive", "1", "--until", LATER), "needs a reason"),
        (("--waive", "1", "--reason", "  ", "--until", LATER), "needs a reason"),
        (("--waive", "1", "--reason", "x"), "last day"),
        (("--waive", "1", "--reason", "x", "--until", "soon"), "no date"),
        (("--waive", "1", "--reason", "x", "--until", "2020-01-01"), "past"),
        (("--reason", "x"), "--waive"),
    ],
)
def test_a_waiver_that_says_too_little_is_refused_and_nothing_is_written(
    ground: Ground, words: tuple[str, ...], fact: str
) -> None:
    case = ground.case()
    put(case / "public/Full_PRD.md", "It will fetch the next row.\n")
    assert fact in ground.refused("case901", *words)
    assert not (case / "provenance/waivers.json").exists()


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ((), "PATH, --all or --history"),
        (("case901", "--all"), "PATH, --all or --history"),
        (("nowhere",), "case901"),
        (("",), "case901"),
        (("/dev/null",), "neither folder nor file"),
        (("case901", "--tree", "/nowhere"), "--tree"),
        (("case901", "--terms", "/nowhere"), "--terms"),
        (("case901", "--waivers", "/nowhere"), "--waivers"),
        (("--all", "--sarif", "x"), "--sarif"),
        (("--history", "case901"), "no audit"),
        (("--history", "case901", "--terms", "x"), "--terms"),
    ],
)
def test_what_cannot_be_audited_is_refused_with_the_fact(ground: Ground, words: tuple[str, ...], fact: str) -> None:
    ground.case()
    assert fact in ground.refused(*words)


def test_an_empty_folder_is_no_neutral_one(ground: Ground) -> None:
    (ground.root / "none/in/it").mkdir(parents=True)
    assert "is empty" in ground.refused(ground.root / "none")
    ground.case()
    assert "no folder with files" in ground.refused("case901", "--tree", ground.root / "none")


def test_a_tree_that_shows_no_name_is_no_knowledge(ground: Ground) -> None:
    put(ground.root / "tree/x.txt", "x\n")
    put(ground.root / "some/x.txt", "x\n")
    assert "show no name" in ground.refused(ground.root / "some", "--tree", ground.root / "tree")


def test_damaged_records_of_a_case_are_told_and_not_passed_over(ground: Ground) -> None:
    case = ground.case()
    put(case / "provenance/waivers.json", "{")
    ground.refused("case901", kind=RecordUnreadable)
    (case / "provenance/waivers.json").unlink()
    put(case / "provenance/terms.toml", "schema_version = 1\n[[add]\n")
    assert "terms.toml" in ground.refused("case901")
    (case / "provenance/terms.toml").unlink()
    put(case / "provenance/names.json", "{}")
    ground.refused("case901", kind=RecordUnreadable)


def as_anybody() -> None:
    """Root reads whatever it likes; without these two capabilities the next program is bound by modes like others."""
    if os.geteuid() == 0:
        drop_from_bounding_set, dac_override, dac_read_search = 24, 1, 2
        for capability in (dac_override, dac_read_search):
            if ctypes.CDLL(None).prctl(drop_from_bounding_set, capability, 0, 0, 0):
                os._exit(70)


def test_a_file_that_may_not_be_read_is_told(ground: Ground) -> None:
    case = ground.case()
    words = ["audit", "case901", "--cases", str(ground.cases), "--work", str(ground.work)]
    code = "import sys\nsys.argv = ['repowright', *sys.argv[1:]]\nfrom flows.main import main\nmain()\n"

    def audited() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", code, *words]
        return subprocess.run(command, preexec_fn=as_anybody, capture_output=True, text=True, check=False)

    assert audited().returncode == EXITS[Answer.NEUTRAL]
    (case / "public/Full_PRD.md").chmod(0)
    done = audited()
    assert done.returncode not in {EXITS[Answer.NEUTRAL], 70}
    assert "Full_PRD.md" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_without_the_pin_the_record_of_the_case_is_looked_for_and_what_it_lacks_is_told(ground: Ground) -> None:
    case = ground.case()
    commit = "5be1" + "0a7c" * 9
    known = Known(objects=(commit,), people=(Fact(value="Orla Quibbleton", source="a.py:2"),))
    put(case / "provenance/known.json", stored(known).to_bytes())
    document = ground.json("case901")
    assert (document["mode"], document["answer"]) == (Mode.RECORD, Answer.NEUTRAL)
    assert "commit" in document["rules"]
    assert any("leaves out its people" in note for note in document["notes"])
    assert "with the case's record of the pinned source" in ground.run("case901").stdout
    put(case / "public/Full_PRD.md", f"As in {commit[:12]}.\n")
    (found,) = ground.json("case901")["findings"]
    assert (found["rule"], found["found"]) == ("commit", "hit")
    put(case / "provenance/known.json", "{}")
    ground.refused("case901", kind=RecordUnreadable)


def test_nothing_of_a_hostile_name_reaches_the_terminal(ground: Ground) -> None:
    root = new_style(ground.root / "case101")
    put(root / "public/a\x1b]0;brassmonocle\x07\u202e.md", b"\x1b[2Jbrassmonocle\x9b\n")
    put(root / "public/b\x1b[31m.bin", b"\x00")
    shown = ground.run(root).stdout
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert "\\x1b]0;" in shown


def test_nothing_of_a_hostile_name_reaches_the_terminal_with_a_complaint(ground: Ground) -> None:
    put(ground.case() / "public/a\x1b]0;x\x07.md", "brassmonocle\n")
    told = ground.refused("case901", "--waive", "1", "--reason", "x", "--until", LATER)
    assert all(char.isprintable() or char == "\n" for char in told)


def test_an_audit_of_one_path_does_not_import_prefect(ground: Ground) -> None:
    ground.case()
    words = ["audit", "case901", "--cases", str(ground.cases), "--work", str(ground.work)]
    code = (
        "import sys\nsys.argv = ['repowright', *sys.argv[1:]]\nfrom flows.main import main\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    print('prefect' in sys.modules, ended.code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stdout.splitlines()[-1] == "False 0", done.stderr


def test_all_cases_are_audited_and_the_worst_decides(ground: Ground) -> None:
    ground.case("case901")
    assert ground.run("--all", "--plain").exit_code == 0
    put(ground.case("case902") / "public/Full_PRD.md", "It will fetch.\n")
    assert ground.run("--all", "--plain").exit_code == EXITS[Answer.DECISIONS]
    put(ground.case("case903") / "public/more.7z", b"7z\xbc\xaf\x27\x1c")
    assert ground.run("--all", "--plain").exit_code == EXITS[Answer.INCOMPLETE]
    put(ground.case("case904") / "provenance/names.json", "{}")
    assert ground.run("--all", "--plain").exit_code == RecordUnreadable.exit_code
    put(ground.case("case905") / "public/Full_PRD.md", "brassmonocle\n")
    result = ground.run("--all", "--plain")
    assert result.exit_code == 1
    for words in ("case901  neutral", "case904  error: ", "case905  names its source"):
        assert words in result.stdout
    runs = sorted((ground.work / "audit/runs").iterdir())
    assert len(runs) == 5
    assert {run.stat().st_mode & 0o777 for run in runs} == {0o600}


def test_history_shows_the_change_since_the_run_before(ground: Ground) -> None:
    case = ground.case()
    ground.run("--all", "--plain")
    assert "was audited once" in ground.run("--history", "case901").stdout
    ground.run("--all", "--plain")
    assert "nothing changed" in ground.run("--history", "case901").stdout
    put(case / "public/Full_PRD.md", "brassmonocle\n")
    ground.run("--all", "--plain")
    shown = ground.run("--history", "case901").stdout
    assert "case901: neutral -> names its source" in shown
    assert "+ HIT public/Full_PRD.md:1: brassmonocle" in shown
    assert ground.json("--history", "case901")["changes"]["answer"] == ["neutral", "names its source"]


def test_no_cases_are_no_neutral_ones(ground: Ground) -> None:
    assert "no case" in ground.refused("--all", "--plain")


def test_a_bundle_folder_of_ours_is_read_with_the_names_of_its_case(ground: Ground) -> None:
    case = ground.case()
    bundle = ground.root / "bundle"
    shutil.copytree(case, bundle / "case901")
    put(bundle / "release.json", {"case_id": "case901"})
    document = ground.json(bundle)
    assert (document["kind"], document["mode"], document["answer"]) == ("bundle", "terms", "neutral")
    assert TERMS[0] == "brassmonocle"
    assert "case901/provenance/names.json" in {one["path"] for one in document["coverage"]["left_out"]}


def test_the_demonstration_is_neutral_and_nothing_of_it_is_left_unread(checkout: Path, tmp_path: Path) -> None:
    words = ["audit", "case001", "--cases", str(checkout / "cases"), "--work", str(tmp_path), "--json"]
    result = CliRunner().invoke(app, words)
    document = json.loads(result.stdout)
    assert (result.exit_code, document["answer"], document["mode"]) == (0, "neutral", "record")
    assert document["terms_searched"] > 20
    assert document["coverage"]["entries"] > 50
    assert document["coverage"]["rest"] == document["findings"] == []


def test_a_pin_in_the_git_store_is_what_is_known(ground: Ground, checkout: Path) -> None:
    case = ground.case()
    source = shutil.copytree(checkout / "tests/data/neutralize/oldtally", ground.root / "oldtally")
    shutil.copyfile(checkout / "tests/data/tiny/upstream/LICENSE", source / "LICENSE")
    raw = tomllib.loads((case / "order.toml").read_text())
    order = Order.model_validate(
        {
            **raw,
            "source": {"kind": "folder", "path": str(source), "name": "oldtally"},
            "licences": ["BSD-3-Clause", "MIT"],
        }
    )
    pinned = pin(order, work=WorkFolder(root=ground.work), fetch=lambda *_: Path())
    assert isinstance(pinned, Pin), pinned
    put(case / "provenance/pin.json", pinned.to_bytes())
    put(case / "public/Full_PRD.md", "As OldTally does.\n")
    document = ground.json("case901")
    assert (document["mode"], document["answer"]) == ("pin", "names its source")
    assert next(one for one in document["scorecard"] if one["id"] == "rename")["result"] == "met"
    assert [path.name for path in (ground.work / "git").iterdir() if path.name.startswith(".")] == []
    shutil.rmtree(ground.work / "git")
    document = ground.json("case901")
    assert (document["mode"], document["answer"]) == ("terms", "neutral")
    assert any("repowright author case901 --until pin" in note for note in document["notes"])


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("go.mod", "module example.net/quornet/frobnick\n\ngo 1.22\n"),
        ("package.json", '{"name": "@quornet/frobnick", "version": "1.0.0"}\n'),
        ("Cargo.toml", '[package]\nname = "frobnick"\nversion = "0.1.0"\n'),
        ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(frobnick CXX)\n"),
        ("pyproject.toml", '[project]\nname = "frobnick"\n'),
    ],
)
def test_the_names_of_a_source_in_any_language_are_looked_for(ground: Ground, file: str, text: str) -> None:
    put(ground.root / "source" / file, text)
    put(ground.root / "some/notes.md", "as frobnick does it\n")
    named = ground.run(ground.root / "some", "--tree", ground.root / "source")
    assert named.exit_code == EXITS[Answer.NAMES], named.output
    put(ground.root / "some/notes.md", "as others do it\n")
    assert ground.run(ground.root / "some", "--tree", ground.root / "source").exit_code == EXITS[Answer.NEUTRAL]
