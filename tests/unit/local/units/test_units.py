from pathlib import Path

import yaml

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units import PARTS, configure, registry, registry_push, resolver, units

WHERE = Layout(Path("/state/a"), "a")
BINARIES = {part: Path("/bin") / part for part in PARTS}


def test_units_of_two_clusters_listen_on_no_common_address() -> None:
    one = {unit.name: unit.probe for unit in units(WHERE, Plan(0), BINARIES)}
    other = {unit.name: unit.probe for unit in units(WHERE, Plan(1), BINARIES)}
    assert all(one[name] != other[name] for name in one)


def test_every_need_is_a_unit() -> None:
    known = units(WHERE, Plan(0), BINARIES)
    names = {unit.name for unit in known}
    assert all(need in names for unit in known for need in unit.needs)


def test_the_api_server_dials_services_by_endpoint_and_kubelets_by_address() -> None:
    api = next(unit for unit in units(WHERE, Plan(0), BINARIES) if unit.name == "kube-apiserver")
    assert "--enable-aggregator-routing=true" in api.argv
    assert "--kubelet-preferred-address-types=InternalIP" in api.argv
    assert "--bind-address=10.80.0.1" in api.argv


def test_the_resolver_asks_whom_the_host_asks() -> None:
    servers = resolver.upstreams("# x\nnameserver 10.0.0.2\noptions ndots:5\nnameserver ::1\n")
    assert servers == ("10.0.0.2", "::1")
    text = resolver.configuration(WHERE, Plan(0), servers)
    assert "forward . 10.0.0.2 ::1" in text
    assert "bind 10.80.0.1\n" in text
    both = resolver.configuration(WHERE, Plan(0, ipv6=True), servers)
    assert "bind 10.80.0.1 fd68:7370:80::1\n" in both


def test_configuring_twice_leaves_files_as_they_are(tmp_path: Path) -> None:
    where = Layout(tmp_path / "a", "a")
    where.make()
    configure(where, Plan(0), "nameserver 10.0.0.2\n")
    before = {path.name: path.stat().st_mtime_ns for path in where.config.iterdir()}
    configure(where, Plan(0), "nameserver 10.0.0.2\n")
    assert {path.name: path.stat().st_mtime_ns for path in where.config.iterdir()} == before
    assert "registry.hypershift.local" in (where.config / "hosts").read_text()


def test_the_registry_on_the_bridge_reads_and_the_one_on_the_loopback_takes_pushes() -> None:
    plan = Plan(3)
    bridge = yaml.safe_load(registry.configuration(WHERE, plan))
    pushes = yaml.safe_load(registry_push.configuration(WHERE, plan))
    assert bridge["http"]["addr"] == "10.83.0.1:5000"
    assert bridge["storage"]["maintenance"]["readonly"] == {"enabled": True}
    assert bridge["storage"]["delete"] == {"enabled": False}
    assert pushes["http"]["addr"] == "127.83.0.1:5000"
    assert "readonly" not in pushes["storage"]["maintenance"]
    assert bridge["storage"]["filesystem"] == pushes["storage"]["filesystem"]
