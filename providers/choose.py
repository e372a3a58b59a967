"""From a provider's name to the provider."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from providers.interface import Provider
from providers.mailbox import Mailbox
from providers.replay import Replay
from providers.replies import ReplyStore
from taskpack.errors import BadInput


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where a provider of one case keeps its things."""

    inbox: Path
    replies: Path
    strict: bool = False


_PROVIDERS: dict[str, Callable[[Places], Provider]] = {
    "mailbox": lambda at: Mailbox(inbox=at.inbox, store=ReplyStore(root=at.replies), strict=at.strict),
    "replay": lambda at: Replay(store=ReplyStore(root=at.replies), strict=at.strict),
}
NAMES = tuple(sorted(_PROVIDERS))


def provider_for(name: str, *, inbox: Path, replies: Path, strict: bool = False) -> Provider:
    """The provider called `name`. Raises `BadInput` that lists the names."""
    make = _PROVIDERS.get(name)
    if make is None:
        raise BadInput(
            f"there is no provider `{name[:80]}`",
            details={"providers": ", ".join(NAMES)},
            remedy="name one of them with --provider or in order.toml",
        )
    return make(Places(inbox=inbox, replies=replies, strict=strict))
