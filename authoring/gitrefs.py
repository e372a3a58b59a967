"""What a branch or tag of a repository is now: the names that it offers, and nothing of its content."""

from __future__ import annotations

import re

from authoring.gitprocess import GitSaidNo, TooMuch, run_git
from authoring.giturl import check_repository, check_url, local_path
from authoring.members import printable
from environments.runtime import scratch
from taskpack.errors import BadInput, FetchFailed

_ASK_S = 60
_LONGEST_LIST = 1024 * 1024
_ROW = re.compile(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?)\t([^\n]+)")


def resolve_ref(url: str, ref: str) -> str:
    """The full id of the commit that `ref` (`refs/heads/...`, `refs/tags/...`) names now; a tag's object is peeled.

    Raises `BadInput` when the address is not taken or the repository has no such name, `FetchFailed` when it does not
    answer.
    """
    protocol, local = check_url(url), local_path(url)
    if local is not None:
        check_repository(local)
    with scratch() as folder:
        try:
            answer = run_git(
                folder,
                "ls-remote",
                "--quiet",
                "--",
                str(local or url),
                ref,
                f"{ref}^{{}}",
                protocol=protocol,
                local_source=local,
                seconds=_ASK_S,
                most=_LONGEST_LIST,
            )
        except (GitSaidNo, TooMuch) as error:
            raise _silent(url, ref, error) from error
    # A pattern also matches the ends of longer names, so only the whole name counts.
    ids: dict[str, str] = {name.decode("utf-8", "replace"): oid.decode() for oid, name in _ROW.findall(answer)}
    commit = ids.get(f"{ref}^{{}}") or ids.get(ref)
    if commit is None:
        raise BadInput(
            f"the repository has no {_spoken(ref)}",
            details={"repository": url[:200], "looked for": ref},
            remedy="correct the branch or tag in order.toml; case counts, and a short commit id is no name",
        )
    return commit


def _spoken(ref: str) -> str:
    if not ref.startswith("refs/"):
        return ref
    kind = "branch" if ref.startswith("refs/heads/") else "tag"
    return f"{kind} `{ref.split('/', 2)[2]}`"


def _silent(url: str, ref: str, error: GitSaidNo | TooMuch) -> FetchFailed:
    said = error.stderr if isinstance(error, GitSaidNo) else str(error)
    late = isinstance(error, GitSaidNo) and error.late
    return FetchFailed(
        f"the repository did not say what its {_spoken(ref)} is",
        details={"repository": url[:200], "git said": f"nothing for {_ASK_S} s" if late else printable(said[-200:])},
        remedy="check address and access, then run the same command again",
    )
