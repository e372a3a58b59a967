"""Every fault Repowright can name, each with an exit code of its own. `flows.main` catches them; nobody else does."""

from __future__ import annotations

from collections.abc import Mapping


class RepowrightError(Exception):
    """A fault with a name: the thing, the fact, the evidence, the next step.

    `details` are label -> value lines (evidence, log paths); `remedy` is one command or action.
    """

    exit_code = 70
    transient = False
    """Whether the same call may succeed later without anything being changed."""

    def __init__(self, message: str, *, details: Mapping[str, str] | None = None, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})
        self.remedy = remedy

    def render(self) -> str:
        """The error as a person reads it: the fact, aligned details, the next step last."""
        lines = [f"error: {self.message}"]
        rows = [*self.details.items(), *([("try", self.remedy)] if self.remedy else [])]
        width = max((len(label) for label, _ in rows), default=0)
        lines += [f"  {label:<{width}}  {value}" for label, value in rows]
        return "\n".join(lines)


class BadInput(RepowrightError):
    """A file, flag or value given by the user cannot be used."""

    exit_code = 2


class CaseNotFound(RepowrightError):
    """No such case folder, or it has no order."""

    exit_code = 2


class RecordUnreadable(RepowrightError):
    """A stored record is not JSON, has an unknown field, or is of another schema version."""

    exit_code = 4


class FetchFailed(RepowrightError):
    """A registry or repository did not give what was asked for."""

    exit_code = 5
    transient = True


class DigestMismatch(RepowrightError):
    """What arrived is not what was pinned."""

    exit_code = 6


class SandboxUnavailable(RepowrightError):
    """No sandbox back end passes its self-probe here: nothing untrusted may run."""

    exit_code = 7


class SandboxFailed(RepowrightError):
    """A sandbox could not be started or broke for a reason outside the code it ran."""

    exit_code = 8
    transient = True


class NoSpace(RepowrightError):
    """The disk is full or a quota is reached; what was written before is whole."""

    exit_code = 9


class CaseBusy(RepowrightError):
    """Another run holds the case's lock."""

    exit_code = 10
    transient = True


class ReplyMissing(RepowrightError):
    """The replay provider was asked for a reply that is not in the store."""

    exit_code = 11


class GateBroken(RepowrightError):
    """A gate's check raised. Nothing about the case was decided."""

    exit_code = 70


class ServerFailed(RepowrightError):
    """The Prefect server did not start, did not answer, or went away. Finished stages are kept."""

    exit_code = 13
    transient = True


class EnvironmentFailed(RepowrightError):
    """An environment could not be built from its lock."""

    exit_code = 12


class KeyRefused(RepowrightError):
    """There is no key for a model's vendor, or the vendor does not take it. Nothing was drafted with it."""

    exit_code = 15


class ProviderBusy(RepowrightError):
    """A model's vendor did not answer, is overloaded, or broke off. What was stored before is kept."""

    exit_code = 16
    transient = True


class RequestRefused(RepowrightError):
    """A model's vendor did not take a request, or answered with something that is no draft."""

    exit_code = 17


class BudgetReached(RepowrightError):
    """A limit of the order's `[drafting.budget]` is reached. Nothing more was sent; what is stored is kept."""

    exit_code = 18


class OutputLost(RepowrightError):
    """The result could not be written to standard output: its reader has gone, or the file cannot be written."""

    exit_code = 19
