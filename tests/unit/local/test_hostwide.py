from pathlib import Path

import pytest

from hypershift.local.hostwide import WANTED_SYSCTLS, Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    host = Host(tmp_path / "host", tmp_path / "sys")
    for name in WANTED_SYSCTLS:
        path = host.sysctls / name.replace(".", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("0\n")
    return host


def value(host: Host, name: str) -> int:
    return int((host.sysctls / name.replace(".", "/")).read_text())


def test_each_directory_gets_an_index_and_keeps_it(host: Host) -> None:
    assert host.claim(Path("/a"), ()) == 0
    assert host.claim(Path("/b"), ()) == 1
    assert host.claim(Path("/a"), ()) == 0


def test_a_released_index_is_given_out_again(host: Host) -> None:
    host.claim(Path("/a"), ())
    host.claim(Path("/b"), ())
    host.release(0)
    assert host.claim(Path("/c"), ()) == 0


def test_sysctls_are_raised_and_come_back_when_the_last_cluster_leaves(host: Host) -> None:
    host.claim(Path("/a"), ())
    host.claim(Path("/b"), ())
    assert host.raise_sysctls() == WANTED_SYSCTLS
    assert host.raise_sysctls() == {}
    host.release(0)
    assert value(host, "net.ipv4.ip_forward") == 1
    host.release(1)
    assert all(value(host, name) == 0 for name in WANTED_SYSCTLS)
    assert not host.directory.exists()


def test_a_higher_value_is_left_alone(host: Host) -> None:
    (host.sysctls / "fs/inotify/max_user_instances").write_text("99999\n")
    assert "fs.inotify.max_user_instances" not in host.raise_sysctls()
    assert value(host, "fs.inotify.max_user_instances") == 99999
