"""How Go is written, for the renaming. Data alone."""

from __future__ import annotations

from environments.languages.writing import C_COMMENTS, C_ESCAPES, OPERATORS, Layout, Manifest, Quote, Writing

GO = Writing(
    name="go",
    endings=("go",),
    comments=("//",),
    blocks=C_COMMENTS,
    quotes=(
        Quote(opens='"', closes='"'),
        Quote(opens="`", closes="`", lines=True, escape=""),
        Quote(opens="'", closes="'"),
    ),
    escapes=C_ESCAPES,
    imports=(
        r"(?m)^import[ \t]+(?:[\w.]+[ \t]+)?[\"`][^\"`\n]+[\"`]",
        r"(?m)^import[ \t]*\([^)]*\)",
        r"(?m)^package[ \t]+\w+",
    ),
    manifests=(
        Manifest(
            file="go.mod",
            layout=Layout.LINES,
            own=(r"(?m)^module[ \t]+\"?([^\s\"]+)",),
            needs=(
                r"(?m)^(?:require[ \t]+|[ \t]+)([\w.-]+\.[\w.-]+/[^\s@]+)[ \t]+v\d[^\n/]*(?!// indirect)$",
                r"(?m)^(?:replace[ \t]+|[ \t]+)[^\n]*=>[ \t]*([\w.-]+\.[\w.-]+/[^\s@]+)",
            ),
            tools=(r"(?m)^(?:require[ \t]+|[ \t]+)([\w.-]+\.[\w.-]+/[^\s@]+)[ \t]+v\d[^\n]*// indirect",),
        ),
        Manifest(file="go.sum", layout=Layout.LINES, tools=(r"(?m)^([\w.-]+\.[\w.-]+/\S+) v",)),
    ),
    snapshots=("*.golden", "*.snap"),
    behaviour=(
        r"\b(?:Getenv|LookupEnv|Setenv|Unsetenv)\([ \t]*$",
        r"(?i:user-agent)[^\n]*[:=(,][ \t]*$",
        r"`[^`\n]*\b(?:json|yaml|toml|xml|db):$",
        r"(?i:salt)\b[^\n]*[:=(][ \t]*$",
    ),
    mutants=(*OPERATORS, (r"&&", "||"), (r"\|\|", "&&"), (r"\breturn true\b", "return false")),
)
