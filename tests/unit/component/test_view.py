"""One picture of a cluster, with the defaults that unset fields mean."""

from tests.unit.component.clusters import a_view

from hypershift.release import Product


def test_secrets_never_show_in_a_view() -> None:
    assert "tls.key" not in repr(a_view())


def test_unset_networking_has_the_originals_defaults() -> None:
    view = a_view()
    assert (view.api_pod_port, view.api_service_port) == (6443, 6443)
    assert view.advertise_address == "172.20.0.1"
    assert view.issuer_url == "https://kubernetes.default.svc"


def test_pods_never_listen_on_a_privileged_port() -> None:
    assert a_view(networking={"apiServer": {"port": 443}}).api_pod_port == 6443
    assert a_view(networking={"apiServer": {"port": 7443}}).api_pod_port == 7443


def test_ibm_cloud_has_a_port_of_its_own() -> None:
    view = a_view(platform={"type": "IBMCloud"})
    assert view.api_url == "https://kube-apiserver:2040"


def test_an_ipv6_cluster_advertises_an_ipv6_address() -> None:
    networking = {"clusterNetwork": [{"cidr": "fd01::/48"}], "serviceNetwork": []}
    assert a_view(networking=networking).advertise_address == "fd00::1"


def test_what_is_not_there_reads_as_empty() -> None:
    view = a_view(product=Product.OPENSHIFT)
    assert view.secret("absent", "key") == b""
    assert view.text("absent", "key") == ""
    assert view.feature_gates == {}


def test_names_in_an_annotation_may_have_blanks() -> None:
    view = a_view(annotations={"disable-profiling": "kube-apiserver, kube-scheduler"})
    assert view.profiling_disabled("kube-scheduler")
    assert not view.profiling_disabled("kube-controller-manager")
