"""What a case keeps of what is known of its source: nobody's name, and no more than can be kept."""

from __future__ import annotations

from pathlib import Path

from neutralize.finding import Unscanned
from neutralize.known.facts import Asset, Fact, Known
from neutralize.known.stored import MOST, MOST_OBJECTS, PEOPLE, TEXTS, gaps, stored
from taskpack.layout import Audience, CaseFolder, audience
from taskpack.rename import Grade, Term

WHO = ("Orla Quibbleton", "quibbleorla", "orla@brassmill.dev", "brassmill.dev", "orlas-guild")


def fact(value: str, source: str = "a.py:1") -> Fact:
    return Fact(value=value, source=source)


KNOWN = Known(
    objects=("ab" * 20,),
    people=(fact(WHO[0]),),
    logins=(fact(WHO[1]),),
    emails=(fact(WHO[2]),),
    hosts=(fact(WHO[3]),),
    owners=(fact(WHO[4]),),
    literals=(fact("a literal of theirs"),),
    messages=(fact("a message of theirs"),),
    headings=(fact("a-heading-of-theirs"),),
    variables=(
        fact("zorblax-of-quenth"),
        fact("made by Orla Quibbleton"),
        fact("write to somebody@else.dev"),
        fact("tests/of_quibbleorla", "x.py:1"),
        fact("plain", "docs/orla-quibbleton.py:3"),
    ),
    tests=(fact("test_quibbleton_case"),),
    stems=(fact("orlaquibbleton"),),
    assets=(Asset(path="photos/orla_quibbleton.png", sha256="0" * 64), Asset(path="logo.png", sha256="1" * 64)),
    terms=(Term(surface="monoclehttp", grade=Grade.IDENTIFYING, kind="project", sources=("a.py:1",)),),
    unread=(Unscanned(path="big.bin", problem="larger"), Unscanned(path="orla-quibbleton.bin", problem="larger")),
)


def test_nobody_is_named_and_no_text_copied_in_what_is_kept_and_it_says_what_is_gone() -> None:
    kept = stored(KNOWN)
    text = kept.to_bytes().decode().lower()
    assert not [who for who in (*WHO, "quibbleton", "@", "theirs") if who.lower() in text]
    assert kept.left_out == (*PEOPLE, *TEXTS)
    assert [one.value for one in kept.variables] == ["zorblax-of-quenth"]
    assert [one.path for one in kept.assets] == ["logo.png"]
    assert (kept.objects, kept.terms) == (KNOWN.objects, KNOWN.terms)
    assert Unscanned(path="(people)", problem="1 more that could not be read name somebody") in kept.unread
    assert "people, logins, emails, hosts, owners, literals, messages, headings" in next(iter(gaps(kept)))


def test_a_record_without_people_or_texts_is_kept_whole_and_leaves_nothing_out() -> None:
    known = Known(objects=("ab" * 20,), variables=(fact("ZORBLAX_QUENTH"),))
    assert stored(known) == known
    assert list(gaps(stored(known))) == []


def test_too_many_facts_are_cut_alike_each_time_and_told() -> None:
    names = tuple(fact(f"VARIABLE_{number:06}") for number in range(MOST + 7))
    objects = tuple(f"{number:040x}" for number in range(MOST_OBJECTS + 2))
    known = Known(variables=names, objects=objects)
    kept = stored(known)
    assert (len(kept.variables), len(kept.objects)) == (MOST, MOST_OBJECTS)
    assert kept.to_bytes() == stored(known).to_bytes()
    assert list(kept.variables) == sorted(kept.variables, key=lambda one: one.value)
    assert {one.value[:13] for one in names} == {one.value[:13] for one in kept.variables}  # from the whole alphabet
    assert [(one.path, one.problem) for one in kept.unread] == [
        ("(objects)", "2 facts more than a case keeps"),
        ("(variables)", "7 facts more than a case keeps"),
    ]
    assert any("variables" in line for line in gaps(kept))


def test_the_record_and_refused_replies_are_the_authors_alone() -> None:
    case = CaseFolder(root=Path("case901"))
    for path in (case.known, case.refused / "spec" / "FP-01" / "1.json"):
        assert audience(path.relative_to(case.root).as_posix()) is Audience.AUTHOR
