from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from neutralize.decide import Found
from neutralize.denylist import denylist, sensitive_terms
from neutralize.rename import build_map
from neutralize.scan import Scanner
from neutralize.terms import derive_terms
from taskpack.order import Order
from taskpack.rename import Grade, Names, RenameMap, Term


def test_the_denylist_bans_distribution_packages_repositories_and_import_roots(upstream: Path, order: Order) -> None:
    terms = derive_terms(upstream, order)
    map_ = build_map(order, terms)
    assert isinstance(map_, RenameMap)
    listed = denylist(order, Names(map=map_, terms=terms, checks=()))
    assert listed.schema_version == 1
    assert listed.case_id == "case901"
    assert listed.ecosystem == "pip"
    assert listed.install_ban == (
        "oldtally",
        "python3-oldtally",
        "brassworks/oldtally",
        "github.com/brassworks/oldtally",
    )
    assert listed.import_ban == ("oldtally", "oldtally/")


def test_sensitive_terms_are_spellings_that_the_scan_fails_too(upstream: Path, order: Order) -> None:
    terms = derive_terms(upstream, order)
    sensitive = sensitive_terms(terms)
    assert {"oldtally", "old-tally", "old_tally", "Mara Quill", "brassworks/oldtally"} <= set(sensitive)
    assert sensitive == sorted(set(sensitive))
    scanner = Scanner(terms)
    assert [term for term in sensitive if scanner.verdict(term) is not Found.HIT] == []


def test_words_that_public_text_needs_are_not_sensitive() -> None:
    generic = Term(surface="fetch", grade=Grade.GENERIC, kind="dist", sources=("order",))
    cased = Term(surface="HTTPCount", grade=Grade.LITERAL, kind="api-identifier", sources=("order",))
    assert sensitive_terms((generic, cased)) == []


def test_the_order_lifts_bans_that_right_products_need_by_any_spelling(upstream: Path, order: Order) -> None:
    (upstream / "src" / "old_toml").mkdir()
    (upstream / "src" / "old_toml" / "__init__.py").touch()
    lifting = order.rename.model_copy(update={"unbanned": ("Old.Toml",)})
    made = {}
    for name, each in (("whole", order), ("lifted", order.model_copy(update={"rename": lifting}))):
        terms = derive_terms(upstream, each)
        assert "old_toml" in {term.surface for term in terms}
        map_ = build_map(each, terms)
        assert isinstance(map_, RenameMap)
        made[name] = denylist(each, Names(map=map_, terms=terms, checks=()))
    assert set(made["whole"].import_ban) - set(made["lifted"].import_ban) == {"old_toml", "old_toml/"}
    assert set(made["lifted"].import_ban) == {"oldtally", "oldtally/"}
    assert made["lifted"].install_ban == made["whole"].install_ban


@pytest.mark.parametrize("name", ["oldtally", "OldTally"])
def test_the_ban_of_the_sources_own_name_cannot_be_lifted(order: Order, name: str) -> None:
    data = order.model_dump(mode="json")
    data["rename"]["unbanned"] = [name]
    with pytest.raises(ValidationError, match="the task is made from it"):
        Order.model_validate(data)
