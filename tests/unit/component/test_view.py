"""One picture of a cluster, with the defaults that unset fields mean."""

import pytest
from tests.unit.component.clusters import a_view

from hypershift.release import Product


def test_secrets_never_show_in_a_view() -> None:
    assert "tls.key" not in repr(a_view())


def test_unset_networking_has_the_originals_defaults() -> None:
    view = a_view()
    assert (view.api_pod_port, view.api_service_port) == (6443, 6443)
    assert view.advertise_address == "172.20.0.1"
    assert view.issuer_url == "https://kubernetes.default.svc"


def test_only_an_issuer_that_is_not_the_cluster_itself_is_believed_outside() -> None:
    assert not a_view().federated
    assert a_view(issuerURL="https://issuer.example.org").federated
    assert a_view(product=Product.OPENSHIFT).federated


def test_pods_never_listen_on_a_privileged_port() -> None:
    assert a_view(networking={"apiServer": {"port": 443}}).api_pod_port == 6443
    assert a_view(networking={"apiServer": {"port": 7443}}).api_pod_port == 7443


def test_ibm_cloud_has_a_port_of_its_own() -> None:
    view = a_view(platform={"type": "IBMCloud"})
    assert view.api_url == "https://kube-apiserver:2040"


@pytest.mark.parametrize(
    ("services", "address"),
    [
        (["fd02::/112"], "fd00::1"),
        (["172.31.0.0/16", "fd02::/112"], "172.20.0.1"),
        ([], "172.20.0.1"),
    ],
)
def test_the_api_is_advertised_in_the_first_family_of_the_services(
    services: list[str], address: str
) -> None:
    networking = {
        "clusterNetwork": [{"cidr": "fd01::/48"}],
        "serviceNetwork": [{"cidr": cidr} for cidr in services],
    }
    assert a_view(networking=networking).advertise_address == address


def test_ranges_are_named_by_their_first_address() -> None:
    networking = {
        "clusterNetwork": [{"cidr": "10.132.5.7/14"}, {"cidr": "fd01:0::1/48"}],
        "serviceNetwork": [{"cidr": "172.31.1.0/16"}],
    }
    view = a_view(networking=networking)
    assert view.cluster_cidrs == ("10.132.0.0/14", "fd01::/48")
    assert view.service_cidrs == ("172.31.0.0/16",)


def test_what_is_not_there_reads_as_empty() -> None:
    view = a_view(product=Product.OPENSHIFT)
    assert view.secret("absent", "key") == b""
    assert view.text("absent", "key") == ""
    assert view.feature_gates == {}


def test_names_in_an_annotation_may_have_blanks() -> None:
    view = a_view(annotations={"disable-profiling": "kube-apiserver, kube-scheduler"})
    assert view.profiling_disabled("kube-scheduler")
    assert not view.profiling_disabled("kube-controller-manager")
