"""The replay provider: what was answered once, from the reply store. It asks nobody."""

from __future__ import annotations

from dataclasses import dataclass

from providers.interface import Reply, Request
from providers.replies import ReplyStore
from taskpack.errors import ReplyMissing


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Replies of a case that was drafted before."""

    store: ReplyStore
    strict: bool = False
    """Refuse replies whose request has changed."""
    name: str = "replay"

    def ask(self, request: Request) -> Reply:
        """The stored reply. Raises `ReplyMissing` when there is none, `BadInput` for drift under `strict`."""
        reply = self.store.replay(request, strict=self.strict)
        if reply is None:
            raise ReplyMissing(
                f"no reply to {request.id} is stored",
                details={"looked for": str(self.store.path(request))},
                remedy=f"repowright author {request.case_id} --provider mailbox",
            )
        return reply
