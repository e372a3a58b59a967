"""Locks, environments, fetching and upstream tests, against the registry that this machine has."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.environment import fits, prepare, resolve
from environments.build import build
from environments.interface import Launch, Mount
from environments.languages.python import fetch
from environments.languages.python.install import install_source, python_env
from environments.languages.python.lock import committed_lock, lock
from environments.languages.python.tests import run_installed_tests, run_upstream_tests
from environments.local import Local
from taskpack.denylist import Denylist
from taskpack.errors import DigestMismatch, EnvironmentFailed, FetchFailed
from taskpack.files import tree_digest
from taskpack.layout import WorkFolder
from taskpack.order import Order, PypiSource, read_order
from taskpack.outcome import Reason, Rejected
from taskpack.recipe import Bench, Package

pytestmark = pytest.mark.sandbox

SILENT = "http://127.0.0.1:9/simple"
PROJECT = """
[build-system]
requires = ["flit_core<4"]
build-backend = "flit_core.buildapi"
[project]
name = "tinyledger"
version = "1.2.3"
description = "adds"
"""
TESTS = """
import importlib.metadata, socket, pytest, tinyledger
def test_adds(): assert tinyledger.add(1, 2) == 3
def test_version(): assert importlib.metadata.version("tinyledger") == "1.2.3"
def test_wrong(): assert tinyledger.add(1, 2) == 4
@pytest.mark.skip
def test_later(): pass
@pytest.fixture
def broken(): raise RuntimeError
def test_error(broken): pass
def test_offline():
    with pytest.raises(OSError): socket.create_connection(("192.0.2.1", 80), 1)
