"""Command lines of package managers, and what each of them asks for. Nothing is run.

Uses the standard library alone: a solver's image carries it. The scan of what was submitted reads with it as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from environments.shims.manifests import Asked, Included, Reader
from taskpack.requested import is_address, of_crate, of_debian, of_module, of_npm, of_requirement


@dataclass(frozen=True, kw_only=True)
class Tool:
    """How one program is asked for packages."""

    reader: Reader
    verbs: frozenset[str] = frozenset()
    """Words after which packages are named; empty: every word is one."""
    first_only: frozenset[str] = frozenset()
    """Verbs (empty text: none) of which only the first word is a package: the others are that program's own."""
    bare: frozenset[str] = frozenset()
    """Verbs that, without a package, read the manifests of the folder."""
    runs: frozenset[str] = frozenset()
    """Verbs that always read the folder's manifests, and whose words are no packages."""
    files: frozenset[str] = frozenset()
    """Options whose value is a file of requirements."""
    projects: frozenset[str] = frozenset()
    """Options whose value is a project's folder, or a requirement."""
    asking: frozenset[str] = frozenset()
    """Options whose value is a package."""
    valued: frozenset[str] = frozenset()
    """Options whose value is neither."""
    manifests: tuple[str, ...] = ()
    patterns: str = ""
    """Characters that make a word a pattern: which packages it means, only the program knows."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PIP_VALUED = _set(
    "-t --target -d --dest -w --wheel-dir --prefix --root --src --python --platform --python-version --implementation"
    " --abi -i --index-url --extra-index-url -f --find-links --log --cache-dir --proxy --timeout --retries --cert"
    " --client-cert --trusted-host --exists-action --progress-bar --report --root-user-action --upgrade-strategy"
    " -C --config-settings --global-option --no-binary --only-binary --use-feature --use-deprecated"
    " --keyring-provider -p --python-preference --index --default-index --index-strategy --directory --project"
    " --resolution --prerelease --exclude-newer --link-mode --color --config-file -o --output-file --group --extra"
)
_PYTHON = ("pyproject.toml", "setup.cfg", "setup.py")
_PIP = Tool(
    reader=of_requirement,
    verbs=_set("install download wheel"),
    files=_set("-r --requirement --requirements -c --constraint --constraints -b --build-constraint --overrides"),
    projects=_set("-e --editable"),
    valued=_PIP_VALUED,
    manifests=_PYTHON,
)
_UV = Tool(
    reader=of_requirement,
    verbs=_set("install add run sync lock download compile build"),
    runs=_set("sync lock run build"),
    files=_PIP.files | _set("--with-requirements"),
    projects=_set("-e --editable --with-editable"),
    asking=_set("--with --from -w"),
    valued=_PIP_VALUED - {"-w"},
    manifests=(*_PYTHON, "uv.lock"),
)
_NODE = ("package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml")
_NPM_VERBS = _set(
    "install i in ins inst insta instal isnt isnta isntal isntall add ci clean-install ic install-clean install-test it"
    " install-ci-test cit update up upgrade udpate exec x link ln pack create init innit view info show dlx global"
    " import rebuild fetch"
)
_NPM_BARE = _set("install i in ins inst insta instal isnt isnta isntal isntall add ci clean-install ic install-clean")
_NPM = Tool(
    reader=of_npm,
    verbs=_NPM_VERBS,
    first_only=_set("exec x create init innit dlx"),
    bare=_NPM_BARE | _set("install-test it install-ci-test cit update up upgrade udpate import rebuild fetch link ln"),
    asking=_set("-p --package"),
    valued=_set("--prefix -C --registry --cache --userconfig --tag -w --workspace --dir --cwd --loglevel --filter -F"),
    manifests=_NODE,
)
_NPX = Tool(reader=of_npm, first_only=frozenset({""}), asking=_set("-p --package"), valued=_set("-c --call --registry"))
_GO = Tool(
    reader=of_module,
    verbs=_set("get install run download edit tidy build test vendor"),
    first_only=_set("run"),
    bare=_set("get install download run"),
    runs=_set("tidy build test vendor"),
    asking=_set("-require -replace -tool"),
    valued=_set("-o -C -modfile -mod -tags -ldflags -gcflags"),
    manifests=("go.mod", "go.work"),
)
_CARGO = Tool(
    reader=of_crate,
    verbs=_set("add install binstall fetch build b check c run r test t update generate-lockfile vendor"),
    bare=_set("install"),
    runs=_set("fetch build b check c run r test t update generate-lockfile vendor"),
    asking=_set("--git --path"),
    valued=_set("--features -F --rename --registry --target --branch --tag --rev -p --package --manifest-path --root"),
    manifests=("Cargo.toml", "Cargo.lock"),
)
_APT = Tool(
    reader=of_debian,
    verbs=_set("install reinstall download source build-dep satisfy"),
    valued=_set("-o --option -c --config-file -t --target-release --default-release -a --host-architecture"),
    patterns="*?[]^$|",
)
_CONDA = Tool(
    reader=lambda spec: of_requirement(re.sub(r"(?<![=<>!~])=(?!=).*", "", spec.rpartition("::")[2])),
    verbs=_set("install create update upgrade"),
    files=_set("--file"),
    valued=_set("-n --name -p --prefix -c --channel"),
)
_POETRY = Tool(
    reader=of_requirement,
    verbs=_set("add install lock update sync run"),
    bare=_set("install lock update sync"),
    runs=_set("run"),
    projects=_set("-e --editable"),
    valued=_set("-G --group --source -C --directory -P --project --extras"),
    manifests=_PYTHON,
)
_PIPX = Tool(
    reader=of_requirement,
    verbs=_set("install run inject install-all upgrade"),
    first_only=_set("run"),
    asking=_set("--spec"),
    valued=_set("--python --pip-args --index-url -i --suffix"),
)
_UVX = Tool(
    reader=of_requirement,
    first_only=frozenset({""}),
    files=_UV.files,
    projects=_UV.projects,
    asking=_UV.asking,
    valued=_UV.valued,
)

TOOLS: Mapping[str, Tool] = {
    **dict.fromkeys(("pip", "pip3"), _PIP),
    "uv": _UV,
    "uvx": _UVX,
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _NPM),
    **dict.fromkeys(("npx", "pnpx", "bunx"), _NPX),
    "go": _GO,
    "cargo": _CARGO,
    **dict.fromkeys(("apt-get", "apt", "aptitude"), _APT),
    **dict.fromkeys(("conda", "mamba", "micromamba"), _CONDA),
    **dict.fromkeys(("poetry", "pdm"), _POETRY),
    "pipx": _PIPX,
}
"""Program -> how it is asked."""


@dataclass(frozen=True, kw_only=True)
class Manifests:
    """The folder's own build files are what is asked for."""

    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """A word that stands for packages which only the program knows."""

    text: str


