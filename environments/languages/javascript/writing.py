"""How JavaScript and TypeScript are written, for the renaming. Data alone."""

from __future__ import annotations

from environments.languages.writing import C_COMMENTS, C_ESCAPES, OPERATORS, Layout, Manifest, Quote, Writing

JAVASCRIPT = Writing(
    name="javascript",
    endings=("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"),
    comments=("//",),
    blocks=C_COMMENTS,
    quotes=(
        Quote(opens='"', closes='"'),
        Quote(opens="'", closes="'"),
        Quote(opens="`", closes="`", lines=True),
    ),
    # A regular expression, where a value may begin.
    skips=(r"(?<=[=(,:!&|?{};\[])[ \t]*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/",),
    escapes=(*C_ESCAPES, r"\\u\{[0-9A-Fa-f]{1,6}\}"),
    letters="$",
    imports=(
        r"(?m)^[ \t]*import\b(?:[^;\"'`]*?\bfrom)?[ \t\n]*[\"'][^\"'\n]+[\"']",
        r"(?m)^[ \t]*export\b[^;\"'`=()]*?\bfrom[ \t\n]*[\"'][^\"'\n]+[\"']",
        r"\b(?:require(?:\.resolve)?|import)\([ \t\n]*[\"'][^\"'\n]+[\"']",
        r"\b(?:mock|unmock|doMock|importActual|importOriginal)\([ \t\n]*[\"'][^\"'\n]+[\"']",
        r"(?m)^[ \t]*///[ \t]*<reference[^>\n]*>",
        r"(?m)^[ \t]*declare[ \t]+module[ \t]+[\"'][^\"'\n]+[\"']",
    ),
    manifests=(
        Manifest(
            file="package.json",
            layout=Layout.JSON,
            own=("name",),
            needs=("dependencies", "peerDependencies", "optionalDependencies", "bundledDependencies"),
            tools=("devDependencies", "overrides", "resolutions"),
        ),
        Manifest(file="package-lock.json", layout=Layout.JSON, own=("name",), tools=("packages", "dependencies")),
        Manifest(file="npm-shrinkwrap.json", layout=Layout.JSON, own=("name",), tools=("packages", "dependencies")),
        Manifest(file="yarn.lock", layout=Layout.LINES, tools=(r"(?m)^\"?(@?[\w.-]+(?:/[\w.-]+)?)@",)),
        Manifest(
            file="pnpm-lock.yaml",
            layout=Layout.LINES,
            tools=(r"(?m)^[ ]+['\"]?/?((?:@[\w.-]+/)?[\w.-]+)[@/]\d",),
        ),
    ),
    snapshots=("*.snap", "*/__snapshots__/*"),
    behaviour=(
        r"\bprocess\.env\b[^\n]*\[[ \t]*$",
        r"\b(?:addEventListener|removeEventListener|on|once|off|emit|dispatchEvent|CustomEvent|Event)\([ \t]*$",
        r"(?i:user.agent)[^\n]*[:=(,][ \t]*$",
        r"\bsalt\b[^\n]*[:=][ \t]*$",
        r"\bSymbol\.for\([ \t]*$",
    ),
    mutants=(
        (r"===", "!=="), (r"!==", "==="), (r"(?<=\s)<(?=\s)", ">="), (r"(?<=\s)>(?=\s)", "<="),
        (r"&&", "||"), (r"\|\|", "&&"), (r"\breturn true\b", "return false"), (r"\breturn false\b", "return true"),
        *OPERATORS[4:],
    ),
)  # fmt: skip
