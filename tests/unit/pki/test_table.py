"""What every certificate says, cluster by cluster: the original's names, and no others."""

from dataclasses import replace
from typing import Any

import pytest

from hypershift.pki import Leaf, Policy, Site, leaf_of, wanted
from hypershift.pki.leaf import Usage

NS = "clusters-demo"
SITE = Site(
    namespace=NS,
    name="demo",
    platform="AWS",
    api_host="api.example.org",
    konnectivity_host="192.0.2.9",
    oauth_host="oauth.example.org",
    ingress_domain="apps.demo.example.org",
    advertise_address="172.20.0.1",
    service_cidrs=("172.31.0.0/16",),
)


def leaves(**changes: Any) -> dict[str, Leaf]:
    site = replace(SITE, **changes)
    return {spec.secret: leaf_of(spec, site) for spec in wanted(site).leaves}


def names(name: str, *others: str) -> set[str]:
    return {name, f"{name}.{NS}.svc", f"{name}.{NS}.svc.cluster.local", *others}


@pytest.mark.parametrize(
    ("secret", "name", "wanted_names"),
    [
        (
            "kcm-server",
            "kube-controller-manager",
            names("kube-controller-manager", "localhost"),
        ),
        ("scheduler-server", "kube-scheduler", names("kube-scheduler", "localhost")),
        (
            "cvo-server",
            "cluster-version-operator",
            names("cluster-version-operator", "localhost"),
        ),
        (
            "cluster-image-registry-operator",
            "cluster-image-registry-operator",
            {"cluster-image-registry-operator", "localhost"},
        ),
        (
            "cluster-storage-operator-serving-cert",
            "cluster-storage-operator",
            {"cluster-storage-operator", "localhost"},
        ),
        (
            "csi-snapshot-controller-operator-serving-cert",
            "csi-snapshot-controller-operator",
            {"csi-snapshot-controller-operator", "localhost"},
        ),
        (
            "multus-admission-controller-secret",
            "multus-admission-controller",
            names("multus-admission-controller", "localhost"),
        ),
        (
            "ovn-control-plane-metrics-cert",
            "ovn-kubernetes-control-plane",
            names("ovn-kubernetes-control-plane", "localhost"),
        ),
        ("node-tuning-operator-tls", "node-tuning-operator", names("node-tuning-operator")),
        (
            "packageserver-cert",
            "packageserver",
            names(
                "packageserver",
                "packageserver.default.svc",
                "packageserver.default.svc.cluster.local",
            ),
        ),
        (
            "aws-ebs-csi-driver-operator-serving-cert",
            "aws-ebs-csi-driver-operator-metrics",
            names("aws-ebs-csi-driver-operator-metrics", "localhost"),
        ),
        (
            "aws-ebs-csi-driver-controller-metrics-serving-cert",
            "aws-ebs-csi-driver-controller-metrics",
            names("aws-ebs-csi-driver-controller-metrics", "localhost"),
        ),
        (
            "oauth-server-crt",
            "openshift-oauth",
            {"oauth.example.org", f"oauth-openshift.{NS}.svc.cluster.local"},
        ),
        ("ingress-crt", "openshift-ingress", {"*.apps.demo.example.org"}),
    ],
)
def test_a_server_is_known_by_its_names(secret: str, name: str, wanted_names: set[str]) -> None:
    leaf = leaves()[secret]
    assert (leaf.common_name, leaf.organizations) == (name, ("openshift",))
    assert leaf.dns_names == wanted_names
    assert leaf.usage is Usage.PEER


@pytest.mark.parametrize("driver", ["azure-disk-csi-driver", "azure-file-csi-driver"])
def test_azures_drivers_are_not_called_by_their_metrics(driver: str) -> None:
    found = leaves(platform="Azure")
    controller = found[f"{driver}-controller-metrics-serving-cert"]
    assert controller.dns_names == names(f"{driver}-controller", "localhost")
    operator = found[f"{driver}-operator-serving-cert"]
    assert operator.dns_names == names(f"{driver}-operator", "localhost")


def test_webhooks_beside_the_api_server_belong_to_nobody() -> None:
    leaf = leaves()["aws-pod-identity-webhook-serving-cert"]
    assert (leaf.common_name, leaf.organizations) == ("127.0.0.1", ())
    assert not leaf.dns_names
    assert leaf.ip_addresses == {"127.0.0.1"}


def test_konnectivity_is_known_by_its_address() -> None:
    leaf = leaves()["konnectivity-cluster"]
    assert leaf.dns_names == names("konnectivity-server")
    assert leaf.ip_addresses == {"192.0.2.9"}


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        (
            {"oauth": False},
            {"oauth-server-crt", "openshift-oauth-apiserver-cert"},
        ),
        ({"ignition": False}, {"ignition-server", "mcs-crt"}),
        ({"multus": False}, {"multus-admission-controller-secret"}),
        (
            {"disabled_capabilities": frozenset({"Ingress"})},
            {"ingress-crt", "ingress-operator-service-account-kubeconfig"},
        ),
        (
            {"disabled_capabilities": frozenset({"NodeTuning", "ImageRegistry"})},
            {"node-tuning-operator-tls", "cluster-image-registry-operator"},
        ),
    ],
)
def test_what_a_cluster_does_not_have_needs_no_certificate(
    change: dict[str, Any], gone: set[str]
) -> None:
    assert leaves().keys() - leaves(**change).keys() == gone


def test_ibm_cloud_serves_ignition_and_storage_itself() -> None:
    gone = leaves(platform="None").keys() - leaves(platform="IBMCloud").keys()
    assert gone == {
        "ignition-server",
        "cluster-storage-operator-serving-cert",
        "csi-snapshot-controller-operator-serving-cert",
    }


def test_each_further_etcd_has_members_of_its_own() -> None:
    found = leaves(etcd_shards=("events",))
    server, peer = found["etcd-events-server-tls"], found["etcd-events-peer-tls"]
    members = {f"*.etcd-discovery-events.{NS}.svc{end}" for end in ("", ".cluster.local")}
    assert server.common_name == "etcd-server"
    assert server.dns_names == members | names("etcd-client-events", "localhost")
    assert peer.common_name == "etcd-discovery-events"
    assert peer.dns_names == members
    assert peer.ip_addresses == {"127.0.0.1", "::1"}


def test_an_annotation_takes_all_certificates_away_whatever_it_says() -> None:
    mark = "hypershift.openshift.io/disable-pki-reconciliation"
    for value in ("true", "false", ""):
        plan = wanted(replace(SITE, policy=Policy.from_annotations({mark: value})))
        assert not plan.leaves
