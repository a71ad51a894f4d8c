"""Who comes to the API server by which address, and what they trust."""

from base64 import b64decode, b64encode

import pytest
from tests.unit.component.clusters import a_view, container
from tests.unit.controlplane.kube_apiserver.servers import deployment, kubeconfig

from hypershift.component import Infra


@pytest.mark.parametrize(
    ("topology", "private", "annotated", "hidden"),
    [
        ("Private", "", False, True),
        ("PublicAndPrivate", "", False, True),
        ("Public", "Swift", True, False),
        ("", "Swift", False, True),
        ("", "", True, True),
        ("", "", False, False),
    ],
)
def test_nodes_on_azure_come_privately_where_the_topology_or_else_swift_says(
    topology: str, private: str, *, annotated: bool, hidden: bool
) -> None:
    azure = {"topology": topology, "private": {"type": private}}
    view = a_view(
        platform={"type": "Azure", "azure": azure},
        infra=Infra(api_host="api.example.com", api_port=443),
        annotations={"swift-pod-network-instance": "net"} if annotated else {},
    )
    server = kubeconfig(view, "bootstrap-kubeconfig")["clusters"][0]["cluster"]["server"]
    assert (server == "https://api.demo.hypershift.local:443") is hidden


def test_cluster_api_finds_the_server_from_every_namespace() -> None:
    config = kubeconfig(a_view(), "demo-7x2kf-kubeconfig", "value")
    server = config["clusters"][0]["cluster"]["server"]
    assert server == "https://kube-apiserver.clusters-demo.svc:6443"


def test_users_come_by_the_published_address() -> None:
    config = kubeconfig(a_view(), "admin-kubeconfig")
    assert config["clusters"][0]["cluster"]["server"] == "https://203.0.113.7:6443"
    assert config["users"][0]["user"]["client-key-data"]


def test_a_certificate_of_the_users_own_is_served_and_trusted() -> None:
    certificate = {"names": ["api.x.org"], "servingCertificate": {"name": "mine"}}
    serving = {"servingCerts": {"namedCertificates": [certificate]}}
    own = {"kind": "Secret", "data": {"tls.crt": b64encode(b"MINE").decode()}}
    view = a_view(configuration={"apiServer": serving}, objects={("Secret", "mine"): own})
    args = container(deployment(view), "kube-apiserver")["args"]
    assert any(arg.startswith("--tls-sni-cert-key=") and arg.endswith(":api.x.org") for arg in args)
    trusted = kubeconfig(view, "admin-kubeconfig")["clusters"][0]["cluster"]
    assert b64decode(trusted["certificate-authority-data"]).endswith(b"MINE")


def test_an_address_of_six_groups_has_brackets() -> None:
    view = a_view(infra=Infra(api_host="fd00::7", api_port=6443))
    server = kubeconfig(view, "admin-kubeconfig")["clusters"][0]["cluster"]["server"]
    assert server == "https://[fd00::7]:6443"


def test_the_user_chooses_where_the_kubeconfig_lies() -> None:
    view = a_view(kubeconfig={"name": "mine", "key": "config"})
    assert kubeconfig(view, "mine", "config")["current-context"] == "admin"
