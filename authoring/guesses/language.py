"""Which language a source is written in, from the names of its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from authoring.guesses.guess import Guess
from taskpack.outcome import Fact

PYTHON = "Python"
_MANIFESTS = {
    "pyproject.toml": PYTHON,
    "setup.py": PYTHON,
    "setup.cfg": PYTHON,
    "go.mod": "Go",
    "Cargo.toml": "Rust",
    "package.json": "JavaScript",
    "tsconfig.json": "TypeScript",
    "CMakeLists.txt": "C++",
    "meson.build": "C++",
    "configure.ac": "C",
    "pom.xml": "Java",
    "build.gradle": "Java",
    "Gemfile": "Ruby",
    "composer.json": "PHP",
    "mix.exs": "Elixir",
    "Package.swift": "Swift",
}
_ENDINGS = {
    ".py": PYTHON,
    ".go": "Go",
    ".rs": "Rust",
    ".js": "JavaScript",
    ".mjs": "JavaScript",
    ".cjs": "JavaScript",
    ".ts": "TypeScript",
    ".tsx": "TypeScript",
    ".c": "C",
    ".cc": "C++",
    ".cpp": "C++",
    ".cxx": "C++",
    ".hpp": "C++",
    ".java": "Java",
    ".kt": "Kotlin",
    ".rb": "Ruby",
    ".php": "PHP",
    ".ex": "Elixir",
    ".swift": "Swift",
    ".cs": "C#",
    ".hs": "Haskell",
}
_WEIGHT = 1_000
"""A manifest at the root outweighs any number of files that merely lie there, as scripts and fixtures do."""


def guess_language(paths: Sequence[str]) -> Guess[str]:
    """The language by name, with what shows it; an empty value when nothing does.

    A manifest at the root counts first, then how many files there are of each ending.
    """
    files = Counter(_ENDINGS[end] for path in paths if (end := PurePosixPath(path).suffix.lower()) in _ENDINGS)
    roots = {path: _MANIFESTS[path] for path in paths if path in _MANIFESTS}
    score = Counter({name: min(count, _WEIGHT - 1) for name, count in files.items()})
    score.update(dict.fromkeys(set(roots.values()), _WEIGHT))
    if not score:
        return Guess(value="")
    best = min(score, key=lambda name: (-score[name], name))
    evidence = [Fact(what=f"a manifest of {best}", where=path) for path, name in sorted(roots.items()) if name == best]
    if files[best]:
        evidence.append(Fact(what=f"{files[best]} source files of {best}"))
    return Guess(value=best, evidence=tuple(evidence))
