"""Where machines are sent for their configuration."""

import pytest

from hypershift.operators.hypershift.hosted_cluster.ignition import node_port_endpoint


@pytest.mark.parametrize(
    ("address", "port", "endpoint"),
    [
        ("192.0.2.1", 31000, "192.0.2.1:31000"),
        ("node.example.org", 31000, "node.example.org:31000"),
        ("2001:db8::1", 31000, "[2001:db8::1]:31000"),
        ("192.0.2.1", 0, ""),
        ("", 31000, ""),
    ],
)
def test_a_port_of_the_nodes_is_the_endpoint(address: str, port: int, endpoint: str) -> None:
    service = {"spec": {"ports": [{"port": 443, "nodePort": port}]}}
    assert node_port_endpoint(service, address) == endpoint
