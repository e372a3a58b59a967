"""A denylist's tokens, made ready to be looked for in code."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from environments.shims.commands import Pattern, tool_of, wishes
from environments.shims.manifests import Asked
from neutralize.submitted.shell import shell_commands
from taskpack.denylist import Denylist
from taskpack.requested import VENDORED, folded, of_address, of_module, of_npm, of_path

_WORDS = 200_000
"""Words after names of tools that are read in one scan, each as often as such a name stands before it on its line."""


class TooManyWords(Exception):
    """Commands of tools that ask for more than anybody reads."""


@dataclass(kw_only=True)
class Words:
    """How many words of commands may still be read."""

    left: int = _WORDS

    def take(self, count: int) -> None:
        """Raises `TooManyWords`."""
        self.left -= count
        if self.left < 0:
            raise TooManyWords


@dataclass(frozen=True, kw_only=True)
class Bans:
    """What is asked of every import, path, address and command. Each answer is the token, or empty.

    `command` raises `TooManyWords`: on a line of tools' names alone, each is read with all that follow it.
    """

    listed: Denylist
    words: Words = field(default_factory=Words)

    @cached_property
    def roots(self) -> dict[str, str]:
        """Import root -> the token as it is written."""
        return {self._bare(token): token for token in reversed(self.listed.import_ban)}

    @cached_property
    def _paths(self) -> dict[str, str]:
        return {self._bare(token): token for token in self.listed.import_ban if token.endswith("/")}

    @cached_property
    def qualifier(self) -> re.Pattern[str] | None:
        """`name::` anywhere in code."""
        names = [self._bare(token) for token in self.listed.import_ban if token.endswith("::")]
        return re.compile(r"(?<![\w:])(" + "|".join(map(re.escape, names)) + r")\s*::") if names else None

    @cached_property
    def address(self) -> re.Pattern[str] | None:
        """A banned repository, in any case."""
        slugs = [token for token in self.listed.install_ban if "/" in token]
        written = "|".join(
            re.escape(token).replace("/", r"(?:/|%2f)") for token in sorted(slugs, key=len, reverse=True)
        )
        return re.compile(rf"(?<![\w.@-])(?:{written})(?![\w-])", re.IGNORECASE) if slugs else None

    def located(self, text: str) -> str:
        """For a text with addresses: a banned repository, an archive of what is banned, its page at a registry."""
        if self.address and (found := self.address.search(text)):
            return self.listed.install_token({folded(found[0])}) or found[0]
        for url in URL.findall(text):
            last = url.partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2]
            names = of_path(last) if _FILE.search(last) else frozenset()
            names |= {folded(name) for name in _PAGE.findall(url)}
            if token := self.listed.install_token(names):
                return token
        return ""

    def dotted(self, name: str) -> str:
        """For `a.b.c`: its root, or what follows a folder of others' code in it."""
        parts = name.split(".")
        for root, token in self.roots.items():
            if name == root or name.startswith(f"{root}."):
                return token
        for number, part in enumerate(parts[:-1]):
            if part.lower() in VENDORED and parts[number + 1] in self.roots:
                return self.roots[parts[number + 1]]
        return ""

    def path(self, text: str) -> str:
        """For what an import line quotes: `name`, `name/sub`, `@scope/name`, `host/org/name`."""
        bare = text.strip().removeprefix("npm:").removeprefix("node:").removeprefix("package:")
        for root, token in self.roots.items():
            if bare == root or bare.startswith((f"{root}/", f"{root}@", f"{root}.")):
                return token
        for root, token in self._paths.items():
            if f"/{root}/" in f"/{bare}":
                return token
        parts = bare.split("/")
        own = "/".join(parts[:2]) if bare.startswith("@") else parts[0]
        inside = next((number + 1 for number, part in enumerate(parts) if part.lower() in VENDORED), None)
        names = of_npm(own) if own not in {"", ".", ".."} else frozenset()
        names |= of_module("/".join(parts)) if len(parts) > 1 and "." in own[1:] else frozenset()
        names |= {folded(part) for part in parts[inside : inside + 2]} if inside else frozenset()
        return self.listed.install_token(names)

    def program(self, word: str) -> str:
        """For a program's name or path."""
        name = word.rpartition("/")[2]
        return self.roots.get(name) or self.listed.installs.get(folded(name), "")

    def library(self, word: str) -> str:
        """For a shared library's name or path."""
        stem = word.rpartition("/")[2].partition(".")[0].removeprefix("lib")
        return self.roots.get(stem) or self.listed.installs.get(folded(stem), "")

    def asked(self, wish: Asked) -> str:
        return self.listed.install_token(wish.names)

    def command(self, words: list[str], *, starts: bool = True, depth: int = 0) -> str:
        """For a command line: what it installs, `-m` of a banned module, and, if `starts`, the program itself."""
        while words and (re.fullmatch(r"[A-Za-z_]\w*=.*", words[0]) or words[0] in _BEFORE):
            words = words[1:]
        if not words or depth > _INNER:
            return ""
        token = self.program(words[0]) if starts else ""
        for number, word in enumerate(words):
            rest = words[number + 1 :]
            if tool_of(word):
                token = token or self._wished(word, rest)
            elif word == "clone" and words[0].endswith(("git", "hg", "gh")):
                token = token or self.listed.install_token({name for one in rest for name in of_address(one)})
            elif " " in word and words[0] not in _SAYERS:
                inner = (self.command(one, starts=False, depth=depth + 1) for one in shell_commands(word))
                token = token or next(filter(None, inner), "") or self._python(words[0], words[number - 1], word)
            elif rest and word == "-m":
                token = token or self.dotted(rest[0])
            elif rest and word in {"-c", "-lc", "-ec", "<<<"} and _SHELL.search(words[0]):
                inner = (self.command(one, starts=starts, depth=depth + 1) for one in shell_commands(rest[0]))
                token = token or next(filter(None, inner), "")
        return token

    def _python(self, program: str, option: str, code: str) -> str:
        """For `python -c CODE`."""
        if option != "-c" or "python" not in program:
            return ""
        return next(filter(None, map(self.dotted, _IMPORTED.findall(code))), "")

    def _wished(self, program: str, arguments: list[str]) -> str:
        self.words.take(len(arguments))
        for wish in wishes(program, arguments):
            token = self.asked(wish) if isinstance(wish, Asked) else ""
            token = token or (self._pattern(wish) if isinstance(wish, Pattern) else "")
            if token:
                return token
        return ""

    def _pattern(self, wish: Pattern) -> str:
        start = folded(re.split(r"[*?\[\]^$|]", wish.text, maxsplit=1)[0])
        return next((token for name, token in self.listed.installs.items() if start and name.startswith(start)), "")

    def _bare(self, token: str) -> str:
        return token.removesuffix("::").removesuffix("/")


_INNER = 3
URL = re.compile(r"(?:https?|ftp|ssh|git)(?:\+\w+)?://[^\s\"'`<>()\[\]{}]+", re.IGNORECASE)
_FILE = re.compile(r"\.(?:whl|zip|tgz|egg|deb|crate|gem|git|tar(?:\.\w+)?)$", re.IGNORECASE)
_PAGE = re.compile(r"/(?:simple|project|pypi|npm|packages?|crates|gems)/((?:@[\w.-]+/)?[\w.-]+)")
_IMPORTED = re.compile(r"\b(?:import|from)\s+([\w.]+)")
_SAYERS = frozenset({"echo", "printf", "#", "?"})
"""Programs whose arguments are only said."""
_SHELL = re.compile(r"(?:^|/)(?:ba|da|z|k|fi)?sh$")
_BEFORE = frozenset(
    {"sudo", "env", "exec", "command", "time", "nohup", "nice", "then", "do", "else", "!", "{", "(", "@"}
)
"""Words that stand before a command and change nothing in what it asks for."""
