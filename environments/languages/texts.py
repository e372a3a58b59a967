"""How prose and configuration are written, for the renaming. Data alone."""

from __future__ import annotations

from environments.languages.writing import C_ESCAPES, Quote, Writing

_DOUBLE, _SINGLE = Quote(opens='"', closes='"'), Quote(opens="'", closes="'", escape="")

MARKDOWN = Writing(
    name="markdown", endings=("md", "markdown", "mdx"), blocks=(("<!--", "-->"),), code=False, underlines="=-",
    imports=(r"(?m)^[ \t]*(?:import[ \t]+[\w.]+|from[ \t]+[\w.]+[ \t]+import[ \t]+[^\n]+)$",
             r"\brequire\([\"'][^\"'\n]+[\"']\)", r"(?m)^import\b[^\n]*\bfrom[ \t]+[\"'][^\"'\n]+[\"']"),
)  # fmt: skip
RESTRUCTUREDTEXT = Writing(
    name="restructuredtext", endings=("rst", "rest"), code=False, underlines="=-~^\"'`#*+.:_",
    imports=(r"(?m)^[ \t]*(?:>>>[ \t]*)?(?:import[ \t]+[\w.]+|from[ \t]+[\w.]+[ \t]+import[ \t]+[^\n]+)$",),
)  # fmt: skip
PLAIN = Writing(name="text", endings=("txt", "text", "adoc", "org"), code=False)
TOML = Writing(
    name="toml", endings=("toml",), files=("uv.lock", "poetry.lock", "pdm.lock", "Cargo.lock"), comments=("#",),
    code=False, escapes=(r"\\[btnfre\"\\]", *C_ESCAPES[1:4]),
    quotes=(
        Quote(opens='"""', closes='"""', lines=True), Quote(opens="'''", closes="'''", lines=True, escape=""),
        _DOUBLE, _SINGLE,
    ),
)  # fmt: skip
YAML = Writing(
    name="yaml", endings=("yaml", "yml"), comments=(" #",), code=False, escapes=C_ESCAPES,
    quotes=(_DOUBLE, Quote(opens=" '", closes="'", escape="")),
)  # fmt: skip
JSON = Writing(
    name="json", endings=("json", "jsonc", "json5", "webmanifest", "map"), comments=("//",), code=False,
    escapes=(r"\\[bfnrt\"\\/]", r"\\u[0-9A-Fa-f]{4}"), quotes=(_DOUBLE,),
)  # fmt: skip
INI = Writing(
    name="ini", endings=("ini", "cfg", "conf", "properties", "editorconfig"),
    files=(".coveragerc", ".editorconfig", ".flake8", ".pylintrc"), comments=(" #", " ;"), code=False,
)  # fmt: skip
SHELL = Writing(
    name="shell", endings=("sh", "bash", "zsh"), files=("Dockerfile", ".envrc"), comments=(" #",),
    quotes=(_DOUBLE, _SINGLE), escapes=C_ESCAPES, glued=("-D", "-l"), imports=(r"(?m)^[ \t]*(?:source|\.)[ \t]+\S+",),
)  # fmt: skip
TEXTS = (MARKDOWN, RESTRUCTUREDTEXT, PLAIN, TOML, YAML, JSON, INI, SHELL)
