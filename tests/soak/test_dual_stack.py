"""Hosted clusters with IPv4 and IPv6, and with IPv6 alone: pods, Services, names, policies."""

import ipaddress
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pytest
from tests.e2e import shop
from tests.e2e.embedded import Cluster, Manifest, a_pod, until
from tests.e2e.hosted import PATIENCE, Hosted, a_hosted_cluster
from tests.e2e.reaching import fetch

from hypershift.local.units.resolver import REGISTRY_HOST

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1500)]

NAME, ALONE = "dual", "six"
FAMILIES = ("IPv4", "IPv6")
RANGES_V6 = ("--cluster-cidr", "fd01::/48", "--service-cidr", "fd02::/112")


@pytest.fixture(scope="module")
def dual(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    if not cluster.spec.ipv6:
        pytest.skip("this host has no IPv6")
    files = tmp_path_factory.mktemp(NAME)
    with a_hosted_cluster(cluster, NAME, files, "--default-dual", nodes=2) as made:
        yield made


@pytest.fixture(scope="module")
def opened(dual: Hosted) -> Hosted:
    open_shop(dual, ipFamilyPolicy="RequireDualStack", ipFamilies=list(FAMILIES))
    return dual


@pytest.fixture(scope="module")
def alone(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    if not cluster.spec.ipv6:
        pytest.skip("this host has no IPv6")
    files = tmp_path_factory.mktemp(ALONE)
    with a_hosted_cluster(cluster, ALONE, files, *RANGES_V6, nodes=2) as made:
        open_shop(made)
        yield made


def test_nodes_and_pods_have_an_address_of_each_family(opened: Hosted) -> None:
    for node in opened.get("nodes"):
        inside = [one["address"] for one in node["status"]["addresses"] if is_internal(one)]
        assert versions(inside) == [4, 6]
        assert versions(node["spec"]["podCIDRs"]) == [4, 6]
    for pod in servers(opened):
        assert versions(one["ip"] for one in pod["status"]["podIPs"]) == [4, 6]


def test_the_control_plane_reports_both_ways(opened: Hosted) -> None:
    opened.await_condition("DataPlaneConnectionAvailable")
    opened.await_condition("ControlPlaneConnectionAvailable")


def test_pods_reach_pods_of_every_node_by_both_families(opened: Hosted) -> None:
    assert len({pod["spec"]["nodeName"] for pod in servers(opened)}) == 2
    for pod in servers(opened):
        for one in pod["status"]["podIPs"]:
            until(partial(is_told, opened, one["ip"], 8080, {pod["metadata"]["name"]}), PATIENCE)


def test_a_service_answers_by_both_of_its_addresses_and_by_name(opened: Hosted) -> None:
    spec = opened.get("service", "web", "-n", shop.NAMESPACE)["spec"]
    assert versions(spec["clusterIPs"]) == [4, 6]
    names = {pod["metadata"]["name"] for pod in servers(opened)}
    for address in (*spec["clusterIPs"], "web"):
        until(partial(is_told, opened, address, 80, names), PATIENCE)


def test_names_are_resolved_by_both_addresses_of_the_name_service(opened: Hosted) -> None:
    spec = opened.get("service", "kube-dns", "-n", "kube-system")["spec"]
    assert versions(spec["clusterIPs"]) == [4, 6]
    wanted = opened.get("service", "web", "-n", shop.NAMESPACE)["spec"]["clusterIPs"]
    for server in spec["clusterIPs"]:
        script = f"nslookup web.{shop.NAMESPACE}.svc.cluster.local {server}"
        said = opened.shell("asks", script, shop.NAMESPACE)
        assert all(address in said for address in wanted)


def test_the_world_reaches_a_service_by_both_families(opened: Hosted) -> None:
    def addresses() -> list[str] | None:
        status = opened.get("service", "web", "-n", shop.NAMESPACE)["status"]
        found = [one["ip"] for one in status["loadBalancer"].get("ingress") or ()]
        return found if len(found) == 2 else None

    found: list[str] = until(addresses, PATIENCE)
    assert versions(found) == [4, 6]
    for address in found:
        until(partial(fetch, f"http://{bracketed(address)}/"), PATIENCE)
        # From a pod, too, the packet leaves to the host and comes back.
        until(partial(ask, opened, address), PATIENCE)


def test_a_policy_closes_both_families_and_opens_a_range_of_each(opened: Hosted) -> None:
    pods = [one["ip"] for pod in servers(opened) for one in pod["status"]["podIPs"]]
    source = opened.get("pod", "asks", "-n", shop.NAMESPACE)["status"]["podIPs"]
    own = dict(zip(versions(one["ip"] for one in source), source, strict=True))
    opened.apply(shop.a_policy())
    until(lambda: not any(ask(opened, at, 8080) for at in pods), PATIENCE)
    for version, length in ((4, 32), (6, 128)):
        block = {"ipBlock": {"cidr": f"{own[version]['ip']}/{length}"}}
        opened.apply(shop.a_policy(ingress=[{"from": [block]}]))
        until(partial(are_reached, opened, pods, {version}), PATIENCE)
    opened.kubectl("delete", "networkpolicy", "closed", "-n", shop.NAMESPACE)
    until(partial(are_reached, opened, pods, {4, 6}), PATIENCE)


def test_a_service_of_ipv6_alone_has_one_address(opened: Hosted) -> None:
    service = shop.a_service(ipFamilyPolicy="SingleStack", ipFamilies=["IPv6"])
    service["metadata"]["name"] = "six"
    opened.apply(service)

    def address() -> str:
        status = opened.get("service", "six", "-n", shop.NAMESPACE)["status"]
        (found,) = status["loadBalancer"].get("ingress") or [{"ip": ""}]
        return str(found["ip"])

    at = until(address, PATIENCE)
    assert versions([at]) == [6]
    until(lambda: fetch(f"http://[{at}]/"), PATIENCE)
    opened.kubectl("delete", "service", "six", "-n", shop.NAMESPACE)


def test_a_cluster_of_ipv6_alone_has_no_other_address_inside(alone: Hosted) -> None:
    for node in alone.get("nodes"):
        inside = [one["address"] for one in node["status"]["addresses"] if is_internal(one)]
        assert versions((*inside, *node["spec"]["podCIDRs"])) == [6, 6]
    for pod in servers(alone):
        assert versions(one["ip"] for one in pod["status"]["podIPs"]) == [6]
    spec = alone.get("service", "web", "-n", shop.NAMESPACE)["spec"]
    assert versions(spec["clusterIPs"]) == [6]


def test_a_cluster_of_ipv6_alone_works(alone: Hosted) -> None:
    alone.await_condition("DataPlaneConnectionAvailable")
    alone.await_condition("ControlPlaneConnectionAvailable")
    names = {pod["metadata"]["name"] for pod in servers(alone)}
    until(partial(is_told, alone, "web", 80, names), PATIENCE)

    def address() -> str:
        status = alone.get("service", "web", "-n", shop.NAMESPACE)["status"]
        (found,) = status["loadBalancer"].get("ingress") or [{"ip": ""}]
        return str(found["ip"])

    at: str = until(address, PATIENCE)
    assert versions([at]) == [6]
    until(partial(fetch, f"http://[{at}]/"), PATIENCE)
    until(partial(ask, alone, at), PATIENCE)
    # A name outside the cluster, which the resolver of the host tells by IPv6.
    outside = f"nslookup {REGISTRY_HOST}"
    until(lambda: "10." in alone.shell("asks", outside, shop.NAMESPACE), PATIENCE)


def open_shop(guest: Hosted, **service: Any) -> None:
    """Two web servers on two nodes, and a pod that asks."""
    busybox = guest.management.busybox
    guest.apply(shop.a_namespace())
    asks = a_pod("asks", busybox, "exec sleep 100000")
    asks["metadata"]["namespace"] = shop.NAMESPACE
    guest.apply(shop.a_web_shop(busybox), shop.a_service(**service), asks)
    rollout = ("rollout", "status", "-n", shop.NAMESPACE, "deployment/web", "--timeout=300s")
    guest.kubectl(*rollout)
    ready = ("wait", "-n", shop.NAMESPACE, "pod/asks", "--for=condition=Ready", "--timeout=200s")
    guest.kubectl(*ready)


def servers(guest: Hosted) -> list[Manifest]:
    found: list[Manifest] = guest.get("pods", "-n", shop.NAMESPACE, "-l", "app=web")
    return found


def are_reached(guest: Hosted, pods: list[str], wanted: set[int]) -> bool:
    """Whether these pods answer by the wanted IP versions and by no other."""
    answers = [bool(ask(guest, at, 8080)) for at in pods]
    return answers == [version in wanted for version in versions(pods)]


def is_told(guest: Hosted, host: str, port: int, names: set[str]) -> bool:
    """Whether all of these answer there, and nobody else."""
    return {ask(guest, host, port) for _ in range(8 if len(names) > 1 else 1)} == names


def ask(guest: Hosted, host: str, port: int = 80) -> str:
    """What a web server tells a pod; empty when it does not answer."""
    script = f"timeout 3 wget -q -O - http://{bracketed(host)}:{port}/ || true"
    return guest.shell("asks", script, shop.NAMESPACE).strip()


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def is_internal(address: Manifest) -> bool:
    return bool(address["type"] == "InternalIP")


def versions(found: Iterable[str]) -> list[int]:
    """The IP versions of addresses or ranges, in order."""
    return [ipaddress.ip_network(one, strict=False).version for one in found]
