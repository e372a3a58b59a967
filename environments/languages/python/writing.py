"""How Python is written, for the renaming. Data alone."""

from __future__ import annotations

from environments.languages.writing import C_ESCAPES, OPERATORS, Layout, Manifest, Quote, Writing

_RAW = r"(?:[rR][bBfF]?|[bBfF][rR])"
_REQUIREMENT = r"(?m)^[ \t]*([A-Za-z0-9][\w.-]*)"

PYTHON = Writing(
    name="python",
    endings=("py", "pyi", "pyx", "pxd"),
    comments=("#",),
    quotes=(
        Quote(opens='"""', closes='"""', lines=True, before=_RAW, raw=True),
        Quote(opens="'''", closes="'''", lines=True, before=_RAW, raw=True),
        Quote(opens='"', closes='"', before=_RAW, raw=True),
        Quote(opens="'", closes="'", before=_RAW, raw=True),
        Quote(opens='"""', closes='"""', lines=True),
        Quote(opens="'''", closes="'''", lines=True),
        Quote(opens='"', closes='"'),
        Quote(opens="'", closes="'"),
    ),
    escapes=(*C_ESCAPES, r"\\N\{[^}\n]*\}"),
    imports=(
        r"(?m)^[ \t]*from[ \t]+[\w.]+[ \t]+import\b(?:[ \t]*\([^)]*\)|[^\n]*)",
        r"(?m)^[ \t]*(?:import)[ \t]+[^\n#;]+",
        r"(?:\b__import__|\bimport_module)\([ \t\n]*[rbuRBU]?[\"'][\w.]+[\"']",
    ),
    manifests=(
        Manifest(
            file="pyproject.toml",
            layout=Layout.TOML,
            own=("project.name", "tool.poetry.name", "tool.flit.metadata.module", "tool.flit.module.name"),
            needs=(
                "project.dependencies",
                "project.optional-dependencies.*",
                "tool.poetry.dependencies",
                "build-system.requires",
            ),
            tools=(
                "dependency-groups.*",
                "tool.poetry.dev-dependencies",
                "tool.poetry.group.*.dependencies",
                "tool.hatch.envs.*.dependencies",
                "tool.pdm.dev-dependencies.*",
            ),
        ),
        Manifest(
            file="setup.cfg",
            layout=Layout.INI,
            own=("metadata.name",),
            needs=("options.install_requires", "options.setup_requires", "options.extras_require.*"),
            tools=("options.tests_require",),
        ),
        Manifest(
            file="setup.py",
            layout=Layout.LINES,
            own=(r"\bname\s*=\s*[\"']([\w.-]+)[\"']",),
            needs=(r"(?:_requires?\s*=\s*\[(?:[^\]]*[,\s])?)[\"']([A-Za-z0-9][\w.-]*)",),
        ),
        Manifest(
            file="PKG-INFO",
            layout=Layout.LINES,
            own=(r"(?m)^Name: (\S+)",),
            needs=(r"(?m)^Requires-Dist: ([\w.-]+)(?![^\n]*extra ==)",),
            tools=(r"(?m)^Requires-Dist: ([\w.-]+)[^\n]*extra ==",),
        ),
        Manifest(file="*requirements*.txt", layout=Layout.LINES, tools=(_REQUIREMENT,)),
        Manifest(file="*requirements*.in", layout=Layout.LINES, tools=(_REQUIREMENT,)),
        Manifest(file="poetry.lock", layout=Layout.TOML, tools=("package",)),
        Manifest(file="pdm.lock", layout=Layout.TOML, tools=("package",)),
        Manifest(file="uv.lock", layout=Layout.TOML, tools=("package",)),
        Manifest(file="tox.ini", layout=Layout.INI, tools=("*.deps",)),
    ),
    snapshots=("*.ambr", "*/__snapshots__/*", "*.approved.*", "*/cassettes/*"),
    behaviour=(
        r"\b(?:environ|getenv)\b[^\n]*[\[(][ \t]*$",
        r"\bsalt\b[^\n]*=[ \t]*$",
        r"\bprog(?:_name)?[ \t]*=[ \t]*$",
        r"(?i:user.agent)[^\n]*[:=(,][ \t]*$",
        r"\b(?:entry_points|distribution|version|metadata)\((?:[ \t]*|[^\n]*group[ \t]*=[ \t]*)$",
        r"\b(?:user_\w+_dir|user_\w+_path)\([ \t]*$",
    ),
    mutants=OPERATORS,
)
