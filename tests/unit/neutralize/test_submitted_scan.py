"""The static scan of a submitted workspace: what it finds, what it leaves alone, and what cannot stop it."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import marshal
import os
import socket
import tarfile
import zipfile
from pathlib import Path

import pytest

from neutralize.submitted.report import Limits
from neutralize.submitted.scan import scan_workspace
from taskpack.denylist import Denylist, read_denylist

BANS = Denylist(
    case_id="case900",
    ecosystem="pip",
    install_ban=("oldtally", "python3-oldtally", "@brass/tally-js", "brassworks/oldtally", "host.example/bw/oldtally"),
    import_ban=("oldtally", "oldtally/", "tomllib", "oldtally::"),
)
WIDE = "".join(chr(ord(char) + 0xFEE0) for char in "oldtally")
"""The name in full-width letters, which Python reads as the plain ones."""


def lay(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def found(root: Path, name: str, content: str | bytes) -> list[tuple[str, int]]:
    report = scan_workspace(lay(root, {name: content}), BANS)
    return [(hit.token, hit.line) for hit in report.hits]


PYTHON = {
    "import": "x = 1\nimport oldtally\n",
    "import of a part": "\nimport json, oldtally.ledger as own\n",
    "from": "\nfrom oldtally import Ledger\n",
    "from a part": "\nfrom oldtally.ledger import *\n",
    "full-width letters": f"\nimport {WIDE} as own\n",
    "full-width letters in from": f"\nfrom {WIDE}.ledger import Ledger\n",
    "import_module": "import importlib\nimportlib.import_module('oldtally')\n",
    "import_module of a part": "import importlib as i\ni.import_module('.ledger', 'oldtally')\n",
    "__import__": "\n__import__('oldtally')\n",
    "put together": "\n__import__('old' + 'tally')\n",
    "joined": "\n__import__(''.join(['old', 'tally']))\n",
    "backwards": "\n__import__('yllatdlo'[::-1])\n",
    "formatted": "part = 'tally'\n__import__(f'old{part}')\n",
    "by another name": "load = __import__\nload('oldtally')\n",
    "by getattr": "import builtins\ngetattr(builtins, '__imp' + 'ort__')('oldtally')\n",
    "inside a copy of others": "\nfrom pip._vendor import oldtally\n",
    "relative, vendored": "\nfrom ._vendor.oldtally import Ledger\n",
    "code in a text": "\nexec('import oldtally')\n",
    "runpy": "import runpy\nrunpy.run_module('oldtally')\n",
    "-m": "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'oldtally'])\n",
    "install": "import os\nos.system('pip install -q OldTally==1')\n",
    "install as a list": "import subprocess\nsubprocess.check_call(['uv', 'pip', 'install', 'oldtally'])\n",
    "a program": "from subprocess import run\nrun(['oldtally', 'sum'])\n",
    "a program by its path": "import os\nos.execv('/usr/bin/oldtally', ['x'])\n",
    "a library": "import ctypes\nctypes.CDLL('liboldtally.so.1')\n",
    "an address": "\nURL = 'https://files.example/BrassWorks/oldtally/archive/main.zip'\n",
    "a fork's archive": "\nURL = 'https://files.example/someone/oldtally-1.0.tar.gz'\n",
    "a page of a registry": "\nURL = 'https://files.example/simple/oldtally/'\n",
    "filled in": "\n__import__('old%s' % 'tally')\n",
    "filled in by format": "\n__import__('old{}'.format('tally'))\n",
    "an annotated name": "NAME: str = 'oldtally'\n__import__(NAME)\n",
    "a name of a class": "class A: load = __import__\nA().load('oldtally')\n",
    "pip from inside": "import pip\npip.main(['install', 'oldtally'])\n",
    "pip behind what only the run knows": "import os, sys\nos.system(f'{sys.executable} -m pip install oldtally')\n",
    "python -c": "import os\nos.system('python3 -c \"import oldtally\"')\n",
    "a coding line": "# coding: utf-7\nimport oldtally\n",
    "a control character": "x = '\x01'\nimport oldtally\n",
    "old Python": "print 'x'\nimport oldtally\n",
    "setup": "from setuptools import setup\nsetup(name='own', install_requires=['Oldtally>=1'])\n",
}


@pytest.mark.parametrize("form", PYTHON)
def test_a_banned_import_or_start_in_python_is_found_with_its_line(tmp_path: Path, form: str) -> None:
    hits = found(tmp_path, "src/own/part.py", PYTHON[form])
    assert (hits[0][0] in {*BANS.install_ban, *BANS.import_ban}, hits[0][1]) == (True, 2)


@pytest.mark.parametrize("name", ["part.txt", "part", "part.dat", "README.md", "deep/LICENSE"])
def test_code_is_found_whatever_its_file_is_called(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, name, PYTHON["from"]) == [("oldtally", 2)]


OTHERS = {
    "a.js": ["const x = 1;\nconst y = require('oldtally');", "\nimport x from \"oldtally/part\";", "\nimport('@brass/tally-js');",
             "\nexport * from 'oldtally'", "\nrequire('old' + 'tally')", "\nrequire('\\x6fldtally')", "\nimport 'npm:oldtally@1'",
             "const r = /[/*]/;\nrequire('oldtally') /* */", "\nrequire(`oldtally`)",
             "\nrequire('child_process').execSync('npm i oldtally')", "\nspawn('oldtally', ['x'])", "\nrequire(('oldtally'))", "const n = 'oldtally';\nrequire(n)"],
    "a.ts": ["\nimport type { X } from 'oldtally';"],
    "a.go": ["package x\nimport \"host.example/bw/oldtally/v2\"", "import (\n  own \"host.example/bw/oldtally\"\n)"],
    "a.cpp": ["\n#include <oldtally/ledger.h>", "\n#include \"oldtally.h\"", "\n  # include <third_party/oldtally/x.h>",
              "int f() {\nreturn oldtally::sum(); }", "#define H \\\n <oldtally/x.h>\n#include H",
              "auto s = R\"(\" /* )\";\n#include <oldtally/x.h>\n/* */"],
    "a.rs": ["\nuse oldtally::Ledger;", "\nextern crate oldtally;", "fn main() {\n oldtally::run(); }"],
    "a.java": ["\nimport static oldtally.Ledger.*;"],
    "a.rb": ["\nrequire 'oldtally'"],
    "a.php": ["<?php\nuse oldtally\\Ledger;"],
    "a.cs": ["\nusing oldtally.Parts;"],
    "a.pyx": ["\ncimport oldtally"],
    "a.sh": ["set -e\npip3 install 'oldtally[x]==1'", "\nsudo apt-get install -y python3-oldtally", "\nX=1 oldtally sum | cat",
             "\nbash -c \"pip install oldtally\"", "x\ngit clone https://files.example/brassworks/oldtally",
             "\npip install \\\n  --upgrade \\\n  oldtally", "\nx=$(python3 -m oldtally)", "\napt-get install 'python3-old*'",
             "\npython3 -c 'import oldtally'", "\neval 'pip install oldtally'", "P=oldtally\npip install $P",
             "\ngit clone https://files.example/someone/oldtally", "\ncurl -O https://files.example/x/oldtally-1.0.tar.gz"],
    "run": ["#!/bin/sh\nuv add oldtally", "#!/usr/bin/env node\nrequire('oldtally')", "#!/usr/bin/python3\nimport oldtally\nprint 1"],
    "Dockerfile": ["FROM x\nRUN pip install oldtally", "FROM x\nCMD [\"python\", \"-m\", \"oldtally\"]"],
    "Makefile": ["all:\n\t@pip install oldtally"],
    "ci.yml": ["steps:\n  - run: pip install oldtally", "x:\n  - uses: brassworks/oldtally@v1", "dependencies:\n  - oldtally=1.0",
               "repos:\n- repo: https://files.example/brassworks/oldtally"],
    "requirements-dev.txt": ["a\noldtally==1 --hash=sha256:00", "a\n-e git+https://files.example/x/y#egg=oldtally",
                             "a\nold\\\ntally==1"],
    "requirements/base.in": ["a\nOld_Tally".replace("_", "")],
    "pyproject.toml": ["[project]\ndependencies = ['oldtally>=1']", "[project]\nname = 'oldtally'",
                       "[tool.poetry.dependencies]\noldtally = '^1'", "[dependency-groups]\ndev = ['oldtally']",
                       "[build-system]\nrequires = ['oldtally']"],
    "setup.cfg": ["[options]\ninstall_requires = oldtally"],
    "Pipfile": ["[packages]\noldtally = '*'"],
    "uv.lock": ["[[package]]\nname = 'oldtally'"],
    "Cargo.toml": ["[dependencies]\noldtally = '1'"],
    "package.json": ["{\n\"dependencies\": {\"own\": \"npm:oldtally@1\"}}", "{\n\"devDependencies\": {\"@brass/tally-js\": \"1\"}}"],
    "package-lock.json": ["{\"packages\":\n {\"node_modules/oldtally\": {}}}"],
    "yarn.lock": ["# x\n\"own@npm:oldtally@1\":\n  version 1"],
    "pnpm-lock.yaml": ["packages:\n  /oldtally@1.0.0:\n    x: 1"],
    "go.mod": ["module own\nrequire host.example/bw/oldtally v1.0.0"],
    "CMakeLists.txt": ["x\nfind_package(oldtally REQUIRED)"],
    "needed.txt": ["a>=1\noldtally==1.0\n"],
    "Gemfile": ["\ngem 'oldtally'"],
    "tasks.toml": ["[x]\ncommand = 'pip install oldtally'"],
    "PKG-INFO": ["Metadata-Version: 2.1\nName: OldTally\n"],
    "notes.ipynb": [json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1\n", "import oldtally"]}]})],
}  # fmt: skip
CASES = [(name, text) for name, texts in OTHERS.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(CASES)])
def test_a_banned_thing_in_any_other_file_is_found(tmp_path: Path, name: str, text: str) -> None:
    hits = found(tmp_path, name, text)
    assert hits, text
    if name not in {"notes.ipynb", "package-lock.json", "package.json", "requirements-dev.txt", "a.cpp", "a.sh"}:
        assert hits[0][1] == 2, hits


HARMLESS = {
    "part.py": [
        "# import oldtally\n",
        '"""import oldtally\n\nfrom oldtally import Ledger, as it was once written."""\n',
        "import oldtally_tools\nimport oldtallyx.part\nfrom oldtally2 import x\n",
        "print('oldtally')\nNAME = 'oldtally'\n",
        "import os\nos.system('echo oldtally')\n",
        "class A:\n    def run(self, name): return name\nA().run('oldtally')\n",
        "URL = 'https://files.example/brassworks/oldtally-docs'\n",
        "from . import oldtallyx\nfrom .own import oldtally_like\n",
        "x = {'import': 'oldtally is no code'}\n",
        "import importlib\nimportlib.import_module('json')\n",
    ],
    "README.md": ["Unlike oldtally, run `pip install own`.\n\n    pip install oldtally\n    import oldtally\n"],
    "notes.txt": ["import oldtally is what people wrote before.\nfrom oldtally import Ledger was another way\n"],
    "words.txt": ["schedule\noldtally\nother\n"],
    "help.sh": ["echo 'pip install oldtally'\n"],
    "link.py": ["URL = 'https://files.example/oldtally/about'\nTEXT = 'and/or'\n"],
    "a.js": ["// require('oldtally')\n/* import 'oldtally' */\nconst s = 'oldtally';\nrequire('oldtally-loader');\nrequire('./own/oldtallyx')"],
    "a.cpp": ['// #include <oldtally/x.h>\n#include <own/oldtallyx.h>\nauto s = "oldtally::sum";\nint my_oldtally;\n'],
    "a.rs": ["// use oldtally::x;\nuse oldtally_derive::x;\n"],
    "a.sh": ["# pip install oldtally\necho oldtally\npip install oldtally-tools other[oldtally]\ngrep oldtally x\n"],
    "requirements.txt": ["# oldtally\nother[oldtally]>=1\noldtally-tools\nother ; extra == 'oldtally'\n--index-url https://oldtally.example/simple\n"],
    "pyproject.toml": ["[project]\nname = 'own'\ndescription = 'not oldtally'\ndependencies = ['other[oldtally]', 'oldtally-tools']\n"],
    "package.json": ['{"name": "own", "description": "oldtally", "dependencies": {"oldtally-loader": "1"}}'],
    "ci.yml": ["# pip install oldtally\nname: like oldtally\non: push\n"],
    "setup.cfg": ["[metadata]\nname = own\ndescription = oldtally\n"],
    "go.mod": ["module own\n// host.example/bw/oldtally\nrequire host.example/bw/oldtally2 v1\n"],
    "CMakeLists.txt": ["# find_package(oldtally)\nfind_package(oldtallyx)\n"],
    "data.json": ['{"name": "oldtally", "list": ["oldtally"]}'],
    "oldtally.md": ["What it was."],
    "docs/oldtally/page.md": ["x"],
}  # fmt: skip
TWINS = [(name, text) for name, texts in HARMLESS.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), TWINS, ids=[f"{name}-{number}" for number, (name, _) in enumerate(TWINS)])
def test_comments_prose_and_neighbours_do_not_count(tmp_path: Path, name: str, text: str) -> None:
    report = scan_workspace(lay(tmp_path, {name: text}), BANS)
    assert (report.hits, report.unread) == ((), ())


@pytest.mark.parametrize(
    "path",
    [
        "oldtally/ledger.py",
        "src/oldtally/__init__.py",
        "src/own/oldtally/__init__.py",
        "oldtally.py",
        "src/own/_vendor/oldtally/ledger.py",
        "third_party/oldtally-1.2/x.c",
        "vendor/host.example/bw/oldtally/x.go",
        "node_modules/@brass/tally-js/index.js",
        "lib/x/OldTally-1.0.dist-info/RECORD",
        "oldtally.egg-info/top_level.txt",
        "wheels/oldtally-1.0-py3-none-any.whl",
        "src/own/extern/oldtally.cpython-311-x86_64-linux-gnu.so",
    ],
)
def test_a_copy_under_its_own_name_is_found_by_its_place(tmp_path: Path, path: str) -> None:
    assert [hit.line for hit in scan_workspace(lay(tmp_path, {path: "x = 1\n"}), BANS).hits] == [0]


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: dict[str, bytes], kind: int = tarfile.USTAR_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


CODE = {"own/part.py": b"\nimport oldtally\n"}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (zipped(CODE), "own/part.py"),
        (b"#!/usr/bin/env python3\n" + zipped(CODE), "own/part.py"),
        (tarred(CODE), "own/part.py"),
        (gzip.compress(tarred(CODE)), "own/part.py"),
        (bz2.compress(tarred(CODE)), "own/part.py"),
        (lzma.compress(tarred(CODE)), "own/part.py"),
        (gzip.compress(CODE["own/part.py"]), "(content)"),
        (zipped({"inner.tar": tarred(CODE)}), "inner.tar!/own/part.py"),
    ],
    ids=["zip", "zipapp", "tar", "tar.gz", "tar.bz2", "tar.xz", "gz", "tar in zip"],
)
def test_archives_are_opened_by_their_bytes(tmp_path: Path, data: bytes, path: str) -> None:
    report = scan_workspace(lay(tmp_path, {"data.bin": data}), BANS)
    assert (f"data.bin!/{path}", 2) in [(hit.path, hit.line) for hit in report.hits]


@pytest.mark.parametrize("kind", ["cut", "lying", "long name"])
def test_an_archive_that_lies_about_sizes_or_names_is_read_all_the_same(tmp_path: Path, kind: str) -> None:
    """What a reader that believes the written sizes passes over, others unpack."""
    whole = zipped({"own/part.py": b"x = 1\n" * 40 + CODE["own/part.py"]})
    size = (240 + len(CODE["own/part.py"])).to_bytes(4, "little")
    data = {
        "cut": whole.replace(b"PK\x01\x02", b"PK\x01\x03"),
        "lying": whole.replace(size, b"\x06\0\0\0"),
        "long name": tarred({"own/" + "x" * 200_000 + ".py": CODE["own/part.py"]}, tarfile.GNU_FORMAT),
    }[kind]
    report = scan_workspace(lay(tmp_path, {"data.bin": data}), BANS)
    assert report.hits or report.unread


@pytest.mark.parametrize("name", ["own.js", "own"])
def test_what_is_an_archive_and_a_program_is_read_as_both(tmp_path: Path, name: str) -> None:
    """A compiler takes an archive for a comment."""
    archive = zipped({"a": b"1"})
    comment = b"*/ require('oldtally')\n"
    data = b"/*" + archive[:-2] + len(comment).to_bytes(2, "little") + comment
    if "." not in name:
        data = b"#!/usr/bin/env node\n" + data
    assert scan_workspace(lay(tmp_path, {name: data}), BANS).hits
    twin = lay(tmp_path / "twin", {name: data.replace(b"oldtally", b"newtally")})
    assert scan_workspace(twin, BANS).hits == ()


def test_a_wheel_of_the_upstream_is_found_by_its_metadata_under_any_file_name(tmp_path: Path) -> None:
    wheel = zipped({"other-1.dist-info/METADATA": b"Metadata-Version: 2.1\nName: Oldtally\n\n"})
    assert scan_workspace(lay(tmp_path, {"assets/model.bin": wheel}), BANS).hits[0].token == "oldtally"


def test_bytecode_that_imports_the_upstream_is_found(tmp_path: Path) -> None:
    code = compile("import oldtally\n", "x", "exec")
    report = scan_workspace(lay(tmp_path, {"own/x.pyc": b"\xa7\r\r\n" + bytes(12) + marshal.dumps(code)}), BANS)
    assert [hit.path for hit in report.hits] == ["own/x.pyc"]
    other = compile("import oldtallyx\nx = 'about oldtally'\n", "x", "exec")
    twin = lay(tmp_path / "twin", {"own/x.pyc": b"\xa7\r\r\n" + bytes(12) + marshal.dumps(other)})
    assert scan_workspace(twin, BANS).hits == ()


def test_a_hit_names_token_path_line_and_text(tmp_path: Path) -> None:
    hit = scan_workspace(lay(tmp_path, {"a\x1b[2J.py": "import json\nimport oldtally  # \x1b[2J\n"}), BANS).hits[0]
    assert hit.render() == r"denylist: oldtally: a\x1b[2J.py:2: import oldtally  # \x1b[2J"


# What is hostile


def test_what_is_no_plain_file_is_told_and_stops_nothing(tmp_path: Path) -> None:
    lay(tmp_path, {"own.py": "import oldtally\n"})
    os.mkfifo(tmp_path / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "up").symlink_to("..")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff\n.py")).write_text("import tomllib\n")
    report = scan_workspace(tmp_path, BANS)
    assert [hit.token for hit in report.hits] == ["tomllib", "oldtally"]
    assert report.unread == ("pipe.py: neither file, folder nor link", "s: neither file, folder nor link")


@pytest.mark.parametrize(
    "data",
    [
        zipped(CODE)[:-8],
        gzip.compress(tarred(CODE))[:-30],
        zipped({"a": b"x" * 100}).replace(b"x" * 100, b"y" * 100),
        b"\x1f\x8b\x08" + b"\0" * 100,
        b"Rar!\x1a\x07\0" + bytes(100),
        b"7z\xbc\xaf\x27\x1c" + bytes(100),
    ],
    ids=["cut zip", "cut tar.gz", "wrong sum", "no gzip", "rar", "7z"],
)
def test_an_archive_that_cannot_be_read_is_told(tmp_path: Path, data: bytes) -> None:
    report = scan_workspace(lay(tmp_path, {"data.bin": data}), BANS)
    assert report.hits or report.unread


@pytest.mark.parametrize(
    ("kind", "fact"),
    [
        ("deep", "an archive inside 3 others, which is not opened"),
        ("bomb", "unpack to more than 2000000 bytes"),
        ("crowd", "more than 200 entries in archives"),
        ("heap", "unpack to more than 2000000 bytes"),
    ],
)
def test_an_archive_beyond_a_bound_is_told(tmp_path: Path, kind: str, fact: str) -> None:
    deep = zipped(CODE)
    for _ in range(5):
        deep = zipped({"x.zip": deep})
    data = {
        "deep": deep,
        "bomb": gzip.compress(bytes(4_000_000)),
        "crowd": zipped({f"f{number}": b"" for number in range(300)}),
        "heap": zipped({f"f{number}": bytes(100_000) for number in range(30)}),
    }
    limits = Limits(archive_bytes=2_000_000, archive_members=200)
    report = scan_workspace(lay(tmp_path, {"data.bin": data[kind]}), BANS, limits=limits)
    assert any(fact in told for told in report.unread), report.unread


def test_a_workspace_that_is_too_large_to_be_looked_through_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, {"a.txt": "x" * 1000, "b.py": "import oldtally\n"})
    report = scan_workspace(tmp_path, BANS, limits=Limits(total_bytes=500))
    assert report.causes == ("denylist: it was not looked through: the workspace has more than 500 bytes",)


def test_a_large_file_is_read_to_its_bound_and_told(tmp_path: Path) -> None:
    lay(tmp_path, {"big.py": "import oldtally\n" + "x = 1\n" * 1000})
    report = scan_workspace(tmp_path, BANS, limits=Limits(file_bytes=100))
    assert [hit.line for hit in report.hits] == [1]
    assert report.unread == ("big.py: only its first 100 bytes were read",)


@pytest.mark.parametrize("piece", ["(", "[", "-", "a.", "not ", "1+", "lambda:", "'", '"', '\\"', "/*", "`", "{{", "import(", "R\"(",
                                   "r#\"", "=/[", "$(", "from ", "a,", "#", "\\\n", "x@", "a/", "../", "- ", "git+", "import\t"])  # fmt: skip
@pytest.mark.parametrize(
    "name", ["x.py", "x.js", "x.cpp", "x.rs", "x.sh", "x.yml", "requirements.txt", "x.json", "CMakeLists.txt"]
)
@pytest.mark.full
def test_endless_lines_of_any_kind_come_to_an_end(tmp_path: Path, name: str, piece: str) -> None:
    # A pattern that takes the square of its text would run here for hours: the test's own time limit is the assertion.
    text = "import oldtally_x\n" + piece * (400_000 // len(piece))
    assert scan_workspace(lay(tmp_path, {name: text}), BANS).hits == ()


@pytest.mark.parametrize("name", ["package.json", "pyproject.toml", "x.ipynb", "Cargo.lock"])
def test_deep_nesting_in_a_build_file_stops_nothing(tmp_path: Path, name: str) -> None:
    text = ("a = " if name[0] in "pC" and name.endswith(("l", "k")) else "") + "[" * 100_000
    assert scan_workspace(lay(tmp_path, {name: text}), BANS).hits == ()


def test_nothing_of_the_workspace_runs(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    program = f"open({str(mark)!r}, 'w')\nimport oldtally\n"
    lay(tmp_path / "tree", {"setup.py": program, "sitecustomize.py": program, "conftest.py": program})
    assert len(scan_workspace(tmp_path / "tree", BANS).hits) == 3
    assert not mark.exists()


def test_what_is_encoded_is_left_to_the_masks(tmp_path: Path) -> None:
    hidden = base64.b64encode(b"import oldtally").decode()
    assert found(tmp_path, "x.py", f"import base64\nexec(base64.b64decode('{hidden}'))\n") == []


def test_the_stored_clean_room_control_is_clean(checkout: Path) -> None:
    case = checkout / "cases" / "case001"
    report = scan_workspace(case / "controls" / "clean_room" / "app", read_denylist(case / "source" / "denylist.json"))
    assert (report.hits, report.unread) == ((), ())
    assert report.files > 5


def test_a_key_without_a_value_that_goes_on_is_read_line_by_line(tmp_path: Path) -> None:
    assert found(tmp_path, "setup.cfg", "[options]\nzip_safe\n = own\nx = 1\n") == []


def test_a_key_of_very_many_parts_is_not_parsed_and_its_lines_are_read(tmp_path: Path) -> None:
    """The parser of the library takes the square of their number in memory: 200 KB would be all that a machine has."""
    key = ".".join(["a"] * 100_000)
    text = f"[project]\nx = 'https://github.com/brassworks/oldtally'\n{key} = 1\n"
    assert found(tmp_path, "pyproject.toml", text) == [("brassworks/oldtally", 2)]


def test_commands_that_nobody_would_read_to_the_end_are_a_reason(tmp_path: Path) -> None:
    """Each name of a tool is read with all words after it, so a line of them would take the square of their number."""
    report = scan_workspace(lay(tmp_path, {"a.sh": "pip install " * 1600 + "\n" + "pip install x\n" * 9}), BANS)
    assert report.beyond == "a.sh has commands of more words than are read"
    assert report.causes[0] == f"denylist: it was not looked through: {report.beyond}"


def test_many_honest_commands_are_read(tmp_path: Path) -> None:
    report = scan_workspace(
        lay(tmp_path, {"a.sh": "pip install one two three\n" * 2000 + "pip install oldtally\n"}), BANS
    )
    assert (report.beyond, [hit.line for hit in report.hits]) == ("", [2001])
