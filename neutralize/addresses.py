"""What addresses say of identity: hosts, organisations, repositories and handles in URLs and e-mails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from neutralize.words import is_word, listed

URL = re.compile(r"\bhttps?://[^\s\"'<>\]\[{}|\\^`]+[^\s\"'<>\]\[{}|\\^`.,;:!?)]")
EMAIL = re.compile(r"[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")

# Second-level labels of places that many projects share; the place itself says nothing.
_FORGES = frozenset({"github", "gitlab", "bitbucket", "codeberg", "sourceforge", "launchpad", "gitea", "sr"})
_PAGES = frozenset({"readthedocs", "rtfd", "gitbook", "netlify", "pages", "herokuapp", "vercel", "zulipchat", "slack"})
_SHARED = listed(
    """
    pypi python pythonhosted npmjs anaconda conda-forge crates debian discord discordapp gitter twitter
    x mastodon facebook linkedin youtube reddit stackoverflow medium patreon opencollective tidelift
    paypal liberapay ko-fi buymeacoffee shields codecov coveralls travis-ci circleci appveyor badge fury
    readme apache opensource spdx gnu creativecommons wikipedia ietf w3 rfc-editor mozilla google
    microsoft amazonaws cloudflare libraries zenodo doi arxiv orcid semver keepachangelog choosealicense
    example
    """
)
_MAIL_HOSTS = listed(
    """
    gmail googlemail outlook hotmail live yahoo protonmail proton icloud me mac gmx web fastmail aol qq
    163 126
    """
)
_ROLES = listed(
    """
    contact info admin hello hi mail email dev devs developer developers maintainer maintainers team
    support help noreply no-reply security abuse webmaster postmaster office press sales lists list
    python code oss opensource me
    """
)
_NO_NAMES = listed(
    """
    project projects package packages p user users u org orgs wiki issues issue pulls pull blob tree raw
    main master trunk head en latest stable docs doc documentation invite join r channel badge workflows
    actions discussions releases tags changelog subscription subscriptions individual security donate
    sponsors sponsor www api simple pkg
    """
)


@dataclass(frozen=True, kw_only=True)
class Trace:
    """One piece of identity inside an address."""

    surface: str
    kind: str


def url_traces(url: str) -> Iterator[Trace]:
    """Hosts, owners and repositories that a project's own URL names."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    segments = [segment for segment in parts.path.split("/") if segment]
    label = second_level(host)
    if label in _FORGES and not _is_pages(host):
        yield from _forge(host, segments)
    elif label in _FORGES | _PAGES:
        yield Trace(surface=host, kind="host")
        yield Trace(surface=host.split(".")[0], kind="org")
    elif label in _SHARED:
        names = [segment for segment in segments if segment.lower() not in _NO_NAMES]
        yield from (Trace(surface=name.lstrip("@~"), kind="org") for name in names[:1] if _tells(name))
    elif label:
        yield from host_traces(host)


def _forge(host: str, segments: list[str]) -> Iterator[Trace]:
    names = [segment for segment in segments if segment.lower() not in _NO_NAMES][:2]
    names = [name.removesuffix(".git").lstrip("@~") for name in names]
    yield from (Trace(surface=name, kind="org") for name in names[:1] if _tells(name))
    if len(names) == 2 and all(names):
        yield Trace(surface=f"{host}/{names[0]}/{names[1]}", kind="url")
        yield Trace(surface=f"{names[0]}/{names[1]}", kind="url")
        yield Trace(surface=names[1], kind="repo")


def _is_pages(host: str) -> bool:
    """`owner.github.io` and the like."""
    return host.endswith(".io") and host.count(".") == 2


def _tells(name: str) -> bool:
    return name.lower() not in _NO_NAMES and bool(re.search(r"[A-Za-z]{2}", name))


def host_traces(host: str) -> Iterator[Trace]:
    """A host of the project's own: its registrable domain, and that domain's name."""
    labels = host.split(".")
    if len(labels) < 2:
        return
    take = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in {"co", "com", "org", "ac", "net"} else 2
    yield Trace(surface=".".join(labels[-take:]), kind="host")
    yield Trace(surface=labels[-take], kind="org")


def second_level(host: str) -> str:
    """`github` of `gist.github.com`; empty for what is no name."""
    labels = host.split(".")
    return labels[-2].lower() if len(labels) > 1 and not labels[-1].isdigit() else ""


def email_traces(email: str) -> Iterator[Trace]:
    """The address, the part that names a person, and the host when it is the project's own."""
    local, _, host = email.partition("@")
    if "noreply" in host:
        login = local.partition("+")[2] or local
        if "[bot]" not in login:
            yield Trace(surface=login, kind="person")
        return
    yield Trace(surface=email, kind="email")
    handle = local.partition("+")[0].lower()
    if handle not in _ROLES and len(handle) > 4 and not is_word(handle):
        yield Trace(surface=local.partition("+")[0], kind="person")
    if second_level(host) not in _MAIL_HOSTS | _SHARED | _FORGES:
        yield from host_traces(host)
