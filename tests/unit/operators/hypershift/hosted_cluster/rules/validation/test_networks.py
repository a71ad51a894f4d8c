"""Networks that can, and cannot, live together: what is wrong, in the original's words."""

from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.operators.hypershift.hosted_cluster.rules.validation import network_problems

MACHINES, SERVICES, PODS = (
    f"spec.networking.{name}Network" for name in ("Machine", "Service", "Cluster")
)
OVN = "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig"


def a_spec(platform: str = "None", **networking: Any) -> dict[str, Any]:
    base = {
        "networkType": "OVNKubernetes",
        "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
        "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
    }
    return {"platform": {"type": platform}, "networking": base | networking}


def an_ovn_spec(platform: str = "None", **config: Any) -> dict[str, Any]:
    operators = {"clusterNetworkOperator": {"ovnKubernetesConfig": config}}
    return a_spec(platform) | {"operatorConfiguration": operators}


def a_node_port(*ports: Any, allowed: str = "") -> dict[str, Any]:
    services = [
        {
            "service": "APIServer",
            "servicePublishingStrategy": {"type": "NodePort", "nodePort": port},
        }
        for port in ports
    ]
    configuration = {"network": {"serviceNodePortRange": allowed}}
    return a_spec() | {"services": services, "configuration": configuration}


def overlap(one: str, first: str, other: str, second: str) -> str:
    return f'{one}: Invalid value: "{first}": {one} and {other} overlap: {first} and {second}'


def in_the_way(field: str, cidr: str, address: str) -> str:
    text = f"the field {field} with content {cidr} overlaps with the defined AdvertiseAddress"
    return f'{field}: Invalid value: "{cidr}": {text} {address} prefix: <nil>'


@pytest.mark.parametrize(
    "spec",
    [
        a_spec(),
        a_spec(machineNetwork=[{"cidr": "192.168.0.0/16"}]),
        a_spec("IBMCloud", serviceNetwork=[{"cidr": "10.132.1.0/24"}]),
        # The second of a kind is nobody's address, and OVN's subnets are neither.
        a_spec(
            machineNetwork=[{"cidr": "192.168.0.0/16"}, {"cidr": "172.20.0.0/16"}],
        ),
        an_ovn_spec(v4InternalSubnet="172.20.0.0/16"),
        an_ovn_spec(ipv4={"internalJoinSubnet": "not a network"}),
        a_spec(networkType="Other") | {"platform": {"type": "KubeVirt"}},
        a_spec(
            clusterNetwork=[{"cidr": "fd01::/48"}],
            serviceNetwork=[{"cidr": "fd02::/112"}],
        ),
        a_spec(clusterNetwork=[{"cidr": "10.132.0.0/14"}, {"cidr": "fd01::/48"}]),
    ],
)
def test_what_is_fine(spec: dict[str, Any]) -> None:
    assert list(network_problems(a_decoded_spec(spec))) == []


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            a_spec(serviceNetwork=[{"cidr": "10.132.1.7/24"}]),
            overlap(SERVICES, "10.132.1.0/24", PODS, "10.132.0.0/14"),
        ),
        (
            a_spec("KubeVirt", machineNetwork=[{"cidr": "100.66.1.0/24"}]),
            overlap(
                MACHINES, "100.66.1.0/24", f"{OVN}.ipv4.v4InternalSubnet (default)", "100.66.0.0/16"
            ),
        ),
        (
            an_ovn_spec(v4InternalSubnet="10.132.0.0/24"),
            overlap(PODS, "10.132.0.0/14", f"{OVN}.v4InternalSubnet", "10.132.0.0/24"),
        ),
        (
            an_ovn_spec(ipv4={"internalTransitSwitchSubnet": "172.31.9.0/24"}),
            overlap(
                SERVICES,
                "172.31.0.0/16",
                f"{OVN}.ipv4.internalTransitSwitchSubnet",
                "172.31.9.0/24",
            ),
        ),
        (
            an_ovn_spec("KubeVirt", v6InternalSubnet="fd99::/48"),
            overlap(
                f"{OVN}.v6InternalSubnet",
                "fd99::/48",
                f"{OVN}.ipv6.internalJoinSubnet",
                "fd99::/64",
            ),
        ),
        (
            a_spec(machineNetwork=[{"cidr": "fd01::/48"}]),
            (
                "spec.networking: Forbidden: declare multiple network stacks as primary network in "
                "the"
                " cluster definition is not allowed, ipv4: [10.132.0.0 172.31.0.0 172.20.0.1],"
                " ipv6: [fd01::]"
            ),
        ),
        (
            a_spec(apiServer={"advertiseAddress": "172.31.0.9"}),
            in_the_way(SERVICES, "172.31.0.0/16", "172.31.0.9"),
        ),
        (
            a_spec(machineNetwork=[{"cidr": "172.20.0.0/16"}]),
            in_the_way(MACHINES, "172.20.0.0/16", "172.20.0.1"),
        ),
    ],
)
def test_what_is_wrong_is_said(spec: dict[str, Any], said: str) -> None:
    assert list(network_problems(a_decoded_spec(spec))) == [said]


