from pathlib import Path

import pytest

from hypershift.local.host.shared import BRIDGE_FILTER, WANTED_SYSCTLS, Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    host = Host(tmp_path / "host", tmp_path / "sys", tmp_path / "net")
    for name in (*WANTED_SYSCTLS, BRIDGE_FILTER):
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


def test_other_bridges_keep_their_packet_filter(host: Host) -> None:
    (host.sysctls / BRIDGE_FILTER.replace(".", "/")).write_text("1\n")
    switches = {
        name: host.links / name / "bridge" / "nf_call_iptables" for name in ("a0", "hypershift0")
    }
    for path in switches.values():
        path.parent.mkdir(parents=True)
        path.write_text("0\n")
    host.claim(Path("/a"), ())
    assert host.switch_bridge_filter_off()
    assert not host.switch_bridge_filter_off()
    assert value(host, BRIDGE_FILTER) == 0
    assert [path.read_text() for path in switches.values()] == ["1\n", "0\n"]
    host.release(0)
    assert value(host, BRIDGE_FILTER) == 1
    assert [path.read_text() for path in switches.values()] == ["0\n", "0\n"]
    assert not host.directory.exists()


def test_a_host_without_a_bridge_filter_needs_no_switch(host: Host) -> None:
    (host.sysctls / BRIDGE_FILTER.replace(".", "/")).unlink()
    assert not host.switch_bridge_filter_off()
