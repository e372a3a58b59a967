"""Who made the upstream: names, logins and addresses, from version control and from the lists that a tree carries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from neutralize.addresses import EMAIL, URL, email_traces, url_traces
from neutralize.known.collect import Collected
from neutralize.known.history import Person
from neutralize.manifests import Statement
from neutralize.notices import is_person, party
from neutralize.words import listed

_BOTS = re.compile(r"(?i)\[bot\]|(?:^|[-_. +])(?:bot|ci|robot)$|^(?:dependabot|renovate|greenkeeper|pyup|snyk|weblate)")
_NOBODY = listed("root github unknown nobody none anonymous user admin you web-flow ubuntu runner git author")
_RESERVED = re.compile(r"(?i)(?:^|\.)(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|local|localdomain)$")
_LISTS = re.compile(r"(?i)(?:authors|contributors|maintainers|thanks|credits|\.mailmap)(?:\.(?:md|rst|txt))?")
_OWNERS = frozenset({"CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"})
_OWNER = re.compile(r"(?<![\w@])@([A-Za-z0-9][A-Za-z0-9-]*)(?:/([A-Za-z0-9._-]+))?")
_MAILBOX = re.compile(r"([^<>|,;\n]{2,80}?)[ \t]*<([^<>\s]{3,200})>")
_BULLET = re.compile(r"(?m)^[ \t]*[-*+][ \t]+(?!.*[<@])([^\n(\[]{3,60}?)[ \t]*(?:[(\[].*)?$")


@dataclass
class People:
    """Everyone found so far, bots and role names left out."""

    names: Collected = field(default_factory=Collected)
    logins: Collected = field(default_factory=Collected)
    emails: Collected = field(default_factory=Collected)
    hosts: Collected = field(default_factory=Collected)
    owners: Collected = field(default_factory=Collected)

    def name(self, text: str, path: str, line: int) -> None:
        """A person's or a group's name; one word in lower case is a login."""
        name = party(" ".join(text.split()))
        if not name or is_bot(name):
            return
        if " " not in name and not name[0].isupper():
            self.login(name, path, line)
        else:
            self.names.add(name, path, line)

    def login(self, text: str, path: str, line: int) -> None:
        if len(text) > 2 and not is_bot(text):
            self.logins.add(text, path, line)

    def email(self, address: str, path: str, line: int) -> None:
        """An address, its owner's handle and its host; of a forge's no-reply address the login alone."""
        local, _, host = address.partition("@")
        if not EMAIL.fullmatch(address) or is_bot(local) or _RESERVED.search(host):
            return
        for trace in email_traces(address):
            if trace.kind == "person":
                self.login(trace.surface, path, line)
            elif trace.kind == "host":
                self.hosts.add(trace.surface.lower(), path, line)
            elif trace.kind == "email":
                self.emails.add(address, path, line)

    def url(self, url: str, path: str, line: int) -> None:
        """A URL of the project's own, as a manifest gives it."""
        try:
            traces = list(url_traces(url))
        except ValueError:
            return
        for trace in traces:
            if trace.kind == "host" and not _RESERVED.search(trace.surface):
                self.hosts.add(trace.surface.lower(), path, line)
            elif trace.kind in {"url", "org"}:
                self.owners.add(trace.surface, path, line)

    def committed(self, people: Iterable[Person]) -> None:
        for person in people:
            if not is_bot(person.name) and not is_bot(person.email.partition("@")[0]):
                self.name(person.name, person.source, 0)
                self.email(person.email, person.source, 0)

    def stated(self, statements: Iterable[Statement]) -> None:
        """What manifests and licence texts say."""
        for statement in statements:
            path, _, line = statement.source.rpartition(":")
            if statement.role == "party":
                self.name(statement.value, path, int(line))
            elif statement.role == "email":
                for address in EMAIL.findall(statement.value):
                    self.email(address, path, int(line))
            elif statement.role == "url":
                self.url(statement.value, path, int(line))


def is_bot(text: str) -> bool:
    """Whether a name or the local part of an address is a program's, or nobody's."""
    return bool(_BOTS.search(text.strip())) or text.strip().lower() in _NOBODY


def read_lists(path: str, text: str, people: People) -> None:
    """CODEOWNERS, `.mailmap`, and lists of authors at the root."""
    if path in _OWNERS:
        for number, line in _lines(text):
            for owner, team in _OWNER.findall(line):
                (people.owners.add if team else people.login)(owner, path, number)
            for address in EMAIL.findall(line):
                people.email(address, path, number)
    elif _LISTS.fullmatch(PurePosixPath(path).name) and "/" not in path:
        for number, line in _lines(text):
            for name, address in _MAILBOX.findall(line):
                people.name(re.sub(r"^[-*+#\d.\s]+|[\s:-]+$", "", name), path, number)
                people.email(address, path, number)
            bullet = _BULLET.match(line)
            if bullet and is_person(bullet[1]) and not URL.search(line):
                people.name(bullet[1], path, number)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that a person may have written; a longer one is no list of people."""
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) <= 2000:
            yield number, line
