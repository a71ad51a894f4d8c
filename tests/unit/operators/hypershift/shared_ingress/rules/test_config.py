"""Which clusters the shared ingress serves, and what each of them can cost the others."""

from dataclasses import replace
from typing import Any

from hypershift.api import HostedCluster, read
from hypershift.api.defaults import zeroed
from hypershift.kit import Manifest
from hypershift.operators.hypershift.shared_ingress.rules.config import Member, configuration

LABEL = {"hypershift.openshift.io/hosted-control-plane": "clusters-a"}


def member(name: str, *, services: tuple[str, ...] = ("kube-apiserver",), **spec: Any) -> Member:
    azure = {"azureAuthenticationConfig": {"azureAuthenticationConfigType": "ManagedIdentities"}}
    cluster = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": "clusters"},
        "spec": {
            "clusterID": f"{name}-id",
            "platform": {"type": "Azure", "azure": azure},
            **spec,
        },
    }
    return Member(
        read(HostedCluster, zeroed(HostedCluster, cluster)),
        (a_route("kube-apiserver", f"api.{name}.example.org", "kube-apiserver"),),
        {one: a_service(one) for one in services},
    )


def a_route(name: str, host: str, service: str) -> Manifest:
    return {
        "metadata": {"name": name, "labels": LABEL},
        "spec": {"host": host, "to": {"name": service}},
    }


def a_service(name: str) -> Manifest:
    return {
        "metadata": {"name": name},
        "spec": {"clusterIP": "192.0.2.1", "ports": [{"port": 6443}]},
    }


def test_traffic_without_a_name_is_told_apart_by_the_cluster_id() -> None:
    text = configuration([member("a")])
    assert "acl is_clusters-a-kube-apiserver var(sess.cluster_id) -m str a-id" in text
    assert "use_backend clusters-a-kube-apiserver if is_clusters-a-kube-apiserver\n" in text


def test_a_cluster_without_its_back_end_costs_only_itself() -> None:
    broken = member("b", services=())
    assert broken.missing == ("kube-apiserver",)
    assert configuration([member("a"), broken]) == configuration([member("a")])


def test_allowed_ranges_hold_on_both_ports() -> None:
    allowed = {"apiServer": {"allowedCIDRBlocks": ["198.51.100.0/24"]}}
    text = configuration([member("a", networking=allowed)])
    for name in ("clusters-a-kube-apiserver", "clusters-a-apiserver"):
        assert f"acl is_{name}_request_allowed fc_src 198.51.100.0/24" in text
        assert f"use_backend {name} if is_{name} is_{name}_request_allowed" in text


def test_the_order_of_clusters_changes_nothing() -> None:
    one, other = member("a"), member("b")
    assert configuration([one, other]) == configuration([other, one])


def test_a_cluster_that_chose_no_shared_ingress_is_not_served() -> None:
    assert configuration([member("a", platform={"type": "None"})]) == configuration([])


def test_a_name_that_would_be_more_than_a_name_is_left_out() -> None:
    evil = member("a", kubeAPIServerDNSName="x.test }\n  use_backend clusters-b-apiserver")
    assert configuration([evil]) == configuration([member("a")])


def test_names_and_ids_of_another_cluster_are_left_out() -> None:
    whole = member("a")
    refused = frozenset({"api.a.example.org", "a-id"})
    text = configuration([replace(whole, refused=refused)])
    assert "api.a.example.org" not in text
    assert "a-id" not in text


def test_a_range_that_is_none_restricts_nothing_else() -> None:
    allowed = {"apiServer": {"allowedCIDRBlocks": ["198.51.100.0/24", "all }"]}}
    text = configuration([member("a", networking=allowed)])
    assert "fc_src 198.51.100.0/24" in text
    assert "all }" not in text
