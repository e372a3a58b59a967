"""What is known of an upstream beside its list of names: a record of facts, each with the place that shows it."""

from __future__ import annotations

from neutralize.finding import Unscanned
from taskpack.record import Part, Record
from taskpack.rename import Term


class Fact(Part):
    """One string of the upstream's own."""

    value: str
    source: str
    """`path:line` in the pinned tree, or `git:` and an object's id."""


class Asset(Part):
    """A file that is no text, or an image, a font or a page file."""

    path: str
    sha256: str


class Identifier(Part):
    """A public name."""

    value: str
    source: str
    rarity: int
    """From 0, ordinary words that other projects use as names too, upwards."""


class Known(Record):
    """Facts are sorted and free of duplicates: the same tree and history give the same bytes."""

    objects: tuple[str, ...] = ()
    """Ids of commits and tags, lower-case hexadecimal."""
    people: tuple[Fact, ...] = ()
    """Names of authors, committers, taggers, holders, owners and translators."""
    logins: tuple[Fact, ...] = ()
    emails: tuple[Fact, ...] = ()
    hosts: tuple[Fact, ...] = ()
    """Registrable domains of the project's own and of its people."""
    owners: tuple[Fact, ...] = ()
    """First part of paths at places that many projects share, and `owner/repository`."""
    variables: tuple[Fact, ...] = ()
    """Environment variables that the code reads."""
    literals: tuple[Fact, ...] = ()
    """Strings of 6-120 characters and numbers of at least five significant digits."""
    messages: tuple[Fact, ...] = ()
    """Templates of error messages; a placeholder is one NUL character."""
    headings: tuple[Fact, ...] = ()
    stems: tuple[Fact, ...] = ()
    """File names without their endings."""
    tests: tuple[Fact, ...] = ()
    assets: tuple[Asset, ...] = ()
    versions: tuple[Fact, ...] = ()
    dates: tuple[Fact, ...] = ()
    """Of releases, `YYYY-MM-DD`."""
    identifiers: tuple[Identifier, ...] = ()
    """Rarest first."""
    terms: tuple[Term, ...] = ()
    """Names for the term search that the term list does not have: of other manifests, variables, derived closure."""
    unread: tuple[Unscanned, ...] = ()
    """What could not be read for facts: with any, the record is not complete."""
    left_out: tuple[str, ...] = ()
    """Kinds of facts that this copy of the record does not hold, though some are known."""
