"""How nodes reach the hosted API server: privately, through a proxy, or straight."""

import re
from typing import Any

import pytest

from hypershift.api import HostedCluster, NodePool, read
from hypershift.api.annotations import SWIFT_POD_NETWORK_INSTANCE
from hypershift.ignition.api_proxy import ApiProxy
from hypershift.kit import InvalidSpec, no_proxy
from hypershift.operators.hypershift.node_pool.rules.api_access import (
    Images,
    SharedIngress,
    api_proxy,
)
from hypershift.operators.hypershift.operator_image import IMAGE

CONTEXTS = """
clusters:
- {name: other, cluster: {server: "https://other.example.com:6443"}}
- {name: mine, cluster: {server: "%s"}}
contexts: [{name: admin, context: {cluster: mine, user: admin}}]
current-context: admin
"""
KUBECONFIG = 'clusters: [{name: c, cluster: {server: "https://api.example.com:6443"}}]'
IMAGES = Images({"haproxy-router": "haproxy", "hypershift": "released"})
POOL = read(NodePool, {"metadata": {}, "spec": {}})


def a_proxy(
    platform: dict[str, Any],
    *,
    exempt: str = "",
    annotations: dict[str, str] | None = None,
    https: str = "http://proxy.example.com:3128",
    **more: Any,
) -> ApiProxy:
    proxy = {"httpsProxy": https, "noProxy": exempt}
    networking = {
        "serviceNetwork": [{"cidr": "172.31.1.0/16"}, {"cidr": "fd02::/112"}],
        "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
    }
    cluster = {
        "metadata": {"name": "demo", "annotations": annotations or {}},
        "spec": {
            "platform": platform,
            "clusterID": "an-id",
            "networking": networking,
            "configuration": {"proxy": proxy},
        },
    }
    usual: dict[str, Any] = {"images": IMAGES, "kubeconfig": KUBECONFIG, "canonical": False}
    return api_proxy(read(HostedCluster, cluster), POOL, **(usual | more))


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
    assert a_proxy({"type": "None"}, operator="the cluster's").image == "the cluster's"
    mirrored = Images({"haproxy-router": "m/h", "hypershift": "m/o"}, {"haproxy-router": "h"})
    found = a_proxy({"type": "None"}, images=mirrored, canonical=True)
    assert found.image == "m/o"
    assert a_proxy({"type": "None"}, images=mirrored, canonical=True, https="").image == "h"


@pytest.mark.parametrize(
    ("https", "address"),
    [
        ("http://proxy.example.com", "proxy.example.com:80"),
        ("https://Proxy.example.com/", "Proxy.example.com:443/"),
        ("http://user:word@proxy.example.com:3128", "user:word@proxy.example.com:3128"),
        ("http://[fd00::8]:3128", "[fd00::8]:3128"),
        ("http://[fd00::8]", "[fd00::8]:80"),
        ("HTTPS://proxy.example.com", "proxy.example.com:443"),
        ("socks5://proxy.example.com:1080", "socks5://proxy.example.com:1080"),
        ("Proxy.example.com:3128", "proxy.example.com:3128"),
    ],
)
def test_the_address_of_the_proxy_keeps_what_the_user_wrote(https: str, address: str) -> None:
    assert a_proxy({"type": "None"}, https=https).forward_proxy == address


@pytest.mark.parametrize(
    ("https", "why"),
    [
        ("proxy.example.com", "url scheme must be specified"),
        (
            "10.0.0.1:3128",
            'parse "10.0.0.1:3128": first path segment in URL cannot contain colon',
        ),
        (":3128", 'parse ":3128": missing protocol scheme'),
        ("http://proxy:x", 'parse "http://proxy:x": invalid port ":x" after host'),
    ],
)
def test_a_proxy_without_an_address_is_refused_even_where_it_is_not_used(
    https: str, why: str
) -> None:
    with pytest.raises(InvalidSpec, match=re.escape(f"HTTPSProxy: {why}")):
        a_proxy({"type": "None"}, https=https, exempt="*")


@pytest.mark.parametrize(
    ("server", "external"),
    [
        ("https://API.example.com", ("API.example.com", 443)),
        ("http://api.example.com", ("api.example.com", 80)),
        ("https://[fd00::5]:6443", ("fd00::5", 6443)),
    ],
)
def test_the_current_context_names_the_api_server(server: str, external: tuple[str, int]) -> None:
    found = a_proxy({"type": "None"}, kubeconfig=CONTEXTS % server)
    assert (found.external, found.external_port) == external


def test_a_kubeconfig_that_names_no_port_is_refused() -> None:
    with pytest.raises(InvalidSpec, match=r"unknown scheme: api\.example\.com"):
        a_proxy({"type": "None"}, kubeconfig=CONTEXTS % "api.example.com:6443")
    with pytest.raises(InvalidSpec, match="failed to parse kubeconfig"):
        a_proxy({"type": "None"}, kubeconfig="clusters: []")


def test_only_those_who_come_through_the_shared_ingress_say_which_cluster_they_mean() -> None:
    azure = {"azureAuthenticationConfig": {"azureAuthenticationConfigType": "ManagedIdentities"}}
    shared = SharedIngress("shared", "10.9.8.7")
    public = a_proxy({"type": "Azure", "azure": azure}, shared_ingress=shared, https="")
    assert (public.external, public.cluster_id) == ("10.9.8.7", "an-id")
    both = azure | {"topology": "PublicAndPrivate"}
    private = a_proxy({"type": "Azure", "azure": both}, shared_ingress=shared, https="")
    assert (private.external, private.cluster_id) == ("api.demo.hypershift.local", None)
    legacy = {SWIFT_POD_NETWORK_INSTANCE: "pni"}
    older = a_proxy(
        {"type": "Azure", "azure": azure}, shared_ingress=shared, annotations=legacy, https=""
    )
    assert (older.external, older.image) == ("api.demo.hypershift.local", "shared")


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
        ("*:6443", "anything", False),
        ("example.com:", "api.example.com", True),
        (":6443", "api.example.com", False),
        ("172.20.0.1:06443", "172.20.0.1", False),
        ("other", "localhost", True),
        ("", "localhost", False),
    ],
)
def test_exemptions_match_as_programs_read_them(entry: str, host: str, *, exempt: bool) -> None:
    assert no_proxy.exempts(entry, host, 6443) is exempt
