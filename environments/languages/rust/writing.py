"""How Rust is written, for the renaming. Data alone."""

from __future__ import annotations

from environments.languages.writing import C_COMMENTS, OPERATORS, Layout, Manifest, Quote, Writing

RUST = Writing(
    name="rust",
    endings=("rs",),
    comments=("//",),
    blocks=C_COMMENTS,
    nested=True,
    quotes=(
        Quote(opens='##"', closes='"##', lines=True, escape="", before="(?:br|cr|r)"),
        Quote(opens='#"', closes='"#', lines=True, escape="", before="(?:br|cr|r)"),
        Quote(opens='"', closes='"', lines=True, escape="", before="(?:br|cr|r)"),
        Quote(opens='"', closes='"', lines=True),
    ),
    skips=(r"'(?:\\[^\n]{1,10}?|[^\\'\n])'",),
    escapes=(r"\\[nrt0\\'\"]", r"\\x[0-9A-Fa-f]{2}", r"\\u\{[0-9A-Fa-f_]{1,8}\}"),
    imports=(
        r"(?m)^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?use[ \t]+[^;]+;",
        r"(?m)^[ \t]*(?:pub[ \t]+)?extern[ \t]+crate[ \t]+\w+",
        r"(?m)^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+\w+[ \t]*;",
    ),
    manifests=(
        Manifest(
            file="Cargo.toml",
            layout=Layout.TOML,
            own=("package.name", "lib.name"),
            needs=(
                "dependencies",
                "build-dependencies",
                "workspace.dependencies",
                "target.*.dependencies",
            ),
            tools=("dev-dependencies", "target.*.dev-dependencies"),
        ),
        Manifest(file="Cargo.lock", layout=Layout.TOML, tools=("package",)),
    ),
    glued=("lib", "-l"),
    snapshots=("*.snap", "*.stderr", "*.stdout"),
    behaviour=(
        r"\b(?:env::var(?:_os)?|env!|option_env!)\([ \t]*$",
        r"\bfeature[ \t]*=[ \t]*$",
        r"(?i:user.agent)[^\n]*[:=(,][ \t]*$",
        r"(?i:salt|magic)\b[^\n]*=[ \t&*]*$",
    ),
    mutants=(*OPERATORS, (r"&&", "||"), (r"\|\|", "&&"), (r"\bOk\(true\)", "Ok(false)")),
)
