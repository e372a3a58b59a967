"""Resources and hardware of an order: what is refused, and why."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from environments.interface import Limits
from taskpack import external
from taskpack.external import External, Hardware, Resource

RIGHT: dict[str, Any] = {
    "id": "rates", "url": "https://files.example/v1/rates.bin", "sha256": "a" * 64, "size": 40, "license": "CC0-1.0",
}  # fmt: skip


def made(**changes: Any) -> External:
    own = {key: value for key, value in (RIGHT | changes).items() if value is not None}
    return External.model_validate({"destination": "/opt/models", "resources": [own]})


def test_a_right_one_is_taken_and_says_where_it_lies() -> None:
    plain = made(directory="eu/2024", source="The rate office").resources[0]
    packed = made(url="https://files.example/rates.zip", unpacked_size=90, directory="eu").resources[0]
    assert (plain.place, plain.is_packed) == ("eu/2024/rates.bin", False)
    assert (packed.place, packed.is_packed) == ("eu", True)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"sha256": None}, "Field required"),
        ({"sha256": "A" * 64}, "match pattern"),
        ({"size": None}, "Field required"),
        ({"size": 0}, "greater than or equal to 1"),
        ({"size": external.MOST_BYTES + 1}, "less than or equal to"),
        ({"license": None}, "Field required"),
        ({"license": "No-Such-Licence-9"}, "must be an SPDX expression"),
        ({"license": ""}, "must be an SPDX expression"),
        ({"url": "http://files.example/x"}, "must be an https address"),
        ({"url": "file:///etc/passwd"}, "must be an https address"),
        ({"url": "https:///x"}, "must be an https address"),
        ({"url": "https://me:word@files.example/x"}, "must not carry a user"),
        ({"url": "https://me@files.example/x"}, "must not carry a user"),
        ({"url": "https://files.example/x#y"}, "one plain address"),
        ({"url": "https://files.example/x y"}, "one plain address"),
        ({"url": "https://files.example/"}, "must end with the file's name"),
        ({"url": "https://files.example/%2e%2e"}, "must end with the file's name"),
        ({"url": "https://files.example/a%2f..%2f.."}, "must end with the file's name"),
        ({"directory": "../up"}, "stays inside"),
        ({"directory": "/etc"}, "stays inside"),
        ({"directory": "a/./b"}, "stays inside"),
        ({"directory": "a\\b"}, "stays inside"),
        ({"directory": "a\0b"}, "stays inside"),
        ({"unpacked_size": 5}, "is given for a .zip"),
        ({"url": "https://files.example/x.zip"}, "is given for a .zip"),
        ({"id": "Upper"}, "match pattern"),
        ({"surprise": 1}, "Extra inputs"),
    ],
)
def test_a_wrong_resource_is_refused_with_the_reason(changes: dict[str, Any], word: str) -> None:
    with pytest.raises(ValidationError, match=word):
        made(**changes)


@pytest.mark.parametrize(
    "place", ["opt/x", "/opt", "/", "/etc/x", "/usr/share/x", "/app/x", "/opt/../etc", "/opt/lib", "/opt/lib/x", "/opt/x/", "/opt/clock"]
)  # fmt: skip
def test_a_destination_that_is_not_ours_to_give_is_refused(place: str) -> None:
    with pytest.raises(ValidationError, match="must "):
        External.model_validate({"destination": place, "resources": [RIGHT]})


@pytest.mark.parametrize(
    ("second", "word"),
    [
        ({"url": "https://files.example/other.bin"}, "two resources have the id rates"),
        ({"id": "two"}, "two resources have the place rates.bin"),
        ({"id": "two", "url": "https://files.example/o", "size": external.MOST_BYTES}, None),
    ],
)
def test_resources_must_be_apart(second: dict[str, Any], word: str | None) -> None:
    both = {"destination": "/opt/models", "resources": [RIGHT, RIGHT | second]}
    if word is None:
        External.model_validate(both)
        return
    with pytest.raises(ValidationError, match=word):
        External.model_validate(both)


def test_together_they_have_a_bound() -> None:
    many = [RIGHT | {"id": f"r{n}", "url": f"https://files.example/{n}", "size": external.MOST_BYTES} for n in range(3)]
    External.model_validate({"destination": "/opt/models", "resources": many[:2]})
    with pytest.raises(ValidationError, match="all resources together"):
        External.model_validate({"destination": "/opt/models", "resources": many})


def test_other_harnesses_read_their_keys_alone_and_we_read_them_again() -> None:
    one = made(source="The rate office")
    told = json.loads(one.to_harness())
    assert told == {"destination": "/opt/models", "resources": [RIGHT | {"source": "The rate office"}]}
    assert External.from_harness(one.to_harness()) == one


def test_hardware_asks_for_no_more_than_a_product_sandbox_has() -> None:
    bound = Limits()
    Hardware(memory_mb=bound.memory_mb, disk_mb=bound.disk_mb)
    for more in (
        {"memory_mb": bound.memory_mb + 1},
        {"disk_mb": bound.disk_mb + 1},
        {"cpus": 0},
        {"accelerator": "gpu"},
    ):
        with pytest.raises(ValidationError):
            Hardware.model_validate(more)


def test_a_resource_alone_is_as_strict() -> None:
    with pytest.raises(ValidationError):
        Resource.model_validate({**RIGHT, "url": "ftp://files.example/x"})
