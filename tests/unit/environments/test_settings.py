"""What is read from the host: uids, registry settings, the runtime area."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from environments.network import open_registry
from environments.runtime import Runtime
from environments.usermap import PLAIN_UID, SLICES, VARIABLE, UserMap, current_users
from taskpack.errors import SandboxUnavailable

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="a plain user drops to nobody else")


@as_root
def test_root_drops_to_the_fixed_uid_or_to_the_one_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert current_users() == UserMap(uid=PLAIN_UID, gid=PLAIN_UID, dropped=True, slices=SLICES)
    monkeypatch.setenv(VARIABLE, "70000")
    assert current_users().describe() == "0 70000 1\n1 70001 60000\n"


@as_root
@pytest.mark.parametrize("value", ["0", "999", "-5", "nobody", "4294967295", ""])
def test_uid_that_cannot_be_dropped_to_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(SandboxUnavailable, match=VARIABLE):
        current_users()


@as_root
def test_uid_that_the_system_does_not_map_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_: "         0     100000      65536\n")
    with pytest.raises(SandboxUnavailable, match="no uid"):
        current_users()


@as_root
@pytest.mark.parametrize(("ids", "slices"), [(60_001, 1), (120_001, 1), (120_002, 2), (10**7, SLICES)])
def test_a_small_map_gives_fewer_slices(monkeypatch: pytest.MonkeyPatch, ids: int, slices: int) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_: f"0 0 1000\n1000 500000 {ids}\n")
    monkeypatch.setenv(VARIABLE, "1000")
    assert current_users().slices == slices


def test_slices_share_no_id_and_stay_below_the_last_one() -> None:
    users = UserMap(uid=PLAIN_UID, gid=PLAIN_UID, dropped=True, slices=SLICES)
    seen: set[range] = set()
    for number in range(SLICES):
        first, mapped, count = users.slice(number).describe().splitlines()[1].split()
        assert first == "1"
        span = range(users.slice(number).uid, int(mapped) + int(count))
        assert all(span.stop <= other.start or other.stop <= span.start for other in seen)
        assert users.uid <= span.start
        assert span.stop - 1 <= users.last < 2**31
        seen.add(span)


def test_registry_settings_go_inside_with_the_folders_that_they_name(tmp_path: Path) -> None:
    home, wheels, index = tmp_path / "home", tmp_path / "wheels", tmp_path / "index" / "simple"
    for folder in (home / ".config/pip", wheels, index):
        folder.mkdir(parents=True)
    (home / ".config/pip/pip.conf").write_text(f"[global]\nextra-index-url = file://{index}\ntimeout = 7\n")
    (tmp_path / "named.conf").write_text("[global]\ntimeout = 9\n")
    environ = {
        "HOME": str(home),
        "PIP_CONFIG_FILE": str(tmp_path / "named.conf"),
        "PIP_FIND_LINKS": str(wheels),
        "UV_DEFAULT_INDEX": "https://index.invalid/simple",
        "PIP_TARGET": "/elsewhere",
        "AWS_SECRET_ACCESS_KEY": "host",
    }
    etc = tmp_path / "etc"
    etc.mkdir()
    access = open_registry(etc, environ=environ)
    assert sorted(access.env) == ["PIP_FIND_LINKS", "UV_DEFAULT_INDEX"]
    shown = {mount.dest for mount in access.mounts}
    assert {str(wheels), str(index.parent)} <= shown
    assert not {str(home), str(tmp_path), "/"} & shown
    assert not any(mount.writable for mount in access.mounts)
    written = (etc / "pip.conf").read_text()
    assert "timeout = 9" in written
    assert f"extra-index-url = file://{index}" in written


def test_on_another_usr_the_hosts_certificates_come_along_and_settings_name_their_new_place(tmp_path: Path) -> None:
    etc = tmp_path / "etc"
    (etc / "ssl/certs").mkdir(parents=True)
    (etc / "ssl/certs/of-the-base.pem").touch()
    named = "/usr/bin/env"
    access = open_registry(etc, environ={"SSL_CERT_FILE": named, "PIP_CERT": "/nowhere"}, hosts_usr=False)
    assert access.env == {"SSL_CERT_FILE": "/etc/from-usr/bin/env", "PIP_CERT": "/nowhere"}
    assert (etc / "from-usr/bin/env").read_bytes() == Path(named).read_bytes()
    if Path("/etc/ssl/certs").is_dir():
        assert not (etc / "ssl/certs/of-the-base.pem").exists()
        assert not any(path.is_symlink() for path in (etc / "ssl/certs").iterdir())
    (tmp_path / "other").mkdir()
    assert open_registry(tmp_path / "other", environ={"SSL_CERT_FILE": named}).env == {"SSL_CERT_FILE": named}


def test_whole_top_folder_is_never_shown_to_a_client(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    access = open_registry(tmp_path / "etc", environ={"PIP_FIND_LINKS": "/root /home file:///opt"})
    assert not {"/root", "/home", "/opt", "/"} & {mount.dest for mount in access.mounts}


@pytest.mark.parametrize("fault", ["open", "link"])
def test_runtime_area_that_someone_prepared_is_refused(tmp_path: Path, fault: str) -> None:
    area = tmp_path / "area"
    if fault == "open":
        area.mkdir()
        area.chmod(0o777)
    else:
        (tmp_path / "other").mkdir(mode=0o700)
        area.symlink_to(tmp_path / "other")
    with pytest.raises(SandboxUnavailable, match="not ours alone"):
        Runtime(UserMap(uid=os.geteuid(), gid=os.getegid(), dropped=False), area=area)


@as_root
def test_runtime_area_of_another_owner_is_refused(tmp_path: Path) -> None:
    area = tmp_path / "area"
    area.mkdir(mode=0o700)
    os.chown(area, 12345, 12345)
    with pytest.raises(SandboxUnavailable, match="not ours alone"):
        Runtime(current_users(), area=area)


@as_root
def test_runtime_area_lets_the_dropped_uid_pass_and_nobody_else(tmp_path: Path) -> None:
    runtime = Runtime(UserMap(uid=70000, gid=70000, dropped=True), area=tmp_path / "area")
    for folder in (runtime.area, runtime.area / "owners", runtime.own, runtime.new_run()):
        info = folder.stat()
        assert (info.st_uid, info.st_gid, info.st_mode & 0o777) == (0, 70000, 0o710)
    runtime.close()
    assert not runtime.own.exists()


def test_kept_things_are_copied_once(tmp_path: Path) -> None:
    source = tmp_path / "closed" / "source"
    source.mkdir(parents=True)
    (source / "file").write_text("x")
    (tmp_path / "closed").chmod(0o700)
    users = UserMap(uid=os.geteuid(), gid=os.getegid(), dropped=os.geteuid() == 0)
    runtime = Runtime(users, area=tmp_path / "area")
    place = runtime.keep(source, "a" * 64)
    assert (place / "file").read_text() == "x"
    if users.dropped:
        assert place == tmp_path / "area" / "kept" / ("a" * 64)
        stamp = place.stat().st_mtime_ns
        again = Runtime(users, area=tmp_path / "area")
        assert again.keep(source, "a" * 64).stat().st_mtime_ns == stamp
        again.close()
    runtime.close()
