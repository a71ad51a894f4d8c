"""Names of Services in the files that the resolver and the host read."""

import asyncio
from pathlib import Path

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.kube.cache import Cache
from hypershift.local.cluster.plan import Plan
from hypershift.local.controllers.names import Names, addresses
from hypershift.local.host.names import HostNames

MARK = "external-dns.alpha.kubernetes.io/hostname"


def a_service(name: str, called: str, address: str, made: str = "2026-01-01") -> Manifest:
    return {
        "metadata": {
            "name": name,
            "namespace": "clusters-demo",
            "creationTimestamp": made,
            "annotations": {MARK: called},
        },
        "spec": {"type": "LoadBalancer"},
        "status": {"loadBalancer": {"ingress": [{"ip": address}] if address else []}},
    }


def test_every_name_of_a_service_leads_to_its_address() -> None:
    found = addresses(
        [a_service("router", "api.hosted.hypershift.local, B.hosted.hypershift.local", "192.0.2.1")]
    )
    assert found == {
        "api.hosted.hypershift.local": "192.0.2.1",
        "b.hosted.hypershift.local": "192.0.2.1",
    }


def test_a_name_of_somebody_else_is_not_taken() -> None:
    outside = (
        "registry.hypershift.local,example.com,hosted.hypershift.local,a b.hosted.hypershift.local"
    )
    assert addresses([a_service("router", outside, "192.0.2.1")]) == {}


def test_the_older_of_two_services_keeps_the_name() -> None:
    name = "api.hosted.hypershift.local"
    younger = a_service("a", name, "192.0.2.1", "2026-01-02")
    older = a_service("b", name, "192.0.2.2", "2026-01-01")
    assert addresses([younger, older]) == {name: "192.0.2.2"}


def test_a_service_without_an_address_has_no_name_yet() -> None:
    assert addresses([a_service("router", "api.hosted.hypershift.local", "")]) == {}


def test_a_second_pass_writes_nothing_and_the_hosts_own_lines_stay(tmp_path: Path) -> None:
    file, host = tmp_path / "hosts", tmp_path / "etc-hosts"
    host.write_text("127.0.0.1 localhost\n")
    block = HostNames(3, host, tmp_path / "lock")
    names = Names(Plan(3), file, block)
    cache = Cache()
    service = a_service("router", "api.hosted.hypershift.local", "192.0.2.1")
    cache.upsert(service)
    asyncio.run(names.sync({kinds.SERVICE: cache}))
    written = (file.stat().st_mtime_ns, host.stat().st_mtime_ns)
    assert "192.0.2.1 api.hosted.hypershift.local\n" in file.read_text()
    assert host.read_text().startswith("127.0.0.1 localhost\n# hypershift-local 3 begin\n")
    asyncio.run(names.sync({kinds.SERVICE: cache}))
    assert (file.stat().st_mtime_ns, host.stat().st_mtime_ns) == written
    block.keep({})
    assert host.read_text() == "127.0.0.1 localhost\n"


def test_blocks_of_two_clusters_do_not_touch_each_other() -> None:
    one, two = HostNames(1), HostNames(2)
    text = two.changed(one.changed("", {"a.test": "192.0.2.1"}), {"b.test": "192.0.2.2"})
    assert one.changed(text, {}) == two.changed("", {"b.test": "192.0.2.2"})


def leading(called: str, address: str) -> Manifest:
    found = a_service("shared-ingress", called, "")
    return found | {"spec": {"type": "ExternalName", "externalName": address}}


def test_a_service_may_lead_to_the_address_of_the_ingress_that_clusters_share() -> None:
    name = "api.hosted.hypershift.local"
    router = a_service("router", "", "192.0.2.1")
    assert addresses([leading(name, "192.0.2.1"), router]) == {name: "192.0.2.1"}


def test_a_service_leads_to_no_address_that_is_not_a_balancers() -> None:
    assert addresses([leading("api.hosted.hypershift.local", "198.51.100.7")]) == {}
