"""Everything that a pinned tree and its git store tell about where they are from, as one record."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from neutralize.finding import Unscanned
from neutralize.known import documents, literals, messages, names
from neutralize.known.assets import is_asset
from neutralize.known.background import Background, shipped
from neutralize.known.collect import Collected
from neutralize.known.facts import Asset, Identifier, Known
from neutralize.known.history import History, read_history
from neutralize.known.lexing import DATA, Literal, Python, ending, is_code, parsed
from neutralize.known.lexing import literals as string_literals
from neutralize.known.manifests import other_statements
from neutralize.known.people import People, read_lists
from neutralize.known.terms import closure, core_names, merged, stated_terms, variable_terms
from neutralize.lines import Lines
from neutralize.manifests import statements
from neutralize.notices import holders, titles
from neutralize.traverse import Item, decode, items
from neutralize.words import listed
from taskpack.rename import Term

MAX_IDENTIFIERS = 2000
_FOREIGN = listed("node_modules vendor third_party thirdparty 3rdparty _vendor .git")
_TESTING = re.compile(
    r"(?i)(?:^|/)(?:tests?|testing|spec|__tests__|testdata)(?:/|$)|(?:^|/)test_|[._]test\.|[._]spec\."
)
_UNOFFERED = re.compile(
    r"(?i)(?:^|/)(?:docs?|examples?|scripts|tools|benchmarks?|bench|\.github)/|(?:^|/)(?:setup|noxfile|conf)\.py$"
)
_MADE = re.compile(r"(?i)\.min\.\w+$|(?:^|/)(?:package-lock\.json|go\.sum|[\w.-]+\.lock|pnpm-lock\.yaml)$")


@dataclass
class _Found:
    people: People = field(default_factory=People)
    variables: Collected = field(default_factory=Collected)
    literals: Collected = field(default_factory=Collected)
    messages: Collected = field(default_factory=Collected)
    headings: Collected = field(default_factory=Collected)
    stems: Collected = field(default_factory=Collected)
    tests: Collected = field(default_factory=Collected)
    versions: Collected = field(default_factory=Collected)
    dates: Collected = field(default_factory=Collected)
    offered: Collected = field(default_factory=Collected)
    words: Collected = field(default_factory=Collected)
    assets: list[Asset] = field(default_factory=list)
    unread: list[Unscanned] = field(default_factory=list)

    def kinds(self) -> dict[str, Collected]:
        own = {name: kind for name, kind in vars(self).items() if isinstance(kind, Collected)}
        return own | {f"people.{name}": kind for name, kind in vars(self.people).items()}


def derive_known(
    tree: Path, *, repository: Path | None = None, terms: Iterable[Term] = (), background: Background | None = None
) -> Known:
    """Read the pinned `tree`, and the history in the bare store `repository` when there is one.

    `terms` is the term list as far as it is made; its short and common names give the derived closure, beside those
    that the manifests state. Nothing of the tree is run, parts that are other projects' copies give no literals, and
    what cannot be read stands in `unread`. The same tree and store give the same bytes.
    """
    background = background or shipped()
    stated = [*statements(tree), *holders(tree), *titles(tree)]
    others = list(other_statements(tree))
    extra = list(stated_terms(others))
    core = core_names([*terms, *extra, *stated_terms(stated)])
    found = _Found()
    found.people.stated([*stated, *others])
    for item in items(tree):
        _take(item, found, core, background)
    history = read_history(repository) if repository is not None else History()
    found.people.committed(sorted(history.people, key=lambda person: (person.source, person.name, person.email)))
    for tag, oid in history.tags.items():
        for version, _, _ in documents.versions(tag):
            found.versions.add(version, f"git:{oid}", 0)
    extra += [*variable_terms(found.variables), *closure(core, found.words, background)]
    return _record(found, history, extra, background)


def _take(item: Item, found: _Found, core: frozenset[str], background: Background) -> None:
    if item.data is None:
        found.unread.append(Unscanned(path=item.path, problem=item.problem))
        return
    parts = PurePosixPath(item.path).parts
    if ".git" in parts:
        return
    text = decode(item.data)
    if text is None or is_asset(item.path, item.data):
        found.assets.append(Asset(path=item.path, sha256=hashlib.sha256(item.data).hexdigest()))
    foreign = bool(_FOREIGN & set(parts))
    if not foreign and names.tells_stem(names.stem(item.path), background):
        found.stems.add(names.stem(item.path), item.path, 0)
    if text is None or foreign:
        return
    read_lists(item.path, text, found.people)
    if ending(item.path) in documents.PROSE:
        _take_prose(item.path, text, found, background)
    if (is_code(item.path) or ending(item.path) in DATA) and not _MADE.search(item.path):
        _take_source(item.path, text, found, background)
    for word, line in names.glued(text, core):
        found.words.add(word, item.path, line)
    for word, _ in names.glued(item.path, core):
        found.words.add(word, item.path, 0)


def _take_prose(path: str, text: str, found: _Found, background: Background) -> None:
    lines = Lines(text)
    for heading, start, _ in documents.headings(path, text) if not documents.is_changes(path) else ():
        slug = documents.slug(heading)
        if documents.tells_slug(slug, background):
            found.headings.add(slug, path, lines.number(start))
    if documents.is_changes(path):
        for number, row in enumerate(text.splitlines(), start=1):
            for version, _, _ in documents.versions(row[:2000]):
                found.versions.add(version, path, number)
            for date, _, _ in documents.dates(row[:2000]):
                found.dates.add(date, path, number)


def _take_source(path: str, text: str, found: _Found, background: Background) -> None:
    tree = parsed(text) if ending(path) in {"py", "pyi"} else None
    strings = list(string_literals(path, text, tree))
    for literal in strings:
        if literals.tells_string(literal.value, background):
            found.literals.add(literal.value.strip(), path, literal.line)
    for number, line in literals.numbers(text):
        if literals.tells_number(number, background):
            found.literals.add(number, path, line)
    if is_code(path):
        _take_code(path, text, tree, strings, found, background)


def _take_code(  # noqa: PLR0917 (what one file gives, passed on)
    path: str, text: str, tree: Python | None, strings: list[Literal], found: _Found, background: Background
) -> None:
    for shape, line in messages.of_python(tree) if tree is not None else messages.of_literals(strings):
        message = messages.tidy(shape)
        if messages.tells_message(message, background):
            found.messages.add(message, path, line)
    for variable, line in names.variables(text):
        if not background.has_text(variable):
            found.variables.add(variable, path, line)
    for test, line in names.tests(text, tree):
        if names.tells_test(test, background):
            found.tests.add(test, path, line)
    if not _TESTING.search(path) and not _UNOFFERED.search(path):
        for name, line in names.offered(path, text, tree):
            found.offered.add(name, path, line)


def _record(found: _Found, history: History, extra: list[Term], background: Background) -> Known:
    public = [
        Identifier(value=fact.value, source=fact.source, rarity=names.rarity(fact.value, background))
        for fact in found.offered.facts()
    ]
    public = sorted((name for name in public if name.rarity), key=lambda name: (-name.rarity, name.value))
    unread = [*found.unread, *history.unread]
    unread += [
        Unscanned(path=name, problem=f"{kind.left_out} facts more than the record holds")
        for name, kind in found.kinds().items()
        if kind.left_out
    ]
    people = found.people
    return Known(
        objects=tuple(sorted(history.objects)),
        people=people.names.facts(),
        logins=people.logins.facts(),
        emails=people.emails.facts(),
        hosts=people.hosts.facts(),
        owners=people.owners.facts(),
        variables=found.variables.facts(),
        # A string that is also a public name is the author's decision: it stands among the identifiers.
        literals=tuple(fact for fact in found.literals.facts() if fact.value not in found.offered),
        messages=found.messages.facts(),
        headings=found.headings.facts(),
        stems=found.stems.facts(),
        tests=found.tests.facts(),
        assets=tuple(sorted(found.assets, key=lambda asset: asset.path)),
        versions=found.versions.facts(),
        dates=found.dates.facts(),
        identifiers=tuple(public[:MAX_IDENTIFIERS]),
        terms=merged(extra),
        unread=tuple(sorted(unread, key=lambda item: (item.path, item.problem))),
    )
