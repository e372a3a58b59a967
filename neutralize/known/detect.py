"""All detectors beside the term search: made from what is known of the upstream, or from nothing."""

from __future__ import annotations

from collections.abc import Callable

from neutralize.finding import Detector
from neutralize.known.allow import Allow
from neutralize.known.background import Background, shipped
from neutralize.known.exact import AssetDetector, CommitDetector, LiteralDetector, MessageDetector
from neutralize.known.facts import Known
from neutralize.known.generic import CommitLikeDetector, MixedScriptDetector, PackageDetector, PersonLikeDetector
from neutralize.known.identity import AddressDetector, CopyrightDetector, PersonDetector
from neutralize.known.marks import HeadingDetector, ReleaseDetector, StemDetector, TestNameDetector
from neutralize.known.readings import InReadings

_ONCE = (MixedScriptDetector, AssetDetector, StemDetector)
"""Detectors of whole files, and of what the folded text no longer shows."""


def detectors(
    known: Known | None,
    *,
    allow: Allow | None = None,
    is_package: Callable[[str], bool] | None = None,
    background: Background | None = None,
) -> tuple[Detector, ...]:
    """One detector a rule, in a fixed order. All but those of files and scripts are shown the readings of a text too.

    Without `known`, those that need to know nothing; what they say can never prove a bundle neutral. `is_package` tells
    names of registered packages, and without it code spans are not asked about.
    """
    found = _all(known, allow or Allow(), is_package, background or shipped())
    return tuple(one if isinstance(one, _ONCE) else InReadings(one) for one in found)


def _all(
    known: Known | None, allow: Allow, is_package: Callable[[str], bool] | None, background: Background
) -> tuple[Detector, ...]:
    always: tuple[Detector, ...] = (
        AddressDetector(known, allow),
        CopyrightDetector(allow),
        MixedScriptDetector(),
        AssetDetector(known.assets if known else ()),
    )
    if known is None:
        packages: tuple[Detector, ...] = (PackageDetector(is_package),) if is_package else ()
        return (*always, CommitLikeDetector(), PersonLikeDetector(background), *packages)
    return (
        *always,
        CommitDetector(known.objects),
        PersonDetector(known.people, known.logins, background),
        LiteralDetector(known.literals, allow),
        MessageDetector(known.messages, allow),
        HeadingDetector(known.headings),
        StemDetector(known.stems),
        TestNameDetector(known.tests),
        ReleaseDetector(known.versions, known.dates, allow),
    )
