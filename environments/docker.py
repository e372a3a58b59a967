"""A container engine in our words, through the Docker SDK, which is imported here alone.

Every call has a time limit; whatever goes wrong in one is `SandboxFailed`, because it is outside the code in a
container.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
import docker.errors
import docker.types
import urllib3

from environments.connections import FORGETTING
from taskpack.errors import SandboxFailed, SandboxUnavailable

VARIABLE = "REPOWRIGHT_DOCKER"
"""Names the engine's socket; before `DOCKER_HOST` and the usual place."""
_USUAL = "/var/run/docker.sock"
_CALL_S = 60.0
"""How long the engine may take for an answer. It takes milliseconds, but for an import."""
_IMPORT_S = 900.0
_REMEDY = "see whether the engine runs: docker info; then run the same command again"


@dataclass(frozen=True, kw_only=True)
class Bind:
    """A folder or file of this machine, shown inside."""

    source: Path
    dest: str
    writable: bool = False


@dataclass(frozen=True, kw_only=True)
class Container:
    """What a container is made of. Sizes are bytes."""

    image: str
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    user: str
    """`uid:gid`."""
    capabilities: Sequence[str]
    network: bool
    binds: Sequence[Bind]
    tmpfs: Mapping[str, str]
    """Place -> mount options."""
    shm: int
    memory: int
    processes: int
    ulimits: Mapping[str, int]
    seccomp: str
    labels: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Ending:
    """What the engine knows of a container that has ended."""

    code: int
    out_of_memory: bool
    """The kernel killed something in it, at whatever time."""
    was_killed: bool
    """Somebody, we included, told the engine to kill or stop it."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """What a running container uses."""

    cpu_s: float
    processes: int
    out_of_memory: bool


@dataclass(frozen=True, kw_only=True)
class EngineFacts:
    """What matters to us about an engine."""

    version: str
    cgroup: str
    """`1` or `2`."""
    user_namespaces: bool
    """userns-remap: root inside is nobody outside."""
    rootless: bool
    seccomp: bool

    def describe(self) -> str:
        words = [f"Docker {self.version}", f"cgroup v{self.cgroup}"]
        words.append("uids remapped" if self.user_namespaces else "uids not remapped")
        return ", ".join(words + (["rootless"] if self.rootless else []))


class Attached:
    """A connection that the engine gave up to us: a socket of our own, which the SDK knows nothing of any more."""

    def __init__(self, given: Any) -> None:
        self.socket = socket.socket(fileno=os.dup(given.fileno()))
        self.socket.settimeout(None)  # a program may be silent for as long as it wants
        given._response.close()  # noqa: SLF001 (else its end of the socket stays open)
        given.close()

    def close(self) -> None:
        self.socket.close()


def engine_address() -> str:
    """Which engine is meant: `unix://…` as `REPOWRIGHT_DOCKER` or `DOCKER_HOST` say, else the usual socket.

    Raises `SandboxUnavailable` for an engine that is not on this machine: it could not see our files.
    """
    named = os.environ.get(VARIABLE) or os.environ.get("DOCKER_HOST") or f"unix://{_USUAL}"
    address = f"unix://{named}" if named.startswith("/") else named
    if not address.startswith("unix://"):
        raise SandboxUnavailable(
            "the container engine must be on this machine",
            details={"address": address},
            remedy=f"name the socket of one: {VARIABLE}=unix:///path/to/docker.sock",
        )
    return address


class Engine:
    """An engine that answers. Raises `SandboxUnavailable` when none does; any thread may call."""

    def __init__(self, address: str) -> None:
        self.address = address
        try:
            self._knock()
            self._api = docker.APIClient(base_url=address, version="auto", timeout=_CALL_S)
            self.facts = _facts(self._api.info())
        except (docker.errors.DockerException, OSError, urllib3.exceptions.HTTPError) as error:
            raise SandboxUnavailable(
                "no container engine answers",
                details={"address": address, "fact": _said(error)},
                remedy=f"start one, or name its socket with {VARIABLE}",
            ) from error

    def close(self) -> None:
        self._api.close()

    def has_image(self, tag: str) -> bool:
        """Whether an image has this name."""
        with self._asked("looked for an image"):
            return bool(self._api.images(name=tag, quiet=True))

    def import_image(self, tar: Path, repository: str, tag: str) -> None:
        """Make an image of one layer from a root file system."""
        with self._asked("imported the root file system"):
            slow = docker.APIClient(base_url=self.address, version="auto", timeout=_IMPORT_S)
            try:
                with tar.open("rb") as file:
                    said = slow.import_image_from_data(file, repository=repository, tag=tag)
            finally:
                slow.close()
            for line in said.splitlines():
                if "error" in json.loads(line):
                    raise docker.errors.DockerException(json.loads(line)["error"])

    def create(self, wanted: Container) -> str:
        """Make a container, not yet started; its id."""
        with self._asked("made a container"):
            host = self._api.create_host_config(
                network_mode="host" if wanted.network else "none",
                read_only=True,
                cap_drop=["ALL"],
                cap_add=list(wanted.capabilities) or None,
                security_opt=["no-new-privileges", f"seccomp={wanted.seccomp}"],
                init=True,
                sysctls=None if wanted.network else dict(FORGETTING),
                ipc_mode="private",
                pids_limit=wanted.processes,
                mem_limit=wanted.memory,
                memswap_limit=wanted.memory,
                oom_kill_disable=False,
                shm_size=wanted.shm,
                tmpfs=dict(wanted.tmpfs),
                mounts=[_mount(bind) for bind in wanted.binds],
                ulimits=[docker.types.Ulimit(name=name, soft=top, hard=top) for name, top in wanted.ulimits.items()],
                log_config=docker.types.LogConfig(type="none"),
            )
            made = self._api.create_container(
                wanted.image,
                list(wanted.argv),
                user=wanted.user,
                environment=dict(wanted.env),
                working_dir=wanted.cwd,
                hostname="sandbox",
                stdin_open=True,
                tty=False,
                labels=dict(wanted.labels),
                host_config=host,
            )
            return str(made["Id"])

    def attach(self, container: str, *streams: str) -> Attached:
        """A connection to some of `stdin`, `stdout`, `stderr`, before the start."""
        with self._asked("attached to a container"):
            return Attached(self._api.attach_socket(container, params=dict.fromkeys([*streams, "stream"], 1)))

    def start(self, container: str) -> int:
        """Start it; its first process, as the engine counts."""
        with self._asked("started a container"):
            self._api.start(container)
            return int(self._api.inspect_container(container)["State"]["Pid"])

    def kill(self, container: str) -> None:
        """End it at once. One that has ended is no fault."""
        with self._asked("killed a container"), _unless_gone():
            self._api.kill(container)

    def remove(self, container: str) -> None:
        """Take it away, running or not, with its anonymous volumes."""
        with self._asked("removed a container"), _unless_gone():
            self._api.remove_container(container, v=True, force=True)

    def await_end(self, container: str, timeout_s: float) -> Ending:
        """Wait for its end; how it came to it."""
        with self._asked("told how a container ended"):
            code = int(self._api.wait(container, timeout=timeout_s)["StatusCode"])
            self._knock()
            state = self._api.inspect_container(container)["State"]
            return Ending(code=code, out_of_memory=bool(state["OOMKilled"]), was_killed=self._was_killed(container))

    def sample(self, container: str) -> Sample | None:
        """What it uses now; None when it has ended."""
        with self._asked("told what a container uses"):
            state = self._api.inspect_container(container)["State"]
            used = self._api.stats(container, stream=False, one_shot=True)
        pids = used.get("pids_stats", {}).get("current")
        if not state["Running"] or pids is None:
            return None
        cpu_s = used["cpu_stats"]["cpu_usage"]["total_usage"] / 1e9
        return Sample(cpu_s=cpu_s, processes=pids, out_of_memory=bool(state["OOMKilled"]))

    def labelled(self, label: str, *, value_of: str) -> Mapping[str, str]:
        """Every container with `label` (`name=value`), running or not, and what its label `value_of` says."""
        with self._asked("listed its containers"):
            found = self._api.containers(all=True, filters={"label": label})
            return {str(row["Id"]): str(row["Labels"].get(value_of, "")) for row in found}

    def _was_killed(self, container: str) -> bool:
        past = self._api.events(
            since=0,
            until=f"{time.time():.6f}",  # in the future, it would wait for that time
            filters={"container": container, "event": ["kill"]},
            decode=True,
        )
        with contextlib.closing(past):
            return any(True for _ in past)

    def _knock(self) -> None:
        """Raise `OSError` when nobody listens: the SDK leaves its socket open then."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(_CALL_S)
            client.connect(self.address.removeprefix("unix://"))

    @contextlib.contextmanager
    def _asked(self, deed: str) -> Iterator[None]:
        try:
            self._knock()
            yield
        except (docker.errors.DockerException, OSError, urllib3.exceptions.HTTPError, ValueError, KeyError) as error:
            raise SandboxFailed(
                f"the container engine has not {deed}",
                details={"engine": self.address, "fact": _said(error)},
                remedy=_REMEDY,
            ) from error


def _facts(info: Mapping[str, Any]) -> EngineFacts:
    options = [str(option) for option in info.get("SecurityOptions") or ()]
    return EngineFacts(
        version=str(info.get("ServerVersion")),
        cgroup=str(info.get("CgroupVersion", "1")),
        user_namespaces=any("name=userns" in option for option in options),
        rootless=any("name=rootless" in option for option in options),
        seccomp=any("name=seccomp" in option for option in options),
    )


def _mount(bind: Bind) -> Any:
    return docker.types.Mount(
        target=bind.dest, source=str(bind.source), type="bind", read_only=not bind.writable, propagation="rprivate"
    )


@contextlib.contextmanager
def _unless_gone() -> Iterator[None]:
    """Not there, not running, or on its way out: that is what was wanted."""
    try:
        yield
    except docker.errors.APIError as error:
        if error.response is None or error.response.status_code not in {404, 409}:
            raise


def _said(error: Exception) -> str:
    return str(getattr(error, "explanation", None) or error)[:400]
