"""Kubeconfigs of hosted clusters, read from other namespaces than the control plane's."""

import pytest

from hypershift.kit.documents import loaded
from hypershift.kube.hosted import across_namespaces
from hypershift.pki import kubeconfig, kubeconfig_text


def server(url: str) -> str:
    written = kubeconfig_text(kubeconfig(url, b"trust", certificate=b"c", key=b"k"))
    found = loaded(across_namespaces(written, "clusters-demo").decode())
    return str(found["clusters"][0]["cluster"]["server"])


@pytest.mark.parametrize("port", ["", ":6443"])
def test_a_service_of_the_control_plane_is_found_from_elsewhere(port: str) -> None:
    found = server(f"https://kube-apiserver{port}")
    assert found == f"https://kube-apiserver.clusters-demo.svc{port}"


@pytest.mark.parametrize(
    "url",
    ["https://kube-apiserver.clusters-demo.svc:6443", "https://10.0.0.1:6443", "https://[fd00::1]"],
)
def test_an_address_that_everybody_resolves_stays(url: str) -> None:
    assert server(url) == url
