"""Which commit a branch or a tag of a repository is now, so that an order can name it whole."""

from __future__ import annotations

import re

from authoring.gitprocess import GitSaidNo, run_git
from authoring.giturl import check_url, local_path
from environments.runtime import scratch
from taskpack.errors import BadInput, FetchFailed

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ROW = re.compile(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?)\t([^\n]+)")


def whole_commit(url: str, ref: str) -> str:
    """The full id of the commit that `ref` names in the repository: a tag, a branch, or `HEAD` when it is empty.

    A full id is taken as it is. Raises `BadInput` when the address is not taken, there is no such name, or a tag and a
    branch of that name differ; `FetchFailed` when the repository does not answer.
    """
    if _COMMIT.fullmatch(ref):
        return ref
    protocol, local = check_url(url), local_path(url)
    names = (f"refs/tags/{ref}^{{}}", f"refs/tags/{ref}", f"refs/heads/{ref}") if ref else ("HEAD",)
    with scratch() as folder:
        try:
            ask = ("ls-remote", "--quiet", "--", str(local or url), *names)
            answer = run_git(folder, *ask, protocol=protocol, local_source=local, seconds=60)
        except GitSaidNo as error:
            raise FetchFailed(
                "the repository did not answer",
                details={"repository": url[:200], "git said": error.stderr[-300:].replace("\n", " / ")},
                remedy="check address and access, then run the same command again",
            ) from error
    # A pattern also matches the ends of longer names, so only whole names count.
    ids: dict[str, str] = {name.decode("utf-8", "replace"): oid.decode() for oid, name in _ROW.findall(answer)}
    found = [ids[name] for name in names if name in ids]
    if not found:
        raise BadInput(
            f"the repository has no tag or branch {ref or 'HEAD'}",
            details={"repository": url[:200]},
            remedy="correct the name (case counts), or give the full commit id",
        )
    branch = ids.get(names[-1])
    if branch and branch != found[0]:
        raise BadInput(
            f"the repository has a tag and a branch {ref}, and they differ",
            details={"tag": found[0], "branch": branch},
            remedy="give the full commit id",
        )
    return found[0]
