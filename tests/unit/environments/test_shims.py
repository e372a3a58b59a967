"""The shims of a solver's image, run as programs with stand-ins for the real package managers."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.shims.folder import PROGRAMS, PTH, pth_line, write_shims
from environments.shims.main import REFUSED, behind
from taskpack.denylist import Denylist

BANS = Denylist(
    case_id="case900",
    ecosystem="pip",
    install_ban=(
        *("oldtally", "name-odd", "python3-oldtally", "@brass/tally-js"),
        *("brassworks/oldtally", "host.example/bw/oldtally"),
    ),
    import_ban=("oldtally",),
)

Ask = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Run a command line with the shims first on the path, in an empty folder `here`."""
    write_shims(tmp_path / "shims", BANS, python=sys.executable, salt=b"salt")
    real = tmp_path / "real"
    real.mkdir()
    for program in PROGRAMS:
        stand_in = real / program
        stand_in.write_text(
            '#!/bin/sh\necho "real $(basename "$0")"\nfor word in "$@"; do echo "<$word>"; done\ncat\nexit 3\n'
        )
        stand_in.chmod(0o755)
    here = tmp_path / "here"
    here.mkdir()

    def asked(*words: str, files: dict[str, str | bytes] | None = None) -> subprocess.CompletedProcess[str]:
        for name, content in (files or {}).items():
            path = here / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return subprocess.run(
            words,
            cwd=here,
            env={"PATH": f"{tmp_path / 'shims' / 'bin'}:{real}:/usr/bin:/bin", "HOME": str(here)},
            input="given",
            capture_output=True,
            text=True,
            check=False,
        )

    return asked


def assert_refused(done: subprocess.CompletedProcess[str], word: str = "") -> None:
    assert (done.returncode, done.stdout) == (REFUSED, ""), done
    assert "may not be installed in this task" in done.stderr or "a pattern" in done.stderr
    assert word in done.stderr


def zipped(name: str, text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, text)
    return out.getvalue()


