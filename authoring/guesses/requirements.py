"""Which packages the tests of a Python source need, from its lists of requirements and from what its tests import."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from authoring.guesses.guess import Guess, Stated, fact
from authoring.guesses.imports import TestUses
from authoring.guesses.manifests import Manifests
from taskpack.outcome import Fact

_TEST_LIST = re.compile(r"(^|[-_/.])(unit)?test(s|ing|env|s?_require)?([-_/.]|$)|pytest", re.IGNORECASE)
_TOOL = re.compile(
    r"(tox|nox|mypy|ruff|black|isort|pylint|pyright|pre-commit|build|twine|sphinx|furo|mkdocs|flake8|coverage|coveralls"
    r"|codecov|wheel|setuptools|pip|towncrier|bump2?version|check-manifest|types|tox-.*|nox-.*|pytest-(cov|mypy|ruff"
    r"|flake8|black|isort|pylint|checkdocs|enabler|perf|mypy-plugins|xdist|sugar|randomly))([-_].*)?"
)
"""What checks style, types and coverage, publishes, or only changes how a run looks or how fast it is."""
_BY_OPTION = {"--cov": "pytest-cov", "--no-cov": "pytest-cov", "-n": "pytest-xdist", "--numprocesses": "pytest-xdist"}
_BY_OPTION |= {"--benchmark": "pytest-benchmark", "--timeout": "pytest-timeout", "--asyncio-mode": "pytest-asyncio"}
BY_FIXTURE = {"mocker": "pytest-mock", "benchmark": "pytest-benchmark", "freezer": "pytest-freezer"}
BY_FIXTURE |= {"requests_mock": "requests-mock", "httpx_mock": "pytest-httpx", "httpserver": "pytest-httpserver"}
BY_FIXTURE |= {"datadir": "pytest-datadir", "faker": "faker", "snapshot": "syrupy", "event_loop": "pytest-asyncio"}
_DISTRIBUTIONS = {
    "_pytest": "pytest",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "Crypto": "pycryptodome",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "git": "gitpython",
    "IPython": "ipython",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "pkg_resources": "setuptools",
    "serial": "pyserial",
    "sklearn": "scikit-learn",
    "socks": "pysocks",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}


@dataclass(frozen=True, kw_only=True)
class Needs:
    """Requirements as the packager spells them, and what was seen but not taken."""

    taken: tuple[Guess[str], ...]
    left_out: tuple[Guess[str], ...] = ()


def build_needs(manifests: Manifests, *, python: str) -> Needs:
    """What building needs: as stated, else setuptools. `python` is the base's minor version, such as `3.11`."""
    taken = tuple(_applicable(manifests.build, python))
    if taken:
        return Needs(taken=tuple(Guess(value=str(each), evidence=(fact(stated),)) for stated, each in taken))
    return Needs(taken=(Guess(value="setuptools", evidence=(Fact(what="no [build-system] is stated"),)),))


def needs_of_tests(manifests: Manifests, uses: TestUses, *, python: str) -> Needs:
    """What the product and its tests need besides the product itself.

    In this order: what the product needs; lists that are for tests; from all other lists what the tests use; what
    the tests import and no list names. Tools that a test run does without are left out unless something uses them.
    """
    chosen = _Chosen(python=python, used=_used(manifests, uses))
    chosen.lists("the product needs it", manifests.runtime, always=True)
    named = sorted(manifests.lists.items(), key=lambda item: not _TEST_LIST.search(item[0]))
    for name, entries in named:
        chosen.lists(name, entries, always=bool(_TEST_LIST.search(name)))
    for distribution, why in chosen.used.items():
        chosen.take(distribution, why)
    chosen.take("pytest", Fact(what="runs the tests and counts them"))
    optional = [
        Guess(value=distribution_of(_module(each)), evidence=(Fact(what="only tried", where=each.where),))
        for each in uses.optional
    ]
    left = [*chosen.left.values(), *(guess for guess in optional if canonicalize_name(guess.value) not in chosen.found)]
    return Needs(taken=tuple(chosen.found.values()), left_out=tuple(left))


@dataclass(kw_only=True)
class _Chosen:
    """What was chosen so far, by canonical name."""

    python: str
    used: Mapping[str, Fact]
    found: dict[str, Guess[str]] = field(default_factory=dict)
    left: dict[str, Guess[str]] = field(default_factory=dict)

    def take(self, text: str, why: Fact) -> None:
        """Take `text` unless its name is there already."""
        name = canonicalize_name(Requirement(text).name)
        self.found.setdefault(name, Guess(value=text, evidence=(why,)))
        self.left.pop(name, None)

    def lists(self, label: str, entries: Sequence[Stated], *, always: bool) -> None:
        for stated, requirement in _applicable(entries, self.python):
            name = canonicalize_name(requirement.name)
            why = Fact(what=label, where=stated.where)
            if requirement.url:
                address = Fact(what="an address, which no lock holds", where=stated.where)
                self.left[name] = Guess(value=str(requirement), evidence=(address,))
            elif name in self.used or (always and not _TOOL.fullmatch(name)):
                self.take(str(requirement), why)
            elif always and name not in self.found:
                unused = Fact(what="nothing in the tests uses it", where=stated.where)
                self.left.setdefault(name, Guess(value=str(requirement), evidence=(unused,)))


def _used(manifests: Manifests, uses: TestUses) -> dict[str, Fact]:
    """Distributions that the tests plainly use, by canonical name: imports, options of pytest, well-known fixtures."""
    found: dict[str, Fact] = {}
    for stated in uses.modules:
        found.setdefault(canonicalize_name(distribution_of(_module(stated))), fact(stated))
    for option in manifests.options:
        for word, plugin in _BY_OPTION.items():
            if any(part == word or part.startswith((f"{word}=", f"{word}-")) for part in option.text.split()):
                found.setdefault(plugin, fact(option))
    for stated in uses.fixtures:
        if stated.text in BY_FIXTURE:
            found.setdefault(BY_FIXTURE[stated.text], fact(stated))
    return found


def _module(stated: Stated) -> str:
    return stated.text.removeprefix("import ")


def distribution_of(module: str) -> str:
    return _DISTRIBUTIONS.get(module, module.replace("_", "-").lower())


def _applicable(entries: Sequence[Stated], python: str) -> Iterator[tuple[Stated, Requirement]]:
    """Entries that apply to the base, their markers taken off. What is no requirement is passed over."""
    facts = {"python_version": python, "python_full_version": f"{python}.0", "extra": ""}
    for stated in entries:
        try:
            requirement = Requirement(stated.text)
        except InvalidRequirement:
            continue
        if requirement.marker is None or requirement.marker.evaluate(facts):
            requirement.marker = None
            yield stated, requirement
