"""A proposal as the text of an `order.toml`: every guess beside its evidence, every stand-in marked."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from authoring.guesses.features import ModuleSize, reading, shown
from authoring.guesses.guess import Guess
from flows.naming import PublicName, telling_names
from flows.proposing import Proposal, evidence
from taskpack.errors import RepowrightError
from taskpack.order import Floors, Order
from taskpack.rendering import render

_LONGEST_NOTE = 160
_LONGEST_LOG = 12
_SUMMARY = "A library."


@dataclass(frozen=True, kw_only=True)
class _Row:
    value: str
    why: str
    pad: int


@dataclass(frozen=True, kw_only=True)
class _Distinctive:
    word: str
    what: str
    pad: int


@dataclass(frozen=True, kw_only=True)
class _Feature:
    id: str
    title: str
    about: str
    files: tuple[str, ...]
    what: str


def order_page(proposal: Proposal, case_id: str) -> str:
    """The whole file. Raises `RepowrightError` when it is no valid order, which is a bug of ours."""
    telling = telling_names(proposal.survey, proposal.named)
    features = _features(proposal)
    text = render(
        "order.toml.j2",
        toml=_toml,
        note=_note,
        case_id=case_id,
        label=proposal.label,
        language="; ".join(evidence(proposal.language.evidence)),
        licence=f"{proposal.pin.licence} ({', '.join(file.path for file in proposal.pin.licence_files)})",
        licences=proposal.licences,
        remarks=[proposal.remark] if proposal.remark else [],
        source=[(name, value) for name, value in proposal.source.model_dump(mode="json").items() if value is not None],
        product=proposal.named.name,
        name_check=_name_check(proposal),
        summary=_SUMMARY,
        follows=[f"{one.word} -> {one.becomes}  ({_place(one)})" for one in telling if one.becomes],
        distinctive=_distinctive([one for one in telling if not one.becomes]),
        requirements=_rows(proposal.trial.setup.tests),
        left_out=[f"{guess.value}  ({'; '.join(evidence(guess.evidence))})" for guess in proposal.left_out],
        build_requirements=_rows(proposal.trial.setup.build),
        command=proposal.trial.setup.command.value,
        command_evidence=[f"guess: {line}" for line in evidence(proposal.trial.setup.command.evidence)],
        expected=max(proposal.trial.passed, 1),
        expected_evidence=_expected(proposal),
        modules=[_size(module, proposal) for module in proposal.modules],
        features=features,
        floors=Floors(),
    )
    _check(text)
    return text


def decisions(text: str) -> tuple[str, ...]:
    """The fields and tables that an order marks as the author's to decide, in its own order, each once."""
    found: list[str] = []
    table, marked = "", False
    for line in text.splitlines():
        marked = marked or line.startswith("# decide")
        if line.startswith("["):
            table = line.strip("[]")
        name = table if line.startswith("[") else f"{table}.{line.partition(' = ')[0]}" if line[:1].isalpha() else ""
        if marked and (name or not line):
            found.append(name or table)  # a comment that no field follows is about the table that it stands in
            marked = False
    return tuple(dict.fromkeys(found))


def _check(text: str) -> None:
    try:
        Order.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise RepowrightError(
            "the proposed order is not valid", details={"fact": str(error)[:300]}, remedy="report the source"
        ) from error


def _features(proposal: Proposal) -> list[_Feature]:
    named = proposal.named
    made = []
    for number, module in enumerate(proposal.features, start=1):
        stem = named.neutral(module.path.rpartition("/")[2].removesuffix(".py"))
        stem = "package" if stem == "__init__" else stem.strip("_").replace("_", " ")
        made.append(
            _Feature(
                id=f"FP-{number:02}",
                title=f"Feature point {number}" if named.tells(stem) else f"The {stem} module",
                about="What its public names do, and what they refuse.",
                files=tuple(named.neutral(path) for path in reading(module, proposal.modules)),
                what=f"what it is for, and its bounds. {module.path} defines {shown(module.names)}",
            )
        )
    return made


def _name_check(proposal: Proposal) -> str:
    named = proposal.named
    if named.names is None:
        return f"no made-up name passes the names stage: {named.refusal}"
    asked = "the registry did not answer, so ask again" if named.registry is None else "the registry has none of it"
    return f"it passes the names stage, and {asked}"


def _expected(proposal: Proposal) -> list[str]:
    trial = proposal.trial
    if not trial.fault:
        return [f"tried: {trial.passed} passed and none failed with this command, offline"]
    log = [line for line in trial.log.splitlines() if line.strip()][-_LONGEST_LOG:]
    return [f"decide: the tests do not pass as this says: {trial.fault}. The end of the log:", *(f"  {x}" for x in log)]


def _size(module: ModuleSize, proposal: Proposal) -> str:
    names = f"defines {shown(module.names)}" if module.names else "defines nothing public"
    return f"{module.lines:5} lines  {proposal.named.neutral(module.path)}: {names}"


def _rows(guesses: Sequence[Guess[str]]) -> list[_Row]:
    width = max((len(_toml(guess.value)) for guess in guesses), default=0)
    return [
        _Row(
            value=guess.value, why=f"guess: {'; '.join(evidence(guess.evidence))}", pad=width - len(_toml(guess.value))
        )
        for guess in guesses
    ]


def _distinctive(names: Sequence[PublicName]) -> list[_Distinctive]:
    width = max((len(one.word) for one in names), default=0)
    return [
        _Distinctive(word=one.word, what=f"{one.symbol.kind}, {_place(one)}", pad=width - len(one.word))
        for one in names
    ]


def _place(one: PublicName) -> str:
    return f"{one.symbol.path}:{one.symbol.line}"


def _note(text: object) -> str:
    """A comment's text: one line, without anything that would end it or that a terminal would obey."""
    line = "".join(char if char.isprintable() else " " for char in str(text)).rstrip()
    return line if len(line) <= _LONGEST_NOTE else f"{line[: _LONGEST_NOTE - 3]}..."


def _toml(value: str | Iterable[str]) -> str:
    """A string, or a list of strings, in TOML."""
    if isinstance(value, str):
        # TOML takes JSON's escapes, but neither its surrogate pairs nor a bare DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return "[" + ", ".join(_toml(each) for each in value) + "]"