def tarred(name: str, text: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(text)
        archive.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


COMMANDS = [
    "pip install oldtally",
    "pip3 install -q OldTally==1.0",
    "pip install 'Name_Odd[extra]==1.0; python_version>\"3\"'",
    "pip install 'Name_Odd @ git+https://files.example/x/y'",
    "pip install other 'x @ https://files.example/oldtally-1.0.tar.gz'",
    "pip install git+https://files.example/x/y@main#egg=oldtally",
    "pip install https://files.example/a/oldtally-1.0-py3-none-any.whl",
    "pip download oldtally --no-deps",
    "pip wheel oldtally",
    "pip --no-cache-dir install --index-url https://files.example/simple oldtally",
    "uv pip install oldtally",
    "uv add oldtally",
    "uv run --with oldtally python x.py",
    "uv tool install oldtally",
    "uvx --from oldtally own",
    "uvx oldtally",
    "npm i harmless@npm:oldtally@1",
    "npm install @brass/tally-js",
    "npm add brassworks/oldtally",
    "npm install https://files.example/oldtally-1.0.0.tgz",
    "npx oldtally",
    "npx -p oldtally own",
    "pnpm add oldtally",
    "pnpm dlx oldtally",
    "yarn add oldtally",
    "go get host.example/bw/oldtally/v2@latest",
    "go install host.example/bw/oldtally/cmd/x@v1",
    "go run host.example/bw/oldtally@latest",
    "cargo add oldtally",
    "cargo install --git https://files.example/brassworks/oldtally",
    "apt-get install -y python3-oldtally=1.0-1",
    "apt-get install 'python3-old*'",
    "conda install conda-forge::oldtally=1.0",
    "poetry add oldtally@^1",
    "pipx run oldtally",
]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_banned_thing_is_refused_however_it_is_asked_for(ask: Ask, line: str) -> None:
    assert_refused(ask(*shlex.split(line)))


FILES = [
    ("pip install -r a.txt", {"a.txt": "other\n-r deep/b.txt\n", "deep/b.txt": "x \\\n ; python_version > '3'\nold\\\ntally==1\n"}),
    ("pip install -ra.txt", {"a.txt": "# first\nother\nOldtally  # second\n"}),
    ("pip install --requirement=a.txt", {"a.txt": "-e git+https://files.example/brassworks/oldtally\n"}),
    ("pip install -c a.txt other", {"a.txt": "oldtally==1\n"}),
    ("pip install -e .", {"pyproject.toml": "[project]\nname = 'own'\ndependencies = ['oldtally>=1']\n"}),
    ("pip install .[dev]", {"pyproject.toml": "[project]\nname = 'own'\n[project.optional-dependencies]\ndev = ['oldtally']\n"}),
    ("pip install .", {"pyproject.toml": "[build-system]\nrequires = ['oldtally']\n"}),
    ("pip install ./clone", {"clone/setup.py": "from setuptools import setup\nsetup(name='oldtally')\n"}),
    ("pip install .", {"setup.cfg": "[options]\ninstall_requires =\n  other\n  oldtally\n"}),
    ("pip install ./x.whl", {"x.whl": zipped("y-1.dist-info/METADATA", "Name: OldTally\n")}),
    ("pip install ./x-1.tar.gz", {"x-1.tar.gz": tarred("x-1/PKG-INFO", "Metadata-Version: 2.1\nName: oldtally\n")}),
    ("npm install", {"package.json": '{"devDependencies": {"own": "npm:oldtally@1"}}'}),
    ("npm ci", {"package.json": "{}", "package-lock.json": '{"packages": {"node_modules/oldtally": {}}}'}),
    ("yarn", {"package.json": '{"dependencies": {"@brass/tally-js": "1"}}'}),
    ("npm i ./x.tgz", {"x.tgz": tarred("package/package.json", '{"name": "oldtally"}')}),
    ("uv sync", {"pyproject.toml": "[dependency-groups]\ndev = ['oldtally']\n"}),
    ("go mod download", {"go.mod": "module own\nrequire (\n  host.example/bw/oldtally v1.0.0\n)\n"}),
    ("go build ./...", {"go.mod": "module own\nrequire host.example/bw/oldtally v1.0.0\n"}),
    ("cargo run -- x", {"Cargo.toml": "[dependencies]\nown = {package = 'oldtally', version = '1'}\n"}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "files"), FILES, ids=[f"{number}-{line}" for number, (line, _) in enumerate(FILES)])
def test_a_banned_thing_is_refused_where_a_file_asks_for_it(ask: Ask, line: str, files: dict[str, str | bytes]) -> None:
    assert_refused(ask(*line.split(), files=files))


PASSED = [
    "pip install oldtally-tools",
    "pip install other[oldtally]",
    "pip install 'other ; extra == \"oldtally\"'",
    "pip install -r none.txt",
    "pip list",
    "pip show oldtally",
    "pip uninstall oldtally",
    "uv run pytest oldtally",
    "pip --version",
    "uv run oldtally.py oldtally",
    "npm run oldtally",
    "npx own oldtally",
    "npm test -- oldtally",
    "go build ./...",
    "cargo run -- oldtally",
    "apt-get update",
    "apt-get install g++ libstdc++6",
    "yarn run x",
]


@pytest.mark.parametrize("line", PASSED)
def test_everything_else_is_passed_on_unchanged(ask: Ask, line: str) -> None:
    program, *words = shlex.split(line)
    done = ask(program, *words, files={"a.txt": "x"})
    said = "".join(f"<{word}>\n" for word in words)
    assert (done.returncode, done.stdout, done.stderr) == (3, f"real {program}\n{said}given", "")


def test_harmless_files_are_passed_on(ask: Ask) -> None:
    files = {
        "requirements.txt": "# oldtally\nother[oldtally]>=1\noldtally-tools\n--index-url https://oldtally.example/simple\n",
        "pyproject.toml": "[project]\nname = 'own'\ndescription = 'unlike oldtally'\ndependencies = ['oldtally-tools']\n",
        "loop.txt": "-r loop.txt\n",
        "broken/pyproject.toml": "[[[",
    }
    for line in ("pip install -r requirements.txt", "pip install .", "pip install -r loop.txt", "pip install ./broken"):
        assert ask(*line.split(), files=files).returncode == 3, line


@pytest.mark.parametrize("place", ["~nobody-at-all/x", "x" * 5000, "none/x"])
def test_a_place_that_cannot_be_looked_at_is_left_to_the_real_program(ask: Ask, place: str) -> None:
    assert ask("pip", "install", "-r", place).returncode == 3
    assert_refused(ask("pip", "install", "-r", place, "oldtally"))


def test_a_program_that_is_not_there_is_said_not_to_be(tmp_path: Path) -> None:
    write_shims(tmp_path, BANS, python=sys.executable)
    done = subprocess.run(["npm", "i", "x"], env={"PATH": str(tmp_path / "bin")}, capture_output=True, check=False)
    assert done.returncode == 127


def test_no_file_of_the_shims_holds_a_banned_name(tmp_path: Path) -> None:
    write_shims(tmp_path, BANS)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > len(PROGRAMS)
    assert not [path for path in files if any(word in path.read_bytes().lower() for word in (b"oldtally", b"brass"))]
    told = json.loads((tmp_path / "denied.json").read_text())
    assert len(told["hashes"]) == len(BANS.install_ban)


def test_two_images_have_other_hashes(tmp_path: Path) -> None:
    write_shims(tmp_path / "one", BANS)
    write_shims(tmp_path / "two", BANS)
    one, two = (json.loads((tmp_path / name / "denied.json").read_text())["hashes"] for name in ("one", "two"))
    assert not set(one) & set(two)


def test_python_m_pip_is_refused_by_the_site_hook(tmp_path: Path) -> None:
    write_shims(tmp_path / "shims", BANS, python=sys.executable, salt=b"salt")
    venv.create(tmp_path / "env", with_pip=False)
    site = next((tmp_path / "env" / "lib").glob("python*/site-packages"))
    (site / "pip").mkdir()
    (site / "pip" / "__init__.py").touch()
    (site / "pip" / "__main__.py").write_text("import sys\nprint('real', sys.argv[1:], sys.path[0][:5])\n")
    (site / PTH).write_text(pth_line(str(tmp_path / "shims")))
    python = str(tmp_path / "env" / "bin" / "python")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": ""},
        )

    for words in (
        ["-m", "pip"],
        ["-mpip"],
        ["-Im", "pip"],
        ["-W", "ignore", "-m", "pip"],
        [str(site / "pip" / "__main__.py")],
    ):
        assert_refused(run(*words, "install", "Name.Odd==1"))
        assert run(*words, "install", "name-odder").stdout.startswith("real ['install', 'name-odder']")
    assert run("-c", "print('pip install oldtally')").stdout == "pip install oldtally\n"


@pytest.mark.parametrize(
    ("words", "program"),
    [
        ("python -m pip install x", "pip"),
        ("python -I -mpip install x", "pip"),
        ("python -X utf8 /x/pip/__main__.py install x", "pip"),
        ("python /usr/bin/pip3 install x", "pip3"),
        ("python -c pass -m pip", ""),
        ("python x.py -m pip", "x.py"),
        ("python", ""),
    ],
)
def test_what_an_interpreter_is_told_to_be(words: str, program: str) -> None:
    assert behind(words.split())[0] == program
