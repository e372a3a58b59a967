"""`make accept-1`: the main job, thin, on real input. Everything is made anew in a work directory of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from tests.accept.checklist import CHECKOUT, REPOWRIGHT, Checklist, Ran, need, repowright, run, tail

CASE = "case001"
PLAIN_UID = 65534
STAGES = ("pin", "environment", "survey", "names", "reference", "spec", "tests", "gates", "release")


class Part1:
    """The claims of part 1 over one scratch folder."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.work = scratch / "work"
        self.authored: dict[str, object] = {}

    def author(
        self, *more: str, work: Path | None = None, cases: Path = CHECKOUT / "cases", timeout: float = 900
    ) -> Ran:
        return repowright(*("author", CASE, "--cases", cases, "--work", work or self.work, *more), timeout=timeout)

    # 1 project

    def check(self) -> str:
        done = run(["make", "check"])
        need(done.code == 0, tail(done.out + done.err, 20))
        return tail(done.out, 2)

    def own_documents(self) -> str:
        for name in ("README.md", "DESIGN.md", "CHANGELOG.md", "LICENSE", ".ci/run"):
            need((CHECKOUT / name).is_file(), f"{name} is missing")
        need("make test" in (CHECKOUT / ".ci/run").read_text(), ".ci/run does not call make test")
        return self.pytest("tests/unit/test_documents_of_ours.py")

    # 2 nouns

    def pytest(self, *paths: str) -> str:
        done = run([sys.executable, "-m", "pytest", "-q", *paths], timeout=900)
        need(done.code == 0, tail(done.out, 20))
        return tail(done.out, 1)

    # 3, 4 stages and drafts

    def demo(self) -> str:
        done = self.author("--provider", "replay", "--json")
        need(done.code == 0, tail(done.out + done.err, 20))
        self.authored = json.loads(done.out)
        need(self.authored["answer"] == "released", str(self.authored["answer"]))
        names = [stage["stage"] for stage in self.authored["stages"]]  # type: ignore[union-attr, index]
        need(tuple(names) == STAGES, f"stages were {names}")
        need("pin" in done.err and "release" in done.err, "no progress was shown")
        return f"{len(names)} stages, released, in {done.seconds:.0f}s"

    def stored(self, stage: str) -> dict[str, object]:
        found = sorted((self.work / "stages" / stage).glob("v*/*/result.json"))
        need(len(found) == 1, f"{len(found)} results of {stage}")
        loaded: dict[str, object] = json.loads(found[0].read_bytes())
        return loaded

    def pin_is_reproducible(self) -> str:
        pin = self.stored("pin")
        need(str(pin["tree"]).startswith("9cbea2cb0f07"), f"tree {pin['tree']}")
        need(pin["licence"] == "BSD-3-Clause", f"licence {pin['licence']}")
        return f"tree {pin['tree']}, commit {pin['commit']}, {pin['licence']}"

    def upstream_tests_pass(self) -> str:
        before, after = self.stored("environment")["upstream_tests"], self.stored("reference")["tests_passed"]
        need(before == after == 297, f"{before} before, {after} after renaming")
        return "297 in the environment, offline; 297 on the reference in neutral names"

    def floors(self) -> str:
        spec = self.stored("spec")
        clauses = [clause["id"] for feature in spec["features"] for clause in feature["clauses"]]  # type: ignore[attr-defined]
        nodes = self.stored("tests")["nodes"]
        need(len(clauses) >= 12 and len(nodes) >= 24, f"{len(clauses)} clauses, {len(nodes)} nodes")  # type: ignore[arg-type]
        return f"{len(clauses)} clauses, {len(nodes)} nodes"  # type: ignore[arg-type]

    def mailbox(self) -> str:
        """A case without replies asks; the recorded reply, submitted by hand, takes it on."""
        cases = self.scratch / "mailbox-cases"
        shutil.copytree(CHECKOUT / "cases" / CASE, cases / CASE)
        shutil.rmtree(cases / CASE / "provenance" / "replies")
        done = self.author("--provider", "mailbox", "--plain", cases=cases)
        need(done.code == 3, f"exit {done.code}: {tail(done.out + done.err)}")
        rows = json.loads(repowright("inbox", "--json", "--work", self.work).out)
        waiting = [row for row in rows if row["state"] == "waiting"]
        need(len(waiting) == 1, f"{len(waiting)} requests wait")
        request = Path(waiting[0]["folder"], "request.md").read_text()
        for secret in ("itsdangerous", "pallets", "2.2.0"):
            need(secret not in request.lower(), f"the request names {secret}")
        stored = json.loads((CHECKOUT / "cases" / CASE / "provenance/replies/spec/FP-01/1.json").read_bytes())
        answer = self.scratch / "reply.json"
        answer.write_text(json.dumps(stored["reply"]))
        sent = repowright("inbox", "submit", waiting[0]["id"], answer, "--by", "acceptance", "--work", self.work)
        need(sent.code == 0, tail(sent.err))
        done = self.author("--provider", "mailbox", "--plain", cases=cases)
        need(done.code == 3, f"exit {done.code}: {tail(done.out + done.err)}")
        after = json.loads(repowright("inbox", "--json", "--work", self.work).out)
        ids = [row["id"] for row in after if row["state"] == "waiting"]
        need(ids and ids != [waiting[0]["id"]], f"still waiting for {ids}")
        return f"{waiting[0]['id']} was answered, then {ids[0]} was asked"

    # 5 judge

    def verdict(self, workspace: Path, *, user: int | None = None, work: Path | None = None) -> dict[str, object]:
        done = run(
            [REPOWRIGHT, "judge", CASE, workspace, "--json", "--work", work or self.work], user=user, timeout=300
        )
        need(done.code in {0, 1}, tail(done.err))
        loaded: dict[str, object] = json.loads(done.out)
        return loaded

    @property
    def reference(self) -> Path:
        return next((self.work / "stages/reference").glob("v*/*/tree"))

    def reference_scores_one(self) -> str:
        verdict = self.verdict(self.reference)
        need(verdict["reward"] == 1, str(verdict["causes"]))
        return f"{len(verdict['nodes'])} nodes passed, in {verdict['backend']}, {verdict['base']}"  # type: ignore[arg-type]

    def empty_scores_zero_with_causes(self) -> str:
        empty = self.scratch / "empty"
        empty.mkdir(exist_ok=True)
        verdict = self.verdict(empty)
        need(verdict["reward"] == 0 and verdict["outcome"] == "judged", str(verdict["outcome"]))
        causes = verdict["causes"]
        need(bool(causes), "no cause")
        return f"first cause: {causes[0]}"  # type: ignore[index]

    def one_wrong_line_is_named(self) -> str:
        """A person reads which clause broke."""
        wrong = self.scratch / "wrong"
        shutil.copytree(self.reference, wrong)
        path = next(path for path in (wrong / "src").rglob("*.py") if "rsplit" in path.read_text())
        text = path.read_text()
        path.write_text(text.replace("rsplit", "split"))
        verdict = self.verdict(wrong)
        need(verdict["reward"] == 0, "a wrong separator rule scored 1")
        cause = verdict["causes"][0]  # type: ignore[index]
        need(re.search(r"FP-01\.[NBE]\d", str(cause)) is not None, f"no clause in: {cause}")
        return str(cause)

    # 6 gates

    def gates(self) -> str:
        rows = self.authored["gates"]
        bad = {row["code"] for row in rows if row["verdict"] != "pass"}  # type: ignore[attr-defined, index]
        need(bad <= {"REF-PARITY"}, f"not passed: {sorted(bad)}")  # part 1 needs no second back end
        wanted = {"DOC-AGREE", "STR-MANIFEST", "REF-PASS", "STR-VACUOUS", "STR-CONTROLS", "STR-MUTANTS", "SEC-RUNNER", "SEC-SHADOW", "NEU-SCAN"}  # fmt: skip
        codes = {row["code"] for row in rows} - bad  # type: ignore[attr-defined, index]
        need(wanted <= codes, f"missing: {wanted - codes}")
        return f"{len(codes)} gates passed: {', '.join(sorted(codes))}"

    def mutants(self) -> str:
        matrix = json.loads(
            next((self.work / "stages/gates").glob(f"v*/*/tree/{CASE}/milestones/final/kill_matrix.json")).read_bytes()
        )
        fates = [row["fate"] for row in matrix["results"]]
        killed = [row for row in matrix["results"] if row["fate"] == "killed"]
        need(len(killed) + fates.count("survived") >= 20, f"{fates}")
        need(all(row["killers"] for row in killed), "a kill without a named node")
        need(
            all(row["note"] for row in matrix["results"] if row["fate"] == "survived"),
            "an open mutant without a reason",
        )
        return ", ".join(f"{fates.count(fate)} {fate}" for fate in sorted(set(fates)))

    def selftest(self) -> str:
        done = repowright("selftest", "--work", self.work, timeout=900)
        need(done.code == 0, tail(done.out + done.err, 20))
        return tail(done.out, 1)

    def explain(self) -> str:
        listed = json.loads(repowright("explain", "--json").out)
        for code in [*listed["gates"], *listed["reasons"]]:
            done = repowright("explain", code)
            need(done.code == 0 and "remedy" in done.out, f"explain {code}: {done.out}{done.err}")
        return f"{len(listed['gates'])} gates and {len(listed['reasons'])} reasons"

    # 7 release

    @property
    def bundle(self) -> Path:
        return Path(str(self.authored["bundle"]))

    def sums(self) -> str:
        done = run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=self.bundle)
        need(done.code == 0, tail(done.err))
        return f"{len((self.bundle / 'SHA256SUMS').read_text().splitlines())} files agree"

    def audiences(self) -> str:
        seen = {}
        for path in sorted(self.bundle.glob("*.tar.gz")):
            with tarfile.open(path) as tar:
                seen[path.name] = {name.split("/")[1] for name in tar.getnames()}
                need(all(tar_info.mtime == 1_000_000_000 and tar_info.uid == 0 for tar_info in tar), "times or owners")
        need(seen[f"{CASE}-solver.tar.gz"] == {"public"}, str(seen))
        need("milestones" not in seen[f"{CASE}-harness.tar.gz"], str(seen))
        return "; ".join(f"{name}: {', '.join(sorted(tops))}" for name, tops in seen.items())

    def neutral(self) -> str:
        """A plain search, independent of the scan: no byte of what leaves the case names the source."""
        words = [b"itsdangerous", b"its_dangerous", b"its-dangerous", b"pallets", b"ronacher"]
        looked = 0
        for top in ("public", "milestones", "controls"):
            for path in (self.bundle / CASE / top).rglob("*"):
                if path.is_file():
                    looked += 1
                    data = path.read_bytes().lower() + path.name.lower().encode()
                    need(not any(word in data for word in words), f"{path} names the source")
        need(looked > 10, f"only {looked} files")
        return f"{looked} files"

    # 8 command line, kills

    def finished_run_is_fast(self) -> str:
        best = min(self.author("--provider", "replay").seconds for _ in range(3))
        need(best < 2, f"{best:.2f}s")
        return f"{best:.2f}s"

    def start(self, work: Path, cases: Path, log: Path, *more: str) -> subprocess.Popen[bytes]:
        command = [REPOWRIGHT, "author", CASE, "--provider", "replay", "--work", work, "--cases", cases, *more]
        with log.open("wb") as file:
            return subprocess.Popen([str(part) for part in command], stdout=file, stderr=file, cwd=CHECKOUT)

    def killed_in(self, stage: str, work: Path, cases: Path, *more: str) -> dict[str, bool]:
        """SIGKILL a little after `stage` has begun; what was reused until then, by stage."""
        log = self.scratch / f"kill-{stage}.log"
        process = self.start(work, cases, log, *more)
        deadline = time.monotonic() + 180
        while f" {stage} ..." not in log.read_text() and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2 if stage in {"environment", "spec", "tests", "gates"} else 0.02)
        need(process.poll() is None, f"{stage} ended before it could be killed: {tail(log.read_text())}")
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen = log.read_text()
        before = {name: f" {name}: done (reused)" in seen for name in STAGES[: STAGES.index(stage)]}
        time.sleep(1.5)
        left = [line for line in run(["ps", "-eo", "pid,args"]).out.splitlines() if str(work) in line]
        need(not left, f"processes are left after {stage}: {left}")
        halves = [path.name for path in (work / "stages").glob("[a-z]*/v*/*") if not (path / "result.json").is_file()]
        need(not halves, f"half-written results after {stage}: {halves}")
        return before

    def kills_and_same_bytes(self) -> str:
        """Killed in every stage and started again: the same case and bundle as the run left alone.

        All stages begin from nothing; of the verdicts, which are most of the time, one in eight is reached again.
        """
        work, cases = self.scratch / "work-again", self.scratch / "cases-again"
        shutil.copytree(self.work / "verdicts", work / "verdicts")
        for path in sorted((work / "verdicts").iterdir())[::8]:
            path.unlink()
        shutil.copytree(CHECKOUT / "cases" / CASE, cases / CASE)
        for stage in STAGES:
            reused = self.killed_in(stage, work, cases, "--plain")
            # The stage that was killed the time before is made now; all before it were finished then.
            done_before = STAGES[: max(STAGES.index(stage) - 1, 0)]
            need(all(reused[name] for name in done_before), f"on the way to {stage}, made again: {reused}")
        done = self.author("--provider", "replay", "--plain", "--json", work=work, cases=cases)
        need(done.code == 0, tail(done.out + done.err))
        again = Path(json.loads(done.out)["bundle"])
        same = run(["diff", "-r", self.bundle, again])
        need(same.code == 0, tail(same.out))
        asked = json.loads((cases / CASE / "provenance/ledger.jsonl").read_text().splitlines()[-1])["replayed"]
        return f"{len(STAGES)} kills, each resumed; bundle {again.name} twice; last reply replayed: {asked}"

    def killed_under_prefect(self) -> str:
        """The server that a run starts dies with it, and the next run goes on."""
        work = self.scratch / "work-prefect"
        shutil.copytree(self.work, work, symlinks=True)
        shutil.rmtree(work / "stages" / "tests")
        self.killed_in("tests", work, CHECKOUT / "cases")
        servers = [line for line in run(["ps", "-eo", "pid,args"]).out.splitlines() if "prefect.server.api" in line]
        need(not servers, f"a server is left: {servers}")
        done = self.author("--provider", "replay", "--json", work=work)
        need(done.code == 0, tail(done.out + done.err))
        rows = {row["stage"]: row["reused"] for row in json.loads(done.out)["stages"]}
        need([name for name, reused in rows.items() if not reused] == ["tests"], f"{rows}")
        shutil.rmtree(work)
        return "resumed; only tests was made again"

    def doctor(self) -> str:
        done = repowright("doctor", "--work", self.work)
        need(done.code == 0, done.out + done.err)
        return tail(done.out, 1)

    def plain_user(self) -> str:
        """A user without rights, in a clone of their own, gets the same answers."""
        if os.geteuid() != 0:
            return "this is a plain user already: all of the above was it"
        home = self.scratch / "plain"
        home.mkdir()
        listed = run(["git", "ls-files", "-co", "--exclude-standard"]).out.splitlines()
        for name in listed:
            (home / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, home / "clone" / name)
        shutil.copytree(self.reference, home / "reference")
        (home / "empty").mkdir()
        run(["chown", "-R", str(PLAIN_UID), home])
        me = {
            "env": {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"},
            "user": PLAIN_UID,
            "cwd": home / "clone",
        }
        done = run(["make", "setup"], **me)  # type: ignore[arg-type]
        need(done.code == 0, tail(done.out + done.err))
        command = home / "clone/.venv/bin/repowright"
        done = run([command, "doctor"], **me)  # type: ignore[arg-type]
        need(done.code == 0, tail(done.out + done.err))
        rewards = []
        for workspace in ("reference", "empty"):
            done = run([command, "judge", CASE, home / workspace, "--json"], timeout=600, **me)  # type: ignore[arg-type]
            need(done.code in {0, 1}, tail(done.err))
            rewards.append(json.loads(done.out)["reward"])
        need(rewards == [1, 0], f"reference and empty got {rewards}")
        return f"doctor is content; reference 1, empty 0 ({done.seconds:.0f}s for the empty one)"


def main() -> int:
    book = Checklist(title="part 1")
    with tempfile.TemporaryDirectory(prefix="repowright-accept-") as name:
        Path(name).chmod(0o755)
        part = Part1(Path(name))
        claims(book, part)
    return book.close()


def claims(book: Checklist, part: Part1) -> None:
    book.claim("1 make check: format, lint, strict types, borders", part.check)
    book.claim("1 README, DESIGN, changelog, licence, lock; tables in them are the code's", part.own_documents)
    book.claim("2 nouns round-trip byte for byte, refuse unknown fields, are written atomically",
               lambda: part.pytest("tests/unit/taskpack"))  # fmt: skip
    book.claim("3 one command takes the pinned archive to a released task, with progress", part.demo)
    book.claim("3 the pin is reproducible and its licence accepted", part.pin_is_reproducible)
    book.claim("3 297 upstream tests pass in the environment and, renamed, on the reference", part.upstream_tests_pass)
    book.claim("3 at least 12 clauses and 24 nodes", part.floors)
    book.claim("4 the mailbox asks in neutral names, takes a reply, and goes on", part.mailbox)
    book.claim("5 doctor: the sandbox passes its self-probe", part.doctor)
    book.claim("5 the reference scores 1", part.reference_scores_one)
    book.claim("5 an empty workspace scores 0 with causes", part.empty_scores_zero_with_causes)
    book.claim("5 a wrong line scores 0 and the cause names the clause", part.one_wrong_line_is_named)
    book.claim("6 every gate passed with a receipt", part.gates)
    book.claim("6 20 mutants: each killed by a named node or listed open with a reason", part.mutants)
    book.claim("6 selftest: each gate fails on its seeded defect alone and passes on the twin", part.selftest)
    book.claim("6 explain knows every gate and reason", part.explain)
    book.claim("7 checksums cover the bundle", part.sums)
    book.claim("7 audiences are split, archives carry no times or owners", part.audiences)
    book.claim("7 nothing that leaves the case names its source", part.neutral)
    book.claim("8 bad input: four lines, an exit code, nothing half-written",
               lambda: part.pytest("tests/unit/flows/test_command_line.py", "tests/integration/faults"))  # fmt: skip
    book.claim("8 a finished run returns in under 2 seconds", part.finished_run_is_fast)
    book.claim("7, 8 SIGKILL in every stage resumes; the same case gives the same bytes", part.kills_and_same_bytes)
    book.claim("8 SIGKILL under Prefect resumes and leaves no server", part.killed_under_prefect)
    book.claim("a plain user gets the same verdicts", part.plain_user)


if __name__ == "__main__":
    sys.exit(main())
