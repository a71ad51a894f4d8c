"""Pods of a control plane look for a way to the management cluster's network (H9)."""

import asyncio
import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.decoded import a_decoded_spec
from tests.lib.planes import a_cluster, controllers, furnish
from tests.lib.stage import Stage, play

from hypershift.kit import METADATA_RANGES, Manifest
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy import (
    Case,
    Ranges,
    Surroundings,
    policies,
)
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.ranges import (
    MOST_RANGES,
    NODE_GROUPS,
    node_ranges,
    pod_ranges,
    ranges_of,
)
from hypershift.runtime import condition_of

UP, SOON = 120.0, 30.0
PLATFORMS = ("None", "Local", "AWS", "Agent", "Azure", "GCP")


def a_node(number: int, **spec: Any) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"node-{number}"},
        "spec": {"podCIDRs": [f"10.244.{number}.0/24"], **spec},
        "status": {
            "addresses": [
                {"type": "InternalIP", "address": f"192.0.2.{number + 1}"},
                {"type": "Hostname", "address": f"node-{number}"},
            ]
        },
    }


NODES = [a_node(number) for number in range(3)]


def around(**changes: Any) -> Surroundings:
    known = {
        "api_addresses": ("198.51.100.7",),
        "cluster_ranges": ranges_of(NODES),
        "guards_metadata": True,
    }
    return Surroundings(**{**known, **changes})


def egress(platform: str, surroundings: Surroundings) -> list[dict[str, Any]]:
    spec = {"platform": {"type": platform}, "infraID": "x", "services": []}
    return [
        policy
        for policy in policies(Case(a_decoded_spec(spec), "clusters-demo", surroundings))
        if "egress" in policy["spec"]
    ]


def reaches(policy: Manifest, address: str, port: int = 443) -> bool:
    """Whether an address outside the namespace, on a port, is allowed by an ipBlock or a port."""
    target = ipaddress.ip_address(address)
    for rule in policy["spec"]["egress"]:
        ports = [each["port"] for each in rule.get("ports") or ()]
        if ports and port not in ports:
            continue
        if "to" not in rule:
            return True
        for peer in rule["to"]:
            if block := peer.get("ipBlock"):
                excepted = map(ipaddress.ip_network, block.get("except") or ())
                if target in ipaddress.ip_network(block["cidr"]) and not any(
                    target in each for each in excepted
                ):
                    return True
    return False


FORBIDDEN = (
    "10.244.0.9",  # a pod of another tenant
    "10.244.2.200",
    "192.0.2.1",  # a node
    "192.0.2.3",
    "198.51.100.7",  # the management API
    "169.254.169.254",  # metadata
    "168.63.129.16",
    "100.100.100.200",
    "fe80::1",
    "fd00:ec2::254",
)


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("address", FORBIDDEN)
def test_no_control_plane_pod_reaches_into_the_management_cluster(
    platform: str, address: str
) -> None:
    found = egress(platform, around())
    assert found
    assert [each["metadata"]["name"] for each in found if reaches(each, address)] == []


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(
    ("address", "port"),
    [
        ("203.0.113.9", 443),  # a cloud, a key service, an issuer
        ("192.0.2.250", 443),  # a load balancer on the network of the nodes
        ("10.245.0.1", 443),  # a neighbour of the pod range
        ("169.254.20.10", 53),  # a name server on each node
        ("10.244.0.9", 53),
    ],
)
def test_what_control_planes_need_stays_reachable(platform: str, address: str, port: int) -> None:
    assert all(reaches(each, address, port) for each in egress(platform, around()))


def test_blocked_ranges_add_to_what_is_blocked_and_replace_nothing() -> None:
    blocked = around(block_cidrs=("203.0.113.0/24",))
    for policy in egress("None", blocked):
        for address in ("203.0.113.9", *FORBIDDEN):
            assert not reaches(policy, address)


def test_an_ipv4_cluster_stays_closed_for_ipv6() -> None:
    assert not any(reaches(each, "2001:db8::1") for each in egress("None", around()))


def test_a_dual_stack_cluster_blocks_both_families() -> None:
    node = a_node(0, podCIDRs=["10.244.0.0/24", "2001:db8:1::/64"])
    (policy,) = egress("None", around(cluster_ranges=ranges_of([node])))
    assert reaches(policy, "2001:db8:2::1")
    for address in ("2001:db8:1::5", "fe80::1", "fd00:ec2::254", "10.244.0.9"):
        assert not reaches(policy, address)


def test_machines_that_are_pods_reach_neither_the_management_api_nor_metadata() -> None:
    service = {
        "service": "APIServer",
        "servicePublishingStrategy": {
            "type": "NodePort",
            "nodePort": {"address": "169.254.169.254"},
        },
    }
    spec = {"platform": {"type": "KubeVirt"}, "infraID": "x", "services": [service]}
    made = policies(Case(a_decoded_spec(spec), "clusters-demo", around()))
    machines = next(each for each in made if each["metadata"]["name"] == "virt-launcher")
    assert not reaches(machines, "198.51.100.7")
    assert not reaches(machines, "169.254.169.254")
    assert reaches(machines, "203.0.113.9")


