"""Which commit a branch or a tag of a repository is now, so that an order can name it whole."""

from __future__ import annotations

import contextlib
import re

from authoring.gitrefs import resolve_ref
from authoring.giturl import check_url
from taskpack.errors import BadInput

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def whole_commit(url: str, ref: str) -> str:
    """The full id of the commit that `ref` names in the repository: a tag, a branch, or `HEAD` when it is empty.

    A full id is taken as it is. Raises `BadInput` when the address is not taken, there is no such name, or a tag and a
    branch of that name differ; `FetchFailed` when the repository does not answer.
    """
    check_url(url)
    if _COMMIT.fullmatch(ref):
        return ref
    found = _named(url, ref)
    if not found:
        raise BadInput(
            f"the repository has no tag or branch {ref or 'HEAD'}",
            details={"repository": url[:200]},
            remedy="correct the name (case counts), or give the full commit id",
        )
    if len(set(found.values())) > 1:
        raise BadInput(
            f"the repository has a tag and a branch {ref}, and they differ",
            details=found,
            remedy="give the full commit id",
        )
    return next(iter(found.values()))


def _named(url: str, ref: str) -> dict[str, str]:
    """What the tag and the branch `ref` are, as far as there are any."""
    found: dict[str, str] = {}
    for kind, name in (("tag", f"refs/tags/{ref}"), ("branch", f"refs/heads/{ref}")) if ref else (("HEAD", "HEAD"),):
        with contextlib.suppress(BadInput):
            found[kind] = resolve_ref(url, name)
    return found
