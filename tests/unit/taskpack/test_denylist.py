"""What the bans of a case stand for, and every form in which a banned thing can be asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from taskpack.denylist import Denylist, read_denylist
from taskpack.errors import RecordUnreadable
from taskpack.record import to_json
from taskpack.requested import folded, of_crate, of_debian, of_module, of_npm, of_requirement

BANS = Denylist(
    case_id="case900",
    ecosystem="pip",
    install_ban=("oldtally", "python3-oldtally", "@brass/tally-js", "brassworks/oldtally", "host.example/bw/oldtally"),
    import_ban=("oldtally", "oldtally/"),
)
LONG = BANS.model_copy(update={"install_ban": ("name-odd-case", "org/name")})


def asked(reader: Callable[[str], frozenset[str]], spec: str, bans: Denylist = BANS) -> str:
    return bans.install_token(reader(spec))


@pytest.mark.parametrize(
    "requirement",
    [
        "oldtally",
        "OldTally==1.0",
        "oldtally[fast]>=1 ; python_version > '3'",
        "oldtally (>=1)",
        "oldtally @ https://files.example/x.whl",
        "other @ https://files.example/oldtally-1.0.tar.gz",
        "git+https://files.example/brassworks/oldtally@main#egg=other",
        "git+https://files.example/someone/else.git@main#egg=oldtally",
        "git+ssh://git@files.example:22/brassworks/oldtally.git",
        "git@files.example:brassworks/oldtally.git",
        "https://files.example/a/oldtally-1.0-py3-none-any.whl#sha256=00",
        "https://files.example/%6fldtally/archive/main.zip",
        "https://files.example/%256fldtally/archive/main.zip",
        "https://codeload.files.example/brassworks/oldtally/tar.gz/v1",
        "./dist/oldtally-1.0.tar.gz",
        "/tmp/OldTally-1.0-py3-none-any.whl",
        "vendor/oldtally",
        "oldtally  # what we restate",
        "".join(chr(ord(char) + 0xFEE0) for char in "oldtally"),
    ],
)
def test_a_banned_distribution_is_seen_in_every_form_of_a_requirement(requirement: str) -> None:
    assert asked(of_requirement, requirement)


@pytest.mark.parametrize(
    "requirement",
    [
        "oldtally-tools",
        "oldtallyx==1",
        "other[oldtally]",
        "other  # not oldtally",
        "other ; extra == 'oldtally'",
        "other @ https://files.example/oldtally-tools-1.0.tar.gz",
        "git+https://files.example/brassworks/oldtally-docs",
        "https://oldtally.example/other/thing",
        "",
        "-",
        "@",
    ],
)
def test_what_only_mentions_the_banned_name_is_another_requirement(requirement: str) -> None:
    assert asked(of_requirement, requirement) == ""


@pytest.mark.parametrize("written", ["Name_odd.case", "NAME--odd__case", "name.odd-case[x,y]==1", "name-odd-case ~= 1"])
def test_names_are_folded_before_they_are_compared(written: str) -> None:
    assert asked(of_requirement, written, LONG) == "name-odd-case"


@pytest.mark.parametrize(
    ("reader", "spec"),
    [
        (of_npm, "@brass/tally-js"),
        (of_npm, "@brass/tally-js@^1.0"),
        (of_npm, "harmless@npm:@brass/tally-js@1"),
        (of_npm, "harmless@npm:oldtally@1"),
        (of_npm, "npm:oldtally@1"),
        (of_npm, "brassworks/oldtally"),
        (of_npm, "github:brassworks/oldtally#main"),
        (of_npm, "git+https://files.example/brassworks/oldtally.git"),
        (of_npm, "harmless@brassworks/oldtally"),
        (of_npm, "./oldtally-1.0.0.tgz"),
        (of_npm, "https://files.example/oldtally/-/oldtally-1.0.0.tgz"),
        (of_module, "host.example/bw/oldtally/v2@latest"),
        (of_module, "host.example/bw/oldtally/cmd/..."),
        (of_crate, "oldtally@1"),
        (of_crate, "https://files.example/brassworks/oldtally"),
        (of_debian, "python3-oldtally=1.0-1"),
        (of_debian, "python3-oldtally:amd64"),
        (of_debian, "python3-oldtally/stable"),
        (of_debian, "./python3-oldtally_1.0_all.deb"),
    ],
)
def test_a_banned_package_is_seen_in_the_forms_of_other_package_managers(
    reader: Callable[[str], frozenset[str]], spec: str
) -> None:
    assert asked(reader, spec)


@pytest.mark.parametrize(
    ("reader", "spec"),
    [
        (of_npm, "@brass/tally"),
        (of_npm, "tally-js"),
        (of_npm, "oldtally-loader@1"),
        (of_npm, "file:../else"),
        (of_module, "host.example/bw/oldtally2"),
        (of_crate, "oldtally-derive"),
        (of_debian, "python3-oldtally-doc"),
    ],
)
def test_a_neighbour_of_a_banned_package_is_not_banned(reader: Callable[[str], frozenset[str]], spec: str) -> None:
    assert asked(reader, spec) == ""


def test_hashes_tell_names_only_to_who_knows_the_salt() -> None:
    one, other = BANS.hashes(b"one"), BANS.hashes(b"other")
    assert len(one) == len(BANS.install_ban)
    assert not set(one) & set(other)
    assert not any(folded("oldtally") in text for text in one)


@pytest.mark.parametrize("token", ["", "/", "::", " /", "std::", "numpy", "numpy/", "cuda::"])
def test_an_empty_ban_and_one_of_general_infrastructure_are_refused(token: str) -> None:
    with pytest.raises(ValidationError):
        Denylist(case_id="case900", ecosystem="pip", install_ban=("oldtally",), import_ban=(token,))


def test_a_stored_denylist_reads_back_to_the_same_bytes(checkout: Path) -> None:
    path = checkout / "cases" / "case001" / "source" / "denylist.json"
    assert to_json(read_denylist(path).model_dump(mode="json")) == path.read_bytes()


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b'{"schema_version": 2}'])
def test_what_is_no_denylist_is_told_with_its_place(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "denylist.json"
    path.write_bytes(text)
    with pytest.raises(RecordUnreadable, match=r"denylist\.json"):
        read_denylist(path)
