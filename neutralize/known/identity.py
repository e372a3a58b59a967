"""Detectors of who: addresses, people, copyright lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from neutralize.decide import Decision
from neutralize.finding import Finding
from neutralize.known.allow import Allow
from neutralize.known.background import Background
from neutralize.known.facts import Fact, Known
from neutralize.known.flat import flattened, lowered
from neutralize.known.needle_set import NeedleSet, longest_word, stands_alone
from neutralize.known.places import Spots, flat, hit, review
from neutralize.notices import party
from neutralize.spelling import key
from neutralize.terms import grade_of
from neutralize.traverse import Item
from neutralize.words import GIVEN_NAMES, is_word
from taskpack.rename import Grade

_AT_HOST = re.compile(r"@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8})")
_LOCAL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}\Z")
_REST = re.compile(r"://[^\s\"'<>\]\[{}|\\^`]{1,2000}")
_SCHEME = re.compile(r"(?i)(?<![a-z])(?:https?|ftp|ssh|git|wss?|svn)(?:\+\w{2,5})?\Z")
_RESERVED = re.compile(
    r"(?i)(?:^|\.)(?:example(?:\.[a-z]{2,3})?|test|invalid|localhost|local|localdomain|internal)\.?$"
    r"|^(?:127|10|0|255|192\.168|169\.254|192\.0\.2|198\.51\.100|203\.0\.113)(?:\.\d{1,3}){1,3}$|^\[?[0-9a-f:]*\]?$"
)
_COPYRIGHT = re.compile(
    r"(?im)(?:\bcopyright\b[ \t:]*(?:\(c\)|©|&copy;)?|©|\(c\)[ \t]*(?=(?:19|20)\d\d))"
    r"[ \t,]*(?P<years>(?:19|20)\d\d(?:[ \t]*(?:[-\u2013,]|to)[ \t]*(?:(?:19|20)?\d\d|present|now))*)?"
    r"[ \t,]*(?:\(c\)|©)?[ \t,]*(?:by[ \t]+)?(?P<holder>[^\n]{0,120})"
)
_SPDX = re.compile(
    r"(?im)\bSPDX-(?:FileCopyrightText|FileContributor|PackageSupplier|PackageOriginator)[ \t]*:[ \t]*([^\n]{1,120})"
)
_YEARS = re.compile(r"^(?:copyright|\(c\)|©|(?:19|20)\d\d|[-\u2013, \t])+", re.IGNORECASE)


class AddressDetector:
    """E-mail addresses, URLs, and hosts of the upstream.

    The upstream's own is a HIT. Any other address outside the allow list is a REVIEW: a bundle needs none.
    """

    rule = "address"

    def __init__(self, known: Known | None, allow: Allow) -> None:
        known = known or Known()
        self._hosts = {fact.value.lower() for fact in known.hosts}
        self._emails = {fact.value.lower() for fact in known.emails}
        self._logins = {fact.value.lower() for fact in known.logins}
        self._owners = {fact.value.lower() for fact in known.owners}
        self._needles = NeedleSet((host, host) for host in self._hosts)
        self._allowed = {host.lower() for host in allow.hosts} - self._hosts

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        done = -1
        for start, end, kind in sorted(self._spots(text or ""), key=lambda spot: (spot[0], -spot[1], spot[2])):
            if start < done:
                continue
            said = (text or "")[start:end].rstrip(".,;:!?)*")
            decision = self._judge(kind, said)
            if decision is not None:
                done = end
                yield Spots(self.rule, item.path, text or "").finding(start, start + len(said), decision, said)

    def _spots(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where addresses stand: found by the marks that all of them hold, which costs little where there are none."""
        for found in _REST.finditer(text):
            before = max(0, found.start() - 12)
            scheme = _SCHEME.search(text[before : found.start()])
            if scheme:
                yield before + scheme.start(), found.end(), "url"
        for found in _AT_HOST.finditer(text):
            before = max(0, found.start() - 64)
            local = _LOCAL.search(text[before : found.start()])
            if local:
                yield before + local.start(), found.end(), "mail"
        for host, start, end in self._needles.places(lowered(text)) if self._hosts else ():
            if _ends(text, start, end):
                yield start, start + len(host), "host"

    def _judge(self, kind: str, said: str) -> Decision | None:
        if kind == "mail":
            local, _, host = said.lower().partition("@")
            local = local.partition("+")[0]
            if said.lower() in self._emails or local in self._logins or self._own(host):
                return hit("an address of the upstream's people or host")
            return None if self._fine(host) else review("an address outside the allow list")
        if kind == "host":
            return hit("a host of the upstream") if self._own(said.lower()) else None
        try:
            parts = urlsplit(said)
            host = (parts.hostname or "").lower()
        except ValueError:
            return review("a URL that cannot be read")
        first = [step.lower().removesuffix(".git") for step in parts.path.split("/") if step][:2]
        if self._own(host) or "/".join(first) in self._owners or set(first[:1]) & self._owners:
            return hit("an address of the upstream")
        return None if not host or self._fine(host) else review("a URL outside the allow list")

    def _own(self, host: str) -> bool:
        return any(host == own or host.endswith(f".{own}") for own in _above(host) if own in self._hosts)

    def _fine(self, host: str) -> bool:
        return bool(_RESERVED.search(host)) or "." not in host or any(own in self._allowed for own in _above(host))


