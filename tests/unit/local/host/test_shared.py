from pathlib import Path

import pytest

from hypershift.local.host.shared import FORWARDING_V6, WANTED_SYSCTLS, Host, bridge_filter

BRIDGE_FILTER = bridge_filter("iptables")


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


def test_a_host_that_forwards_ipv6_goes_on_learning_from_its_routers(host: Host) -> None:
    links = {"eth0.100": 1, "hypershift0": 1, "hsa761c674cf333": 1, "lo": 1, "wlan0": 2}
    for name, accepts in links.items():
        path = host.sysctls / "net/ipv6/conf" / name / "accept_ra"
        path.parent.mkdir(parents=True)
        path.write_text(f"{accepts}\n")
    (host.sysctls / "net/ipv6/conf/all").mkdir()
    (host.sysctls / FORWARDING_V6.replace(".", "/")).write_text("0\n")
    host.claim(Path("/a"), ())
    assert FORWARDING_V6 not in host.raise_sysctls()
    changed = host.raise_sysctls(ipv6=True)
    assert list(changed.items()) == [("net/ipv6/conf/eth0.100/accept_ra", 2), (FORWARDING_V6, 1)]
    assert host.raise_sysctls(ipv6=True) == {}
    (host.sysctls / "net/ipv6/conf/wlan0/accept_ra").unlink()
    host.release(0)
    learning = host.sysctls / "net/ipv6/conf/eth0.100/accept_ra"
    assert (value(host, FORWARDING_V6), learning.read_text()) == (0, "1\n")


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


def test_the_packet_filter_of_ipv6_is_switched_off_too(host: Host) -> None:
    name = bridge_filter("ip6tables")
    (host.sysctls / name.replace(".", "/")).write_text("1\n")
    switch = host.links / "docker0" / "bridge" / "nf_call_ip6tables"
    switch.parent.mkdir(parents=True)
    switch.write_text("0\n")
    host.claim(Path("/a"), ())
    assert host.switch_bridge_filter_off()
    assert (value(host, name), switch.read_text()) == (0, "1\n")
    host.release(0)
    assert (value(host, name), switch.read_text()) == (1, "0\n")


def test_a_host_without_a_bridge_filter_needs_no_switch(host: Host) -> None:
    (host.sysctls / BRIDGE_FILTER.replace(".", "/")).unlink()
    assert not host.switch_bridge_filter_off()