def test_writes(): open("src/mark", "w").write("x")
"""


@pytest.fixture(scope="module")
def registry() -> None:
    if fetch.name_on_registry("pip") is None:
        pytest.skip("the package registry does not answer")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name, text in {
        "pyproject.toml": PROJECT,
        "src/tinyledger/__init__.py": "def add(a, b): return a + b\n",
        "tests/test_tinyledger.py": TESTS,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def sites(registry: None, local: Local, work: WorkFolder) -> dict[str, Path]:
    recipes = {
        "bench": committed_lock("bench", python=local.python),
        "pip": committed_lock("pip", python=local.python),
        "build": lock(["flit_core<4"], python=local.python),
    }
    return {name: work.root / build(recipe, work=work, sandbox=local).folder for name, recipe in recipes.items()}


def test_lock_has_hashes_and_no_address(registry: None, local: Local) -> None:
    recipe = lock(["pytest==9.2.0", "freezegun"], python=local.python)
    names = [package.name for package in recipe.packages]
    assert {"pytest", "freezegun", "pluggy"} <= set(names)
    assert names == sorted(names)
    assert all(package.hashes for package in recipe.packages)
    assert b"://" not in recipe.to_bytes()


def test_requirement_that_nothing_meets_is_no_passing_trouble(registry: None, local: Local) -> None:
    with pytest.raises(EnvironmentFailed) as caught:
        lock(["pip==0.0.99"], python=local.python)
    assert not caught.value.transient
    assert "pip==0.0.99" in caught.value.details["asked for"]


def test_environment_has_the_same_digest_wherever_it_is_built(registry: None, local: Local, tmp_path: Path) -> None:
    recipe = committed_lock("bench", python=local.python)
    first, second = WorkFolder(root=tmp_path / "one"), WorkFolder(root=tmp_path / "two")
    one, two = (build(recipe, work=work, sandbox=local) for work in (first, second))
    assert one == two
    folder = first.root / one.folder
    assert folder == first.environments / one.tree
    assert tree_digest(folder) == one.tree
    bytecode = list(folder.rglob("__pycache__/*.pyc"))
    assert bytecode
    assert all(path.read_bytes()[4:8] == b"\1\0\0\0" for path in bytecode), "checked against times"
    assert sorted(path.name for path in first.environments.iterdir()) == sorted([one.tree, "recipes"])


def test_spoiled_environment_is_built_again_and_a_whole_one_reused(
    registry: None, local: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = WorkFolder(root=tmp_path)
    recipe = committed_lock("pip", python=local.python)
    made = build(recipe, work=work, sandbox=local)
    module = work.root / made.folder / "pip" / "__init__.py"
    module.write_text("spoiled")
    assert build(recipe, work=work, sandbox=local) == made
    assert module.read_text() != "spoiled"
    monkeypatch.setattr("environments.build.install_recipe", None)
    assert build(recipe, work=work, sandbox=local) == made


def test_what_is_banned_is_taken_out_of_an_environment_and_the_rest_stays(
    registry: None, local: Local, tmp_path: Path
) -> None:
    work = WorkFolder(root=tmp_path)
    recipe = committed_lock("bench", python=local.python)
    bans = Denylist(case_id="case900", ecosystem="pip", install_ban=("iniconfig",), import_ban=("iniconfig",))
    whole, made = build(recipe, work=work, sandbox=local), build(recipe, work=work, sandbox=local, without=bans)
    assert made.tree != whole.tree
    assert list((work.root / whole.folder).glob("iniconfig*"))
    assert not list((work.root / made.folder).glob("iniconfig*"))
    assert (work.root / made.folder / "pluggy").is_dir()
    assert build(recipe, work=work, sandbox=local, without=bans) == made
    assert build(recipe, work=work, sandbox=local) == whole


def test_an_environment_with_a_vendored_copy_of_what_is_banned_is_not_built(
    registry: None, local: Local, tmp_path: Path
) -> None:
    work = WorkFolder(root=tmp_path)
    bans = Denylist(case_id="case900", ecosystem="pip", install_ban=("packaging",), import_ban=("packaging",))
    with pytest.raises(EnvironmentFailed, match="denylist bans") as failed:
        build(committed_lock("pip", python=local.python), work=work, sandbox=local, without=bans)
    assert "/env/site/pip/_vendor/packaging: vendored copy, banned as packaging" in failed.value.details.values()
    assert [path.name for path in work.environments.iterdir()] == []


def test_wrong_hash_is_refused(registry: None, local: Local, tmp_path: Path) -> None:
    good = committed_lock("pip", python=local.python)
    wrong = Package(name="pip", version=good.packages[0].version, hashes=("sha256:" + "0" * 64,))
    with pytest.raises(EnvironmentFailed):
        build(good.model_copy(update={"packages": (wrong,)}), work=WorkFolder(root=tmp_path), sandbox=local)
    assert list((tmp_path / "environments").iterdir()) == []


def test_recipe_of_another_python_is_refused(local: Local, tmp_path: Path) -> None:
    recipe = committed_lock("pip", python=local.python).model_copy(update={"python": "3.99"})
    with pytest.raises(EnvironmentFailed, match=r"3\.99"):
        build(recipe, work=WorkFolder(root=tmp_path), sandbox=local)


def test_empty_recipe_gives_an_empty_folder_without_asking_anyone(
    local: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("environments.languages.python.install.run_uv", None)
    made = build(lock((), python=local.python), work=WorkFolder(root=tmp_path), sandbox=local)
    assert list((tmp_path / made.folder).iterdir()) == []


def test_silent_registry_is_passing_trouble(local: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", SILENT)
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(FetchFailed) as caught:
        lock(["pytest"], python=local.python)
    assert caught.value.transient
    with pytest.raises(FetchFailed):
        build(committed_lock("pip", python=local.python), work=WorkFolder(root=tmp_path), sandbox=local)
    assert fetch.name_on_registry("pip") is None


def test_names_on_the_registry_are_told_from_free_ones(registry: None) -> None:
    assert fetch.name_on_registry("itsdangerous") is True
    assert fetch.name_on_registry("brinseal") is False


def test_environment_in_a_closed_folder_is_made_readable_once(
    sites: dict[str, Path], local: Local, work: WorkFolder
) -> None:
    closed = Local(work=work)
    try:
        program = "import pytest; print(pytest.__version__)"
        launch = Launch(
            argv=[local.python, "-c", program],
            env=python_env(["/site"]),
            mounts=[Mount(source=sites["bench"], dest="/site")],
            uids=True,
        )
        assert closed.run(launch).stdout == b"9.2.0\n"
        assert list(closed.runtime.own.rglob("_pytest")) == []
    finally:
        closed.close()


def test_pinned_archive_arrives_and_other_bytes_are_refused(registry: None, local: Local, tmp_path: Path) -> None:
    pin = PypiSource(
        kind="pypi",
        name="uritemplate",
        version="4.2.0",
        sha256="480c2ed180878955863323eea31b0ede668795de182617fef9c6ca09e6ec9d0e",
    )
    assert fetch.fetch_sdist(pin, tmp_path / "good", sandbox=local).name == "uritemplate-4.2.0.tar.gz"
    other = pin.model_copy(update={"sha256": "0" * 64})
    with pytest.raises(DigestMismatch) as caught:
        fetch.fetch_sdist(other, tmp_path / "bad", sandbox=local)
    assert (caught.value.details["expected"], caught.value.details["got"]) == (other.sha256, pin.sha256)
    with pytest.raises(FetchFailed, match="99"):
        fetch.fetch_sdist(pin.model_copy(update={"version": "99"}), tmp_path / "bad", sandbox=local)
    assert not (tmp_path / "bad").exists()


def test_project_installs_offline_with_its_metadata_and_its_tests_are_counted(
    sites: dict[str, Path], local: Local, project: Path, tmp_path: Path
) -> None:
    before = tree_digest(project)
    install_source(project, tmp_path / "site", tools=[sites["pip"], sites["build"]], sandbox=local)
    assert (tmp_path / "site" / "tinyledger" / "__init__.py").is_file()
    outcome = run_upstream_tests(
        project,
        site=[tmp_path / "site", sites["bench"]],
        command=["python", "-m", "pytest", "-q"],
        sandbox=local,
        product_paths=(),
    )
    counts = (outcome.passed, outcome.failed, outcome.errors, outcome.skipped)
    assert counts == (4, 1, 1, 1), outcome.log_tail
    assert "test_wrong" in outcome.log_tail
    assert tree_digest(project) == before


def test_what_documentation_tests_does_not_count_for_the_reference_has_none(
    sites: dict[str, Path], local: Local, project: Path, tmp_path: Path
) -> None:
    (project / ".pytest.ini").write_text("[pytest]\ntestpaths = tests docs\naddopts = --doctest-glob=*.rst\n")
    (project / "docs").mkdir()
    (project / "docs" / "use.rst").write_text(">>> 1 + 1\n2\n")
    install_source(project, tmp_path / "site", tools=[sites["pip"], sites["build"]], sandbox=local)
    site = [tmp_path / "site", sites["bench"]]
    run = {"command": ["python", "-m", "pytest", "-q"], "sandbox": local, "product_paths": ()}
    assert run_upstream_tests(project, site=site, **run).passed == 4  # type: ignore[arg-type]
    (project / "tests" / "more.rst").write_text(">>> 1 + 1\n2\n")
    assert run_upstream_tests(project, site=site, **run).passed == 5  # type: ignore[arg-type]


def test_product_paths_come_before_installed_packages(
    sites: dict[str, Path], local: Local, project: Path, tmp_path: Path
) -> None:
    install_source(project, tmp_path / "site", tools=[sites["pip"], sites["build"]], sandbox=local)
    (project / "src/tinyledger/__init__.py").write_text("def add(a, b): return 4\n")
    run = {"command": ["python", "-m", "pytest", "-q", "-k", "test_wrong"], "sandbox": local}
    site = [tmp_path / "site", sites["bench"]]
    assert run_upstream_tests(project, site=site, product_paths=(), **run).failed == 1  # type: ignore[arg-type]
    assert run_upstream_tests(project, site=site, product_paths=("src",), **run).passed == 1  # type: ignore[arg-type]


PROGRAM = """
import importlib.metadata, subprocess
def test_program(): assert subprocess.check_output(["tinyledger"], text=True) == "here\\n"
def test_tool(): assert b"pytest" in subprocess.check_output(["pytest", "--version"])
def test_version(): assert importlib.metadata.version("tinyledger") == "1.2.3"
"""


def test_programs_of_the_project_and_of_its_tools_are_found_as_after_an_install(
    sites: dict[str, Path], local: Local, project: Path, tmp_path: Path
) -> None:
    (project / "pyproject.toml").write_text(PROJECT + '[project.scripts]\ntinyledger = "tinyledger:main"\n')
    (project / "src/tinyledger/__init__.py").write_text("def main(): print('here')\n")
    (project / "tests/test_tinyledger.py").write_text(PROGRAM)
    tools = [sites["pip"], sites["build"]]
    run = {"command": ["python", "-m", "pytest", "-q"], "sandbox": local}
    install_source(project, tmp_path / "site", tools=tools, sandbox=local)
    site = [tmp_path / "site", sites["bench"]]
    assert run_upstream_tests(project, site=site, product_paths=(), **run).passed == 3  # type: ignore[arg-type]
    installed = {"tools": tools, "site": sites["bench"], "product_paths": ("src",)}
    assert run_installed_tests(project, **installed, **run).passed == 3  # type: ignore[arg-type]
    (project / "pyproject.toml").write_text(PROJECT.replace("flit_core.buildapi", "gone"))
    outcome = run_installed_tests(project, **installed, **run)  # type: ignore[arg-type]
    assert (outcome.passed, outcome.failed) == (1, 2), outcome.log_tail


def test_project_whose_build_needs_are_missing_does_not_install(
    sites: dict[str, Path], local: Local, project: Path, tmp_path: Path
) -> None:
    with pytest.raises(EnvironmentFailed) as caught:
        install_source(project, tmp_path / "site", tools=[sites["pip"]], sandbox=local)
    assert "flit_core" in caught.value.details["log"]


def order_for(checkout: Path, **testing: object) -> Order:
    order = read_order(checkout / "cases/case001/order.toml")
    return order.model_copy(update={"testing": order.testing.model_copy(update=testing)})


def prepared(order: Order, source: Path, *, work: WorkFolder, sandbox: Local) -> Bench | Rejected:
    return prepare(order, source, locks=resolve(order, python=sandbox.python), work=work, sandbox=sandbox)


def test_locks_fit_their_own_order_and_interpreter_only(registry: None, local: Local, checkout: Path) -> None:
    order = order_for(checkout)
    locks = resolve(order, python=local.python)
    assert fits(locks, order, python=local.python)
    assert not fits(locks, order_for(checkout, requirements=("pytest",)), python=local.python)
    other = locks.upstream.model_copy(update={"python": "3.0"})
    assert not fits(locks.model_copy(update={"upstream": other}), order, python=local.python)


def test_upstream_with_other_counts_than_ordered_is_rejected_with_its_log(
    registry: None, local: Local, work: WorkFolder, project: Path, checkout: Path
) -> None:
    answer = prepared(order_for(checkout, expected=6), project, work=work, sandbox=local)
    assert isinstance(answer, Rejected)
    assert answer.reason is Reason.TESTS_FAIL
    assert answer.evidence[0].what == "4 passed, 1 failed, 1 errors, 1 skipped; 6 expected to pass"
    assert {fact.where for fact in answer.evidence} >= {"run 1 of 2", "run 2 of 2"}


def test_upstream_that_does_not_install_is_rejected_with_its_log(
    registry: None, local: Local, work: WorkFolder, project: Path, checkout: Path
) -> None:
    answer = prepared(order_for(checkout, build_requirements=()), project, work=work, sandbox=local)
    assert isinstance(answer, Rejected)
    assert "flit_core" in answer.evidence[0].what


@pytest.mark.full
def test_the_upstream_of_case001_passes_its_297_tests_twice_offline(
    registry: None, local: Local, work: WorkFolder, checkout: Path, tmp_path: Path
) -> None:
    order = read_order(checkout / "cases/case001/order.toml")
    assert isinstance(order.source, PypiSource)
    archive = fetch.fetch_sdist(order.source, tmp_path, sandbox=local)
    local.run(
        Launch(
            argv=["/bin/tar", "-xzf", f"/in/{archive.name}", "-C", "/out", "--strip-components=1"],
            mounts=[
                Mount(source=tmp_path, dest="/in"),
                Mount(source=_folder(tmp_path.with_name("source")), dest="/out", writable=True),
            ],
            env={"PATH": "/usr/bin:/bin"},
        )
    )
    bench = prepared(order, tmp_path.with_name("source"), work=work, sandbox=local)
    assert isinstance(bench, Bench), bench
    assert bench.upstream_tests == 297
    assert bench.product_recipe.packages == ()


def _folder(path: Path) -> Path:
    path.mkdir()
    return path