def _ends(text: str, start: int, end: int) -> bool:
    """Whether a host's name begins and ends here, or is the end of a longer one."""
    after = text[end : end + 2]
    return not re.match(r"[\w-]|\.\w", after) and not re.match(r"[\w-]", text[start - 1 : start] or " ")


def _above(host: str) -> list[str]:
    """The host and every domain that it is below."""
    labels = host.split(".")
    return [".".join(labels[n:]) for n in range(len(labels))]


class PersonDetector:
    """Names of the upstream's people: whole, by login, by a surname that is no word, by a rare given name."""

    rule = "person"

    def __init__(self, people: Iterable[Fact], logins: Iterable[Fact], background: Background) -> None:
        whole: dict[str, Decision] = {}
        single: dict[str, Decision] = {}
        for fact in people:
            _name(fact.value, whole, single, background)
        for fact in logins:
            if len(fact.value) > 4 and not is_word(fact.value) and not background.has_word(fact.value):
                whole.setdefault(flattened(fact.value), hit("a login of the upstream's people"))
        self._whole, self._single = whole, single
        self._needles = NeedleSet((needle, needle) for needle in [*whole, *single])
        self._words = NeedleSet((longest_word(needle), "") for needle in [*whole, *single])

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        if not text or (text.isascii() and not self._words.anywhere(text.lower())):
            return
        view = flat(text)
        for needle, start, end in self._needles.places(view.chars):
            capital = view.text[start].isupper()
            decision = self._whole.get(needle) or (self._single.get(needle) if capital else None)
            if decision is not None and stands_alone(view.chars, start, end):
                yield Spots(self.rule, item.path, text).finding(*view.span(start, end), decision, needle)


def _name(name: str, whole: dict[str, Decision], single: dict[str, Decision], background: Background) -> None:
    words = flattened(name).split()
    if len(words) == 1:
        grade = grade_of(words[0])
        if grade is Grade.IDENTIFYING and not background.has_word(words[0]):
            single[words[0]] = hit("a name of the upstream's people")
        elif words[0] not in GIVEN_NAMES and len(words[0]) > 2:
            single.setdefault(words[0], review("a name of the upstream's people, and a word"))
        return
    if len(key(name)) < 6:
        return
    for joiner in (" ", ".", "_", "-", ""):
        whole[joiner.join(words)] = hit("a person or group of the upstream")
    for word, said in ((words[-1], "a surname"), (words[0], "a given name")):
        if len(word) > 3 and word.isalpha() and not is_word(word) and word not in GIVEN_NAMES and (
            not background.has_word(word)
        ):  # fmt: skip
            sure = said == "a surname" and len(word) > 4
            decision = hit if sure else review
            single.setdefault(word, decision(f"{said} of the upstream's people"))


class CopyrightDetector:
    """Copyright and SPDX lines that name another holder than the neutral one."""

    rule = "copyright"

    def __init__(self, allow: Allow) -> None:
        self._neutral = {key(_holder(holder)) for holder in allow.holders}

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        text = text or ""
        small = text.lower()
        if not any(mark in small for mark in ("copyright", "©", "(c)", "spdx-")):
            return
        for found in _COPYRIGHT.finditer(text):
            signed = found["years"] or "(c)" in found[0].lower() or "©" in found[0] or "&copy;" in found[0].lower()
            name = _holder(found["holder"])
            if signed and name and key(name) not in self._neutral:
                reason = hit("names a holder")
                yield Spots(self.rule, item.path, text).finding(found.start(), found.end("holder"), reason, name)
        for found in _SPDX.finditer(text):
            name = _holder(_YEARS.sub("", found[1]))
            if name and key(name) not in self._neutral and not _COPYRIGHT.search(found[1]):
                yield Spots(self.rule, item.path, text).finding(found.start(), found.end(), hit("names a holder"), name)


def _holder(said: str) -> str:
    """Who is named; empty for a template's blank and for what has no letters."""
    said = said.strip()
    if said[:1] in {"<", "[", "{"} or not re.search(r"[^\W\d_]{2}", said):
        return ""
    return party(said) or " ".join(said.split()[:8])
