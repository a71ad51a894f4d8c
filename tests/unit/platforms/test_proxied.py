"""What a cluster's proxy settings come to for its nodes."""

from typing import Any

from hypershift.api import HostedCluster, read
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.platforms import cluster_proxy


def a_spec(**proxy: Any) -> HostedClusterSpec:
    networking = {"clusterNetwork": [{"cidr": "10.132.0.0/14"}], "networkType": "Other"}
    spec = {
        "platform": {"type": "None"},
        "networking": networking,
        "configuration": {"proxy": proxy} if proxy else {},
    }
    return read(HostedCluster, {"spec": spec}).spec


def test_without_a_proxy_nobody_is_told_of_one() -> None:
    for spec in (a_spec(), a_spec(noProxy="in.side")):
        found = cluster_proxy(spec)
        assert not found
        assert found.fields == found.variables == {}


def test_names_and_ranges_of_the_cluster_are_reached_directly() -> None:
    found = cluster_proxy(a_spec(httpsProxy="http://p:3128", noProxy="in.side,,x"), "a.b")
    assert found.variables["HTTPS_PROXY"] == "http://p:3128"
    assert "HTTP_PROXY" not in found.variables
    exempt = found.fields["noProxy"].split(",")
    assert exempt == sorted(exempt)
    assert {"in.side", "x", ".svc", ".a.b", "10.132.0.0/14", "localhost"} <= set(exempt)
    assert "" not in exempt
