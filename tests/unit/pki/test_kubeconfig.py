"""Kubeconfigs carry the identity that they were given, and nothing else."""

from base64 import b64decode

import yaml

from hypershift.kit import Secret
from hypershift.pki import kubeconfig, kubeconfig_text


def test_a_certificate_is_embedded() -> None:
    config = kubeconfig("https://api:6443", b"CA", certificate=b"CERT", key=Secret(b"KEY"))
    assert b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]) == b"CA"
    user = config["users"][0]["user"]
    assert b64decode(user["client-certificate-data"]) == b"CERT"
    assert b64decode(user["client-key-data"]) == b"KEY"
    assert config["contexts"][0]["context"] == {
        "cluster": "cluster",
        "user": "admin",
        "namespace": "default",
    }


def test_files_let_the_client_reread_its_certificate() -> None:
    config = kubeconfig("https://api:6443", b"CA", files="/etc/kubernetes/client")
    assert config["users"][0]["user"] == {
        "client-certificate": "/etc/kubernetes/client/tls.crt",
        "client-key": "/etc/kubernetes/client/tls.key",
    }


def test_a_token_is_an_identity_too() -> None:
    config = kubeconfig("https://api:6443", token=Secret("abc"))
    assert config["users"][0]["user"] == {"token": "abc"}


def test_the_text_reads_back() -> None:
    config = kubeconfig("https://api:6443", b"CA")
    assert yaml.safe_load(kubeconfig_text(config)) == config
