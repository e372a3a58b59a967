"""The licence gate: texts and metadata must say the same, and it must be accepted."""

from __future__ import annotations

from collections.abc import Mapping

import licenseclassifier
import pytest

from authoring.licence import Agreed, NotAgreed, is_licence_file, judge_licence
from authoring.members import Member, Mode
from taskpack.outcome import Fact
from tests.unit.authoring.sources import MIT, members

ISC = b"""ISC License

Copyright (c) 2020, A. Person

Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
"""
BSD3 = b"""Copyright 2020 A. Person

Redistribution and use in source and binary forms, with or without modification,
are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors
   may be used to endorse or promote products derived from this software without
   specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS
OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN
IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
"""
OURS = (
    b"Nobody may copy this. Ask A. Person for a paid permission before using any of it, anywhere, for anything.\n" * 8
)
ACCEPTED = ("MIT", "BSD-3-Clause", "BSD-2-Clause", "ISC")


def project(licence: str, *more: str) -> bytes:
    return "\n".join(["[project]", 'name = "x"', f"license = {licence}", *more]).encode()


def judge(files: Mapping[str, bytes], accepted: tuple[str, ...] = ACCEPTED) -> Agreed | NotAgreed:
    return judge_licence(members(files), accepted=accepted)


@pytest.mark.parametrize(
    ("metadata", "text", "expression"),
    [
        ({"pyproject.toml": project('"MIT"')}, MIT, "MIT"),
        ({"pyproject.toml": project('"mit"')}, MIT, "MIT"),
        ({"pyproject.toml": project('{text = "MIT License"}')}, MIT, "MIT"),
        ({"pyproject.toml": project('{file = "LICENSE"}')}, MIT, "MIT"),
        ({"pyproject.toml": b'[tool.poetry]\nlicense = "MIT"\n'}, MIT, "MIT"),
        ({"setup.cfg": b"[metadata]\nlicense = MIT\n"}, MIT, "MIT"),
        ({"setup.cfg": b"[metadata]\nclassifiers =\n    License :: OSI Approved :: MIT License\n"}, MIT, "MIT"),
        ({"PKG-INFO": b"Name: x\nLicense-Expression: MIT\n\nbody"}, MIT, "MIT"),
        ({"PKG-INFO": b"Name: x\nLicense: BSD\n\n"}, BSD3, "BSD-3-Clause"),
        (
            {"PKG-INFO": b"Name: x\nLicense: UNKNOWN\nClassifier: License :: OSI Approved :: BSD License\n\n"},
            BSD3,
            None,
        ),
        ({"PKG-INFO": b"Name: x\nLicense: " + BSD3.replace(b"\n", b"\n        ") + b"\n\n"}, BSD3, "BSD-3-Clause"),
        ({"PKG-INFO": b"License: ISC License (ISCL)\n\n"}, ISC, "ISC"),
        ({"pyproject.toml": project('"MIT OR ISC"')}, MIT, "MIT OR ISC"),
        ({"pyproject.toml": project('"MIT/ISC"')}, MIT, "MIT OR ISC"),
        ({"PKG-INFO": b"License: BSD 3-Clause OR Apache-2.0\n\n"}, BSD3, "BSD-3-Clause OR Apache-2.0"),
        ({"PKG-INFO": b"License: (MIT License) and ISC License\n\n"}, MIT + ISC, "MIT AND ISC"),
        ({"pyproject.toml": project('"MIT OR GPL-3.0-only"')}, MIT, "MIT OR GPL-3.0-only"),
    ],
)
def test_metadata_that_agrees_with_the_text_gives_the_expression(
    metadata: dict[str, bytes], text: bytes, expression: str | None
) -> None:
    agreed = judge({**metadata, "LICENSE": text})
    assert isinstance(agreed, Agreed), agreed
    assert agreed.expression == (expression or "BSD-3-Clause")
    assert [file.path for file in agreed.files] == ["LICENSE"]


