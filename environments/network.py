"""What registry clients need inside a sandbox with the network: names, certificates, their settings."""

from __future__ import annotations

import configparser
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from environments.interface import Mount

_CLIENT_NAMES = re.compile(
    r"PIP_(INDEX_URL|EXTRA_INDEX_URL|NO_INDEX|FIND_LINKS|TRUSTED_HOST|CERT|CLIENT_CERT|PROXY|TIMEOUT|DEFAULT_TIMEOUT"
    r"|RETRIES|CONSTRAINT|DISABLE_PIP_VERSION_CHECK)"
    r"|UV_(DEFAULT_INDEX|INDEX|INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|INDEX_STRATEGY|INSECURE_HOST|NATIVE_TLS"
    r"|SYSTEM_CERTS|HTTP_TIMEOUT|HTTP_RETRIES)"
    r"|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE"
    r"|(HTTP|HTTPS|ALL|NO|http|https|all|no)_(PROXY|proxy)"
)
_ETC_COPIES = (
    "resolv.conf",
    "hosts",
    "ssl/certs",
    "ssl/openssl.cnf",
    "pki/tls/certs",
    "pki/ca-trust/extracted",
)


_FROM_USR = "from-usr"


@dataclass(frozen=True, kw_only=True)
class RegistryAccess:
    """Environment variables and read-only mounts for a registry client."""

    env: Mapping[str, str]
    mounts: tuple[Mount, ...]


def open_registry(etc: Path, *, environ: Mapping[str, str], hosts_usr: bool = True) -> RegistryAccess:
    """Add the host's names, certificates and pip settings to `etc`; give the variables and folders they name.

    Without `hosts_usr` the sandbox has another /usr: what settings name there is copied below /etc, and renamed in
    them. Whoever runs with this can read the settings, credentials in index addresses included.
    """
    for name in _ETC_COPIES:
        _copy(Path("/etc", name), etc / name)
    settings = configparser.RawConfigParser(strict=False)
    settings.read(_pip_files(environ), "utf-8")
    env = {name: value for name, value in environ.items() if _CLIENT_NAMES.fullmatch(name)}
    values = [
        *env.values(),
        *(value for section in settings.sections() for _, value in settings.items(section)),
    ]
    mounts: dict[str, Mount] = {}
    moved: dict[str, str] = {}
    for path in sorted(_local_paths(values)):
        if path.is_relative_to("/etc"):
            _copy(path, etc / path.relative_to("/etc"))
        elif path.is_relative_to("/usr") and not hosts_usr:
            _copy(path, etc / _FROM_USR / path.relative_to("/usr"))
            moved[str(path)] = f"/etc/{_FROM_USR}/{path.relative_to('/usr')}"
        elif not path.is_relative_to("/usr") and not any(path.is_relative_to(other) for other in mounts):
            mounts[str(path)] = Mount(source=path, dest=str(path))
    env = {name: _renamed(value, moved) for name, value in env.items()}
    for section in settings.sections():
        for key, value in settings.items(section):
            settings.set(section, key, _renamed(value, moved))
    with (etc / "pip.conf").open("w", encoding="utf-8") as file:
        settings.write(file)
    (etc / "pip.conf").chmod(0o644)
    for here, _, _ in os.walk(etc):
        Path(here).chmod(0o755)
    return RegistryAccess(env=env, mounts=tuple(mounts.values()))


def _renamed(text: str, moved: Mapping[str, str]) -> str:
    """`text` with the longest of the moved paths that it names in their new places."""
    for path in sorted(moved, key=len, reverse=True):
        if path in text:
            return text.replace(path, moved[path])
    return text


def _pip_files(environ: Mapping[str, str]) -> list[Path]:
    """pip's own search order: the system, the user, the named file; later ones win."""
    home = Path(environ.get("HOME", "/nonexistent"))
    system = [Path(folder, "pip/pip.conf") for folder in environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":")]
    user = [
        home / ".pip/pip.conf",
        Path(environ.get("XDG_CONFIG_HOME", str(home / ".config")), "pip/pip.conf"),
    ]
    named = [Path(environ["PIP_CONFIG_FILE"])] if environ.get("PIP_CONFIG_FILE") else []
    return [*system, Path("/etc/pip.conf"), *user, *named]


def _local_paths(values: list[str]) -> set[Path]:
    """Files and folders of this host that settings name, plainly or as a `file:` address.

    An index on disk serves files from beside its pages, so its parent counts too; a whole top folder never does.
    """
    found: set[Path] = set()
    for word in (word for value in values for word in value.split()):
        path = Path(word.removeprefix("file://"))
        if path.is_absolute() and path.exists():
            found |= {path, path.parent} if word.startswith("file://") and path.is_dir() else {path}
    return {path for path in found if len(path.parts) > 2}


def _copy(source: Path, dest: Path) -> None:
    """A file, unless `dest` has one; a folder in the place of what `dest` has, its links as what they lead to."""
    if source.is_dir():
        shutil.rmtree(dest, ignore_errors=True)
        shutil.copytree(source, dest, ignore_dangling_symlinks=True)
    elif source.is_file() and not dest.exists():
        dest.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, dest)
        dest.chmod(0o644)
