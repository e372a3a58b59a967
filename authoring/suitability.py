"""From facts to the suitability verdict. Each rule is a fact that was seen; none is a matter of taste."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from authoring.traits import Need, Traits
from taskpack.order import GitSource, Order, PypiSource
from taskpack.outcome import Fact
from taskpack.suitability import Dimension, Dimensions, Evidence, Finding, Method, Severity, Suitability, Suitable

_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What the environment stage saw; the defaults say that nothing was run yet."""

    evidence: Evidence
    failing: tuple[str, ...] = ()
    """Test files in which a test failed offline."""
    compiled: tuple[str, ...] = ()
    """Compiled files of the installed product."""
    dropped: tuple[str, ...] = ()
    """What the pin left out: `path: why`."""
    interface: tuple[Fact, ...] = ()
    """Why the survey found no public interface; empty when it found one."""


@dataclass(frozen=True, kw_only=True)
class _Found:
    """A finding before it is sorted in; an error with paths to trim is mended by trimming."""

    severity: Severity
    message: str
    trim: tuple[str, ...] = ()

    @property
    def blocks(self) -> bool:
        return self.severity is Severity.ERROR and not self.trim


def assess(order: Order, traits: Traits, seen: Seen, *, python: str) -> Suitability:
    """The verdict on a source that passed the pin; `python` is the base's version, such as `3.11`."""
    external = [*_pointers(traits, seen), *_submodules(seen), *_wants(traits, seen, (Need.NETWORK, Need.DATABASE))]
    hardware = [*_too_new(traits, python), *_compiled(traits, seen), *_wants(traits, seen, (Need.DISPLAY, Need.GPU))]
    return _verdict(order, external, [*hardware, *_install(seen)], _testable(traits, seen), seen.evidence)


def turned_away(order: Order, facts: Sequence[Fact], *, licence: bool) -> Suitability:
    """The verdict on a source that the pin stage rejected: nothing was run."""
    found = [_error(f"{fact.what} ({fact.where})" if fact.where else fact.what) for fact in facts]
    nothing: list[_Found] = []
    external, testable = (found, nothing) if licence else (nothing, found)
    return _verdict(order, external, nothing, testable, Evidence(environment_method=Method.NONE))


def too_new(traits: Traits, *, python: str) -> bool:
    """Whether the metadata asks for another Python than the base has."""
    return bool(_too_new(traits, python))


def _verdict(
    order: Order, external: list[_Found], hardware: list[_Found], testable: list[_Found], evidence: Evidence
) -> Suitability:
    found = [*external, *hardware, *testable]
    blocking = tuple(item.message for item in found if item.blocks)
    trim = tuple(sorted({path for item in found for path in item.trim}))
    verdict = Suitable.UNUSABLE if blocking else Suitable.NEEDS_TRIMMING if trim else Suitable.USABLE
    source = order.source
    return Suitability(
        case_id=order.case_id,
        repo_slug=source.name,
        repository_url=source.url if isinstance(source, GitSource) else _address(order),
        summary=_summary(verdict, blocking, trim),
        verdict=verdict,
        dimensions=Dimensions(
            external_resources=_dimension(external),
            environment_hardware=_dimension(hardware),
            blackbox_testability=_dimension(testable),
        ),
        empirical_evidence=evidence,
        recommended_trim=trim,
        blocking_items=blocking,
    )


def _address(order: Order) -> str:
    source = order.source
    return f"pkg:pypi/{source.name}@{source.version}" if isinstance(source, PypiSource) else ""


def _summary(verdict: Suitable, blocking: Sequence[str], trim: Sequence[str]) -> str:
    if verdict is Suitable.UNUSABLE:
        return f"cannot become a task: {blocking[0]}"
    if verdict is Suitable.NEEDS_TRIMMING:
        return f"can become a task without {_listed(trim)}"
    return "can become a task as it is"


def _dimension(found: Sequence[_Found]) -> Dimension:
    return Dimension(
        passed=not any(item.severity is Severity.ERROR for item in found),
        findings=tuple(Finding(severity=item.severity, message=item.message) for item in found),
    )


def _error(message: str, *, trim: Sequence[str] = ()) -> _Found:
    return _Found(severity=Severity.ERROR, message=message, trim=tuple(trim))


def _warning(message: str, *, trim: Sequence[str] = ()) -> _Found:
    return _Found(severity=Severity.WARNING, message=message, trim=tuple(trim))


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(paths[:_SHOWN]) + more


def _wants(traits: Traits, seen: Seen, needs: Sequence[Need]) -> list[_Found]:
    """Imports alone are a warning; imports in a file whose tests fail offline are an error that trimming mends."""
    found = []
    for need in needs:
        files = traits.needs.get(need, {})
        broken = sorted(set(files) & set(seen.failing))
        if broken:
            shown = _listed([f"{path} imports {files[path]}" for path in broken])
            found.append(_error(f"tests fail without {need}: {shown}", trim=broken))
        elif files:
            shown = _listed([f"{path} imports {files[path]}" for path in sorted(files)])
            passed = "; they pass offline" if seen.evidence.tests_passed else ""
            found.append(_warning(f"tests may want {need}: {shown}{passed}"))
    return found


def _pointers(traits: Traits, seen: Seen) -> list[_Found]:
    if not traits.pointers:
        return []
    message = f"content is kept in Git LFS and not in the pin: {_listed(traits.pointers)}"
    kind = _warning if seen.evidence.tests_passed else _error
    return [kind(message, trim=traits.pointers)]


def _submodules(seen: Seen) -> list[_Found]:
    left_out = [path for path, _, why in (item.rpartition(": ") for item in seen.dropped) if why == "submodule"]
    return [_warning(f"submodules are left out: {_listed(left_out)}")] if left_out else []


def _too_new(traits: Traits, python: str) -> list[_Found]:
    if not traits.requires_python:
        return []
    try:
        fits = SpecifierSet(traits.requires_python).contains(f"{python}.99", prereleases=True)
    except InvalidSpecifier:
        return [_warning(f"the metadata's Requires-Python cannot be read: {traits.requires_python[:80]}")]
    if fits:
        return []
    return [_error(f"it needs Python {traits.requires_python[:80]}; the base has {python}")]


def _compiled(traits: Traits, seen: Seen) -> list[_Found]:
    if seen.compiled:
        return [_error(f"the installed product holds compiled extensions: {_listed(seen.compiled)}")]
    if traits.native:
        return [_warning(f"sources of compiled extensions, which were not built: {_listed(traits.native)}")]
    return []


def _install(seen: Seen) -> list[_Found]:
    if seen.evidence.install_exit_code in {None, 0}:
        return []
    return [_error("it does not install offline with the order's build requirements")]


def _testable(traits: Traits, seen: Seen) -> list[_Found]:
    found = [_error(f"no public interface: {fact.what}") for fact in seen.interface]
    if not traits.tests:
        found.append(_error("no tests"))
    if seen.evidence.test_exit_code is None or seen.evidence.tests_passed:
        return found
    if not seen.failing or set(seen.failing) >= set(traits.tests):
        found.append(_error(f"its own tests do not pass offline: {seen.evidence.test_summary}"))
    else:
        shown = _listed(seen.failing)
        found.append(_error(f"tests fail offline in {shown}", trim=seen.failing))
    return found