@pytest.mark.parametrize(
    ("files", "message", "evidence"),
    [
        ({"pyproject.toml": project('"MIT"')}, "no licence text was found", None),
        (
            {"LICENSE": MIT, "setup.py": b"license='MIT'"},
            "the metadata names no licence",
            None,
        ),
        (
            {"LICENSE": OURS, "pyproject.toml": project('"MIT"')},
            "a licence text is not recognised",
            Fact(what="unknown text", where="LICENSE"),
        ),
        (
            {"LICENSE": MIT, "src/x/_vendor/LICENSE": OURS, "pyproject.toml": project('"MIT"')},
            "a licence text is not recognised",
            Fact(what="unknown text", where="src/x/_vendor/LICENSE"),
        ),
        (
            {"LICENSE": ISC, "pyproject.toml": project('"MIT"')},
            "metadata and licence texts do not agree",
            Fact(what="`MIT` has no text in the source", where="pyproject.toml: license"),
        ),
        (
            {"LICENSE": MIT, "src/x/_vendor/LICENSE": ISC, "pyproject.toml": project('"MIT"')},
            "metadata and licence texts do not agree",
            Fact(what="`MIT` leaves out ISC, whose text is there", where="pyproject.toml: license"),
        ),
        (
            {"LICENSE": MIT, "pyproject.toml": project('"MIT AND ISC"')},
            "metadata and licence texts do not agree",
            Fact(what="`MIT AND ISC` has no text in the source", where="pyproject.toml: license"),
        ),
        (
            {"LICENSE": MIT, "pyproject.toml": project('"MIT"'), "PKG-INFO": b"License: ISC\n\n"},
            "metadata and licence texts do not agree",
            Fact(what="`ISC` has no text in the source", where="PKG-INFO: License"),
        ),
        (
            {"LICENSE": MIT, "PKG-INFO": b"License: see the file\n\n"},
            "metadata and licence texts do not agree",
            Fact(what="`see the file` is no licence that we know", where="PKG-INFO: License"),
        ),
        (
            {"LICENSE": MIT, "PKG-INFO": b"Classifier: License :: Other/Proprietary License\n\n"},
            "metadata and licence texts do not agree",
            Fact(what="`Other/Proprietary License` is no licence that we know", where="PKG-INFO: classifiers"),
        ),
        (
            {"LICENSE": MIT, "pyproject.toml": project('"GPL-2.0-only WITH Classpath-exception-2.0"')},
            "metadata and licence texts do not agree",
            None,
        ),
    ],
)
def test_nothing_found_or_no_agreement_is_held_for_a_person(
    files: dict[str, bytes], message: str, evidence: Fact | None
) -> None:
    held = judge(files)
    assert isinstance(held, NotAgreed)
    assert held.message == message
    assert evidence is None or evidence in held.evidence


def test_a_licence_that_the_order_does_not_list_is_refused() -> None:
    held = judge({"LICENSE": ISC, "pyproject.toml": project('"ISC"')}, accepted=("MIT",))
    assert isinstance(held, NotAgreed)
    assert held.message == "the licence is not accepted: ISC"
    assert Fact(what="text of ISC", where="LICENSE") in held.evidence


def test_a_notice_and_a_pointer_to_the_text_do_not_hold_it_up() -> None:
    files = {
        "LICENSE.txt": MIT,
        "NOTICE": b"Made by A. Person.\n",
        "docs/license.rst": b".. include:: ../LICENSE.txt\n",
        "pyproject.toml": project('"MIT"'),
    }
    agreed = judge(files)
    assert isinstance(agreed, Agreed)
    assert [(file.path, file.detected) for file in agreed.files] == [
        ("LICENSE.txt", "MIT"),
        ("NOTICE", ""),
        ("docs/license.rst", ""),
    ]


@pytest.mark.parametrize("metadata", [b"\xff\xfe", b"[project", b"[project]\nlicense = 3\n", b"a = " + b"[" * 5000])
def test_broken_metadata_states_nothing_it_does_not_raise(metadata: bytes) -> None:
    assert isinstance(judge({"LICENSE": MIT, "pyproject.toml": metadata, "setup.cfg": metadata}), NotAgreed)


@pytest.mark.parametrize(
    "text", ["MIT OR", "(((", "MIT AND AND ISC", "LicenseRef-x", "\x00", "MIT WITH nothing", "AND"]
)
def test_whatever_the_expression_library_raises_is_an_answer(text: str) -> None:
    held = judge({"LICENSE": MIT, "PKG-INFO": b"License-Expression: " + text.encode() + b"\n\n"})
    assert isinstance(held, NotAgreed)
    assert held.message == "metadata and licence texts do not agree"


def test_a_classifier_that_raises_leaves_the_text_unrecognised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_text: str) -> object:
        raise AttributeError("'NoneType' object has no attribute 'id'")

    monkeypatch.setattr(licenseclassifier, "identify_license", broken)
    held = judge({"LICENSE": MIT, "pyproject.toml": project('"MIT"')})
    assert isinstance(held, NotAgreed)
    assert held.message == "a licence text is not recognised"


def test_a_link_is_no_licence_text() -> None:
    found = judge_licence(
        [
            Member(path="LICENSE", mode=Mode.LINK, data=b"other"),
            Member(path="pyproject.toml", mode=Mode.FILE, data=project('"MIT"')),
        ],
        accepted=ACCEPTED,
    )
    assert isinstance(found, NotAgreed)
    assert found.message == "no licence text was found"


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("LICENSE", True),
        ("LICENCE.md", True),
        ("licenses.txt", True),
        ("COPYING.LESSER", True),
        ("a/b/NOTICE", True),
        ("LICENSES/MIT.txt", True),
        ("UNLICENSE", True),
        ("src/x/license.py", False),
        ("licensed_things.txt", False),
        ("docs/noticeboard.md", False),
    ],
)
def test_licence_files_are_known_by_name(path: str, is_one: bool) -> None:
    assert is_licence_file(path) is is_one
