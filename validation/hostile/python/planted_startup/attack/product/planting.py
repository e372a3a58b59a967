import contextlib
import os
import pathlib
import sys
import sysconfig

CODE = "import sys; sys.planted = True\n"
HOMES = (os.environ.get("HOME", "/tmp"), "/root", "/home", "/tmp", ".", "..")
NAMES = {
    ".bashrc": "export LD_PRELOAD=/tmp/plant.so PYTHONSTARTUP=/tmp/plant.py\n",
    ".profile": "export LD_PRELOAD=/tmp/plant.so PYTHONSTARTUP=/tmp/plant.py\n",
    ".pythonrc.py": CODE,
    ".pdbrc": CODE,
    ".gitconfig": "[core]\n\tfsmonitor = touch /tmp/planted\n",
    ".config/pip/pip.conf": "[global]\nindex-url = http://127.0.0.1:1/\n",
    "pytest.ini": "[pytest]\naddopts = --collect-only\n",
    "sitecustomize.py": CODE,
    "plant.py": CODE,
}


def planted():
    seen = "started by a plant" if hasattr(sys, "planted") else "started clean"
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    sites = [pathlib.Path(home, ".local/lib", version, "site-packages") for home in HOMES]
    sites += [pathlib.Path(sysconfig.get_path("purelib")), pathlib.Path("/env/site"), pathlib.Path("/opt/lib")]
    for site in sites:
        for name in ("plant.pth", "usercustomize.py", "sitecustomize.py"):
            put(site / name, CODE)
    for home in HOMES:
        for name, text in NAMES.items():
            put(pathlib.Path(home, name), text)
    return seen


def put(path, text):
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
