"""Who a project says it belongs to in its licence texts, and what its README calls it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from neutralize.addresses import EMAIL, URL
from neutralize.manifests import Statement
from neutralize.words import listed

_TEXTS = re.compile(r"(?i)(licen[cs]e|copying|copyright|notice)([._-].*)?")
_README = re.compile(r"(?i)readme([._-].*)?")
_COPYRIGHT = re.compile(
    r"""^[ \t#*/;.\-]* (?:portions[ \t]+)? copyright [ \t]* (?P<sign>\(c\)|©|&copy;)? [ \t]*
        (?P<years>(?:19|20)\d\d (?:[ \t]*[-\u2013,][ \t]*(?:(?:19|20)\d\d|present))*)? [ \t,]*
        (?P<sign2>\(c\)|©)? [ \t]* (?:by[ \t]+)? (?P<holder>[^\n\[{<]+)""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_AFTER = re.compile(
    r"""(?: ,?[ \t]*
        (?: all[ ]rights[ ]reserved | see[ ][A-Z.]+.* | inc\.? | ltd\.? | llc | gmbh | et[ ]al\.?
          | and[ ](?:its[ ]|other[ ])?(?:contributors|authors|others) | \([^)]*\)
        )[. ]*)+$""",
    re.IGNORECASE | re.VERBOSE,
)
_GROUP = re.compile(r"(?i)[ \t]+(authors|contributors|developers|maintainers|team|community)$")
_GROUP_WORDS = listed(
    """
    project projects team foundation contributors authors developers organization organisation community
    group software labs university institute company corporation inc ltd llc gmbh collective
    """
)


def holders(tree: Path) -> Iterator[Statement]:
    """Holders in copyright lines: a line must begin with the word and give a year or the sign.

    So the body of a licence ("copyright statement to Your modifications") and its template lines name nobody.
    """
    for path in _top_files(tree, _TEXTS):
        text = path.read_text("utf-8", "replace")
        for found in _COPYRIGHT.finditer(text):
            if not (found["years"] or found["sign"] or found["sign2"]):
                continue
            source = f"{path.name}:{text.count(chr(10), 0, found.start('holder')) + 1}"
            for part in re.split(r"[ \t]+(?:and|&)[ \t]+", _AFTER.sub("", found["holder"].strip())):
                name = party(part)
                if name:
                    yield Statement(role="party", value=name, source=source)


def titles(tree: Path) -> Iterator[Statement]:
    """The README's first heading, when it is short enough to be a name."""
    for path in _top_files(tree, _README):
        lines = path.read_text("utf-8", "replace").splitlines()
        for number, line in enumerate(lines[:20], start=1):
            underlined = number < len(lines) and re.fullmatch(r"[=*#~-]{3,}", lines[number].strip())
            if not (line.startswith("# ") or (underlined and line.strip())):
                continue
            title = re.sub(r"[`*_]", "", line.lstrip("# ")).strip()
            if 0 < len(title.split()) <= 3 and re.search(r"[A-Za-z]{2}", title):
                yield Statement(role="title", value=title, source=f"{path.name}:{number}")
            break


def party(text: str) -> str:
    """A person or group without the words around the name."""
    text = re.split(r"[ \t]@[ \t]", URL.sub("", EMAIL.sub("", text)))[0]
    name = _AFTER.sub("", text.strip(" \t\"'<>,;")).strip(" .,;\"'")
    name = _GROUP.sub("", re.sub(r"(?i)^the[ \t]+", "", name)).strip(" .,;")
    return name if re.search(r"[^\W\d_]{2}", name) and len(name.split()) <= 6 else ""


def is_person(name: str) -> bool:
    """Whether a name looks like a person's: two to four capitalised words, none of them a word for a group."""
    words = name.split()
    return 2 <= len(words) <= 4 and all(
        word[:1].isupper() and word.lower().strip(".,") not in _GROUP_WORDS for word in words
    )


def _top_files(tree: Path, pattern: re.Pattern[str]) -> list[Path]:
    return sorted(
        path for path in tree.iterdir() if pattern.fullmatch(path.name) and path.is_file() and not path.is_symlink()
    )
