"""Running a project's own tests, offline, and counting what happened."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree as ET

from environments.interface import Launch, Limits, Mount, Sandbox
from environments.languages.python.belongs import belongs
from environments.languages.python.install import install_source, log_tail, python_env
from environments.runtime import scratch
from taskpack.errors import EnvironmentFailed

_TESTS = Limits(wall_s=1800, tmp_mb=1024)
_SCRIPT = 'cp -R /source /tmp/source && cd /tmp/source && exec "$@"'
_REPORT_MB = 64
_CAUSES = 8
_CAUSE_LENGTH = 400


@dataclass(frozen=True, kw_only=True)
class TestOutcome:
    """Counts of a test run; all 0 when it broke before it reported."""

    __test__ = False

    passed: int
    failed: int
    errors: int
    skipped: int
    log_tail: str
    exit_code: int = 0
    failing: tuple[str, ...] = ()
    """Dotted names of the modules or classes in which a test failed or broke, sorted."""
    causes: tuple[str, ...] = ()
    """What the first of them said, one line each: the test, then the error in full, where a log has a part of it."""


def run_upstream_tests(
    tree: Path,
    *,
    site: Path | Sequence[Path],
    command: Sequence[str],
    sandbox: Sandbox,
    product_paths: Sequence[str],
    resources: Sequence[Mount] = (),
) -> TestOutcome:
    """Run `command` in a private copy of what of `tree` belongs to a workspace, without network.

    So that what passes on the source can pass on the reference: tests in documentation are not run on either.

    `site` is one or more folders of installed packages; `product_paths` are folders of the tree, `.` for its root, that
    come before them on the import path; `resources` are mounted besides. pytest reports through a file of its own, no
    log is read.
    """
    sites = [site] if isinstance(site, Path) else list(site)
    places = [f"/site/{number}" for number in range(len(sites))]
    paths = [str(Path("/tmp/source", path)) for path in product_paths]  # noqa: S108 (inside)
    argv = [sandbox.python if command[0] in {"python", "python3"} else command[0], *command[1:]]
    with scratch() as folder:
        out = folder / "out"
        out.mkdir(mode=0o755)
        source = _workspace(tree, folder / "source")
        done = sandbox.run(
            Launch(
                argv=["/bin/sh", "-c", _SCRIPT, "sh", *argv],
                mounts=[
                    Mount(source=source, dest="/source"),
                    Mount(source=out, dest="/out", writable=True),
                    *(Mount(source=packages, dest=place) for packages, place in zip(sites, places, strict=True)),
                    *resources,
                ],
                env={
                    **python_env([*paths, *places]),
                    "PYTEST_ADDOPTS": "--junitxml=/out/report.xml -p no:cacheprovider",
                },
                limits=_TESTS,
            )
        )
        log = log_tail(done) + ("\n(ended by the time limit)" if done.timed_out else "")
        return replace(_count(out / "report.xml", log), exit_code=done.exit_code)


def run_installed_tests(
    tree: Path,
    *,
    tools: Sequence[Path],
    site: Path,
    command: Sequence[str],
    sandbox: Sandbox,
    product_paths: Sequence[str],
    resources: Sequence[Mount] = (),
) -> TestOutcome:
    """The same, with what an install of `tree` gives beside its files, where it installs: its programs, its metadata.

    A tree that was taken out of its repository may not install, as when its version came from there; then the tests
    tell whether that matters. `tools` as in `install_source`.
    """
    with scratch() as folder:
        installed = folder / "site"
        with contextlib.suppress(EnvironmentFailed):
            install_source(tree, installed, tools=tools, sandbox=sandbox, resources=resources)
        return run_upstream_tests(
            tree,
            site=[installed, site],
            command=command,
            sandbox=sandbox,
            product_paths=product_paths,
            resources=resources,
        )


def _workspace(tree: Path, dest: Path) -> Path:
    """A copy of the files of `tree` that belong to a workspace."""
    keep = belongs(tree)
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree)
        if (path.is_symlink() or path.is_file()) and keep(name.as_posix()):
            (dest / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, dest / name, follow_symlinks=False)
    return dest


def _count(report: Path, log: str) -> TestOutcome:
    """Counts from a JUnit file. One that is too large, declares entities or is broken counts as none."""
    nothing = TestOutcome(passed=0, failed=0, errors=0, skipped=0, log_tail=log)
    if not report.is_file() or report.stat().st_size > _REPORT_MB * 1024 * 1024:
        return nothing
    data = report.read_bytes()
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        return nothing
    try:
        cases = list(ET.fromstring(data).iter("testcase"))  # noqa: S314 (no entities: looked for above)
    except ET.ParseError:
        return nothing
    kinds = [{child.tag for child in case} for case in cases]
    failed = sum("failure" in kind for kind in kinds)
    errors = sum("error" in kind and "failure" not in kind for kind in kinds)
    skipped = sum("skipped" in kind and not kind & {"failure", "error"} for kind in kinds)
    passed = len(kinds) - failed - errors - skipped
    unwell = [case for case, kind in zip(cases, kinds, strict=True) if kind & {"failure", "error"}]
    broken = {case.get("classname") or case.get("name") or "" for case in unwell}
    return TestOutcome(
        passed=passed,
        failed=failed,
        errors=errors,
        skipped=skipped,
        log_tail=log,
        failing=tuple(sorted(broken)),
        causes=tuple(dict.fromkeys(_cause(case) for case in unwell))[:_CAUSES],
    )


def _cause(case: ET.Element) -> str:
    """The line of a failed test's report that pytest marks as its error, else the message."""
    place = "::".join(filter(None, (case.get("classname"), case.get("name"))))
    told = next(child for child in case if child.tag in {"failure", "error"})
    marked = [line[1:].strip() for line in (told.text or "").splitlines() if line.startswith("E ")]
    message = (told.get("message") or "").strip().splitlines()
    return f"{place}: {' '.join((marked[:1] or message[:1]) or ['no message'])[:_CAUSE_LENGTH]}"