def test_an_advertise_address_that_is_none_is_said() -> None:
    field = "spec.networking.APIServerNetworking.AdvertiseAddress"
    assert list(
        dict.fromkeys(network_problems(a_decoded_spec(a_spec(apiServer={"advertiseAddress": "x"}))))
    ) == [
        (
            'hc.Spec.Networking.APIServer.AdvertiseAddress: Invalid value: "invalid IP": '
            "advertise address set in HostedCluster x is not parseable"
        ),
        (
            f'{field}: Invalid value: "invalid IP": '
            f"error checking network stack of {field} with ip invalid IP"
        ),
    ]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (a_node_port({"address": "192.0.2.1", "port": 30443}), ""),
        (a_node_port({"address": "192.0.2.1", "port": 0}), ""),
        (a_node_port({"address": "node.example.com"}), ""),
        (a_node_port({"address": "192.0.2.1", "port": 9000}, allowed="9000-9999"), ""),
        (
            a_node_port({"address": "192.0.2.1", "port": 6443}),
            (
                "spec.services[0].nodePort.port: Invalid value: 6443: port must be within the "
                "configured range 30000-32767 or 0 for dynamic assignment"
            ),
        ),
        (
            a_node_port({"address": "172.31.0.7"}),
            (
                'spec.networking.ServiceNetwork: Invalid value: "172.31.0.0/16": Nodeport IP is '
                "within "
                "the service network range: 172.31.0.7 is within 172.31.0.0/16"
            ),
        ),
        (
            a_node_port(None),
            "spec.Services[0].NodePort: Required value: Nodeport can not be empty",
        ),
        (
            a_node_port({"address": "192.0.2.1"}, allowed="9-8"),
            (
                'spec.configuration.network.serviceNodePortRange: Invalid value: "9-8": invalid '
                "ServiceNodePortRange format: invalid range: minimum port 9 must be less than or "
                "equal "
                "to maximum port 8"
            ),
        ),
        (
            a_node_port({"address": "192.0.2.1"}, allowed="many"),
            (
                'spec.configuration.network.serviceNodePortRange: Invalid value: "many": invalid '
                "ServiceNodePortRange format: invalid range format: many"
            ),
        ),
    ],
)
def test_a_node_port_must_be_one(spec: dict[str, Any], said: str) -> None:
    assert list(network_problems(a_decoded_spec(spec))) == ([said] if said else [])


def test_a_range_that_is_none_is_a_sentence_and_not_a_crash() -> None:
    (problem,) = network_problems(a_decoded_spec(a_spec(serviceNetwork=[{"cidr": "10.0.0.0/99"}])))
    assert "10.0.0.0/99" in problem