Wish = Asked | Included | Manifests | Pattern


def tool_of(program: str) -> Tool | None:
    """The tool behind a program's name or path: `pip3.11` is pip."""
    name = program.rpartition("/")[2].removesuffix(".exe").removesuffix(".py")
    return TOOLS.get(name) or TOOLS.get(re.sub(r"[\d.]+$", "", name))


def wishes(program: str, arguments: Sequence[str]) -> Iterator[Wish]:
    """Everything that a command line asks for, in its order; nothing when it installs nothing."""
    tool = tool_of(program)
    if tool is None:
        return
    words = _Words(tool, arguments, with_files="yarn" in program)
    yield from words.found
    if words.bare:
        yield Manifests(names=tool.manifests)


@dataclass
class _Words:
    """One command line, read word by word."""

    tool: Tool
    arguments: Sequence[str]
    with_files: bool
    """The program without any word reads the folder's manifests (yarn)."""
    found: list[Wish] = field(default_factory=list)
    bare: bool = False

    def __post_init__(self) -> None:
        verb, rest = self._verb()
        named = 0
        if verb is None:
            self.bare = self.with_files and not any(not word.startswith("-") for word in self.arguments)
            return
        left = list(rest)
        while left:
            word = left.pop(0)
            if word == "--":
                continue
            option, value = self._split(word)
            if option:
                self._option(option, left.pop(0) if value is None and self._takes_value(option) and left else value)
                continue
            named += 1
            if verb in self.tool.runs:
                break
            if named == 1 or verb not in self.tool.first_only:
                self._word(word, verb)
            else:
                break
        self.bare = verb in self.tool.runs or (verb in self.tool.bare and not named)

    def _verb(self) -> tuple[str | None, Sequence[str]]:
        if not self.tool.verbs:
            return "", self.arguments
        for number, word in enumerate(self.arguments):
            if word in self.tool.verbs:
                # Options before the verb count as well: `uv --with x run`.
                before = [one for one in self.arguments[:number] if one.startswith("-")]
                return word, [*before, *self.arguments[number + 1 :]]
        return None, ()

    def _split(self, word: str) -> tuple[str, str | None]:
        """An option with its value where both are one word; an empty option is a plain word."""
        if not word.startswith("-") or word == "-":
            return "", None
        option, equals, value = word.partition("=")
        if equals:
            return option, value
        short = word[:2]
        if len(word) > 2 and word[1] != "-" and short in self._valued() and word not in self._valued():
            return short, word[2:]
        return word, None

    def _valued(self) -> frozenset[str]:
        tool = self.tool
        return tool.files | tool.projects | tool.asking | tool.valued

    def _takes_value(self, option: str) -> bool:
        return option in self._valued()

    def _option(self, option: str, value: str | None) -> None:
        tool = self.tool
        if value is None:
            return
        if option in tool.files:
            self.found.append(Included(place=value, project=False))
        elif option in tool.asking:
            self.found += [Asked(text=part, names=tool.reader(part)) for part in re.split(r"[,\s]|=(?=\S+/)", value)]
        elif option in tool.projects:
            self._word(value, "")

    def _word(self, word: str, verb: str) -> None:
        tool = self.tool
        if tool.patterns and any(char in word for char in tool.patterns):
            self.found.append(Pattern(text=word))
        self.found.append(Asked(text=word, names=tool.reader(word)))
        if not is_address(word) and (word.startswith((".", "/", "file:")) or "/" in word or verb == ""):
            self.found.append(Included(place=re.sub(r"\[[^\]]*\]$", "", word.removeprefix("file:")), project=True))
