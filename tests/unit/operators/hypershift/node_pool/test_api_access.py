"""How nodes reach the hosted API server: privately, through a proxy, or straight."""

from typing import Any

import pytest

from hypershift.ignition.api_proxy import ApiProxy
from hypershift.operators.hypershift.node_pool import no_proxy
from hypershift.operators.hypershift.node_pool.api_access import Images, api_proxy
from hypershift.operators.hypershift.operator_image import IMAGE

KUBECONFIG = 'clusters: [{name: c, cluster: {server: "https://api.example.com:6443"}}]'
IMAGES = Images({"haproxy-router": "haproxy", "hypershift": "released"})
POOL: dict[str, Any] = {"metadata": {}, "spec": {}}


def a_proxy(
    platform: dict[str, Any], *, exempt: str = "", annotations: dict[str, str] | None = None
) -> ApiProxy:
    proxy = {"httpsProxy": "http://proxy.example.com:3128", "noProxy": exempt}
    networking = {
        "serviceNetwork": [{"cidr": "172.31.1.0/16"}, {"cidr": "fd02::/112"}],
        "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
    }
    cluster = {
        "metadata": {"name": "demo", "annotations": annotations or {}},
        "spec": {
            "platform": platform,
            "networking": networking,
            "configuration": {"proxy": proxy},
        },
    }
    return api_proxy(cluster, POOL, images=IMAGES, kubeconfig=KUBECONFIG, canonical=False)


@pytest.mark.parametrize(
    ("platform", "private", "forwarded"),
    [
        ({"type": "AWS", "aws": {"endpointAccess": "Public"}}, False, True),
        ({"type": "AWS", "aws": {"endpointAccess": "PublicAndPrivate"}}, True, False),
        ({"type": "Azure", "azure": {}}, False, True),
        ({"type": "Azure", "azure": {"topology": "Private"}}, True, False),
        ({"type": "Azure", "azure": {"private": {"type": "Swift"}}}, True, True),
        ({"type": "GCP", "gcp": {"endpointAccess": "Private"}}, True, True),
        ({"type": "KubeVirt"}, False, True),
    ],
)
def test_the_platform_says_whether_nodes_come_privately_and_through_the_proxy(
    platform: dict[str, Any], *, private: bool, forwarded: bool
) -> None:
    found = a_proxy(platform)
    assert (found.external == "api.demo.hypershift.local") is private
    assert bool(found.forward_proxy) is forwarded


@pytest.mark.parametrize(
    ("exempt", "forwarded"),
    [
        ("", True),
        (".example.com", False),
        ("api.example.com:443", True),
        (" 172.31.0.0/16 ", False),
        ("fd02::/112", True),
        ("10.132.0.0/14", False),
        ("my-kubernetes.svc", False),
        ("172.20.0.1:6443", False),
    ],
)
def test_the_proxy_is_left_out_where_the_user_exempts_the_api(
    exempt: str, *, forwarded: bool
) -> None:
    found = a_proxy({"type": "KubeVirt"}, exempt=exempt)
    assert bool(found.forward_proxy) is forwarded
    assert found.image == ("released" if forwarded else "haproxy")


def test_the_forwarder_runs_the_image_that_the_cluster_was_given() -> None:
    assert a_proxy({"type": "None"}, annotations={IMAGE: "mine"}).image == "mine"


@pytest.mark.parametrize(
    ("entry", "host", "exempt"),
    [
        ("fd00::1", "fd00::1", True),
        ("[fd00::1]:6443", "fd00::1", True),
        ("[fd00::1]:443", "fd00::1", False),
        ("fd00::/64", "fd00::1", True),
        ("*.example.com", "api.example.com", True),
        ("*.example.com", "example.com", False),
        ("*ample.com", "api.example.com", False),
        ("example.com:6443", "api.example.com", True),
        ("*", "anything", True),
        ("other", "localhost", True),
        ("", "localhost", False),
    ],
)
def test_exemptions_match_as_programs_read_them(entry: str, host: str, *, exempt: bool) -> None:
    assert no_proxy.exempts(entry, host, 6443) is exempt