def test_on_openshift_the_policies_of_the_original_keep_its_ranges() -> None:
    found = {
        each["metadata"]["name"]: each
        for each in egress("AWS", around(openshift=True, cluster_ranges=()))
    }
    (block,) = [
        peer["ipBlock"]
        for rule in found["management-kas"]["spec"]["egress"]
        for peer in rule.get("to") or ()
        if "ipBlock" in peer
    ]
    assert block["except"] == ["198.51.100.7/32"]


# Nodes come and go.


def test_nodes_of_a_large_cluster_come_and_go_without_another_policy() -> None:
    nodes = [a_node(number) for number in range(200)]
    known = ranges_of(nodes)
    assert known == ("10.244.0.0/16", "192.0.2.0/24")
    assert all(ranges_of(nodes[:gone] + nodes[gone + 1 :]) == known for gone in range(200))
    assert ranges_of([*nodes, a_node(201)]) == known


def test_a_node_that_is_covered_wakes_nobody() -> None:
    ranges = Ranges()
    assert not ranges.cover(a_node(1))
    ranges.learn([a_node(number) for number in range(MOST_RANGES + 8)])
    assert ranges.cover(a_node(MOST_RANGES + 9))
    assert not ranges.cover(a_node(0, podCIDRs=["10.99.0.0/24"]))


@given(st.lists(st.integers(0, 2**24 - 1), min_size=1, max_size=60))
def test_every_pod_range_is_covered_and_nothing_beyond_its_neighbourhood(
    numbers: list[int],
) -> None:
    nodes = [a_node(0, podCIDRs=[f"{ipaddress.ip_address(number << 8)}/24"]) for number in numbers]
    found = [ipaddress.ip_network(each) for each in ranges_of(nodes)]
    wanted = [each for node in nodes for each in pod_ranges(node)]
    networks = [each for each in found if not str(each).startswith("192.0.2.")]
    assert all(any(each.subnet_of(outer) for outer in networks) for each in wanted)  # type: ignore[arg-type]  # one family
    assert all(each.prefixlen >= 16 for each in networks)
    assert len(networks) <= len({number >> 8 for number in numbers})


def machines_at(numbers: list[int], version: int) -> list[ipaddress.IPv4Network | Any]:
    kind = {4: ipaddress.IPv4Network, 6: ipaddress.IPv6Network}[version]
    return [kind(number) for number in numbers]


@given(
    st.lists(st.integers(0, 2**32 - 1), max_size=300),
    st.lists(st.integers(0, 2**18).map(lambda number: number << 62), max_size=100),
)
def test_every_node_of_a_cluster_of_any_size_is_blocked_by_a_short_list(
    four: list[int], six: list[int]
) -> None:
    nodes = [*machines_at(four, 4), *machines_at(six, 6)]
    found = list(node_ranges(nodes))
    for version, numbers in ((4, four), (6, six)):
        family: list[Any] = [each for each in found if each.version == version]
        lengths = {each.prefixlen for each in family}
        assert all(any(each.subnet_of(outer) for outer in family)
                   for each in machines_at(numbers, version))  # fmt: skip
        assert len(lengths) <= 1
        assert lengths <= set(NODE_GROUPS[version])
        assert len(family) <= MOST_RANGES or lengths == {NODE_GROUPS[version][-1]}
        assert len(set(numbers)) > MOST_RANGES or len(family) == len(set(numbers))
    assert set(node_ranges(reversed(nodes))) == set(found)


@pytest.mark.parametrize("bad", [{"podCIDRs": ["no range"]}, {"podCIDRs": None}, {}])
def test_a_node_without_a_range_is_no_error(bad: dict[str, Any]) -> None:
    node = {"metadata": {"name": "n"}, "spec": bad, "status": {"addresses": None}}
    assert ranges_of([node]) == ()


def test_metadata_ranges_are_ranges() -> None:
    assert all(ipaddress.ip_network(each) for each in METADATA_RANGES)


async def joined(client: Client, node: Manifest) -> None:
    """A node registers, then its kubelet reports the addresses."""
    await client.create(node)
    patch = {"status": node["status"]}
    await client.patch(kinds.NODE, node["metadata"]["name"], patch, subresource="status")


async def policy_of(client: Client) -> Manifest:
    return await client.get(kinds.NETWORK_POLICY, "management-egress", "clusters-demo")


def test_a_running_cluster_is_kept_from_nodes_as_they_come_and_names_ignored_labels() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await furnish(stage)
        for each in NODES:
            await joined(user, each)
        stage.manage(*controllers())
        await user.create(a_cluster("demo", labels={"team": "red", "app": "kube-apiserver"}))
        await asyncio.sleep(UP)
        cluster = await user.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        ignored = condition_of(cluster, "ReservedLabels") or {}
        assert (ignored["status"], ignored["reason"]) == ("True", "LabelsIgnored")
        assert "reserved for the operator: app;" in ignored["message"]
        before = await policy_of(user)
        inside = [each for each in FORBIDDEN if not each.startswith("198.")]
        assert [each for each in inside if reaches(before, each)] == []
        # The range of three nodes has room for a fourth; its own address is new.
        await joined(user, a_node(3))
        await joined(user, a_node(4, podCIDRs=["10.99.0.0/24"]))
        await asyncio.sleep(SOON)
        after = await policy_of(user)
        assert not any(reaches(after, each) for each in ("192.0.2.4", "10.244.3.9", "10.99.0.1"))
        await asyncio.sleep(UP)
        version = after["metadata"]["resourceVersion"]
        assert (await policy_of(user))["metadata"]["resourceVersion"] == version

    play(story)
