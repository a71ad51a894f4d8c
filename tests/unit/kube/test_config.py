"""Kubeconfigs: what is read, and what a wrong one says."""

import base64
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift import pki
from hypershift.kube import KubeconfigError
from hypershift.kube.config import from_dict, in_cluster, load

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def a_kubeconfig(user: Any = None, **cluster: Any) -> dict[str, Any]:
    return {
        "current-context": "here",
        "contexts": [
            {"name": "here", "context": {"cluster": "c", "user": "u", "namespace": "shop"}}
        ],
        "clusters": [{"name": "c", "cluster": {"server": "https://example:6443/", **cluster}}],
        "users": [{"name": "u", "user": user or {"token": "secret-token"}}],
    }


def test_the_current_context_names_server_user_and_namespace() -> None:
    config = from_dict(a_kubeconfig(**{"tls-server-name": "api", "proxy-url": "http://p:1"}))
    assert config.server == "https://example:6443"
    assert config.namespace == "shop"
    assert config.token is not None
    assert config.token.reveal() == "secret-token"
    assert (config.tls_server_name, config.proxy_url) == ("api", "http://p:1")


def test_the_token_never_shows() -> None:
    assert "secret-token" not in repr(from_dict(a_kubeconfig()))


def test_files_are_found_beside_the_kubeconfig(tmp_path: Path) -> None:
    (tmp_path / "ca.crt").write_bytes(b"trust")
    (tmp_path / "config").write_text(
        yaml.safe_dump(a_kubeconfig(**{"certificate-authority": "ca.crt"}))
    )
    assert load(tmp_path / "config").ca == b"trust"


def test_inline_data_wins_and_is_decoded() -> None:
    data = base64.b64encode(b"trust").decode()
    config = from_dict(a_kubeconfig(**{"certificate-authority-data": data}))
    assert config.ca == b"trust"


def test_the_environment_names_the_kubeconfig(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").write_text(yaml.safe_dump(a_kubeconfig()))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "config"))
    assert load().server == "https://example:6443"


def test_impersonation_becomes_headers() -> None:
    user = {"token": "t", "as": "bob", "as-groups": ["a", "b"], "as-user-extra": {"k": ["v"]}}
    config = from_dict(a_kubeconfig(user))
    assert config.impersonate is not None
    assert config.impersonate.headers() == [
        ("Impersonate-User", "bob"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b"),
        ("Impersonate-Extra-k", "v"),
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"current-context": ""}, "no current-context"),
        ({"current-context": "elsewhere"}, "contexts has no entry named 'elsewhere'"),
        ({"clusters": []}, "clusters has no entry named 'c'"),
        ({"users": None}, "users has no entry named 'u'"),
        ({"clusters": [{"name": "c", "cluster": {"server": "example"}}]}, "not a http"),
        ({"users": [{"name": "u", "user": {"exec": {"command": "x"}}}]}, "'exec' is not supported"),
        (
            {"users": [{"name": "u", "user": {"client-key-data": "aa=="}}]},
            "certificate and key need each other",
        ),
        (
            {"users": [{"name": "u", "user": {"client-key-data": "%%"}}]},
            "client-key-data is not base64",
        ),
    ],
)
def test_a_wrong_kubeconfig_says_what_is_wrong(change: dict[str, Any], says: str) -> None:
    with pytest.raises(KubeconfigError, match=says):
        from_dict(a_kubeconfig() | change)


@pytest.mark.parametrize("document", [None, [], "text"])
def test_a_document_that_is_no_map_is_no_kubeconfig(document: object) -> None:
    with pytest.raises(KubeconfigError, match="a map is expected"):
        from_dict(document)


def test_a_missing_file_and_broken_yaml_are_named(tmp_path: Path) -> None:
    with pytest.raises(KubeconfigError, match="No such file"):
        load(tmp_path / "none")
    (tmp_path / "bad").write_text("{")
    with pytest.raises(KubeconfigError, match="is not YAML"):
        load(tmp_path / "bad")


def test_an_expired_certificate_is_refused_with_its_end() -> None:
    authority = pki.new_authority("test", NOW)
    leaf = pki.Leaf("me", usage=pki.Usage.CLIENT, validity=timedelta(days=1))
    pair = authority.issue(leaf, NOW)
    document = pki.kubeconfig(
        "https://x", authority.pem, certificate=pair.certificate, key=pair.key
    )
    assert from_dict(document, now=NOW).client_cert == pair.certificate
    with pytest.raises(KubeconfigError, match="expired at 2030-01-0"):
        from_dict(document, now=NOW + timedelta(days=2))


def test_a_pod_finds_its_own_account(tmp_path: Path) -> None:
    for name, content in (("token", "t"), ("ca.crt", "trust"), ("namespace", "shop\n")):
        (tmp_path / name).write_text(content)
    environ = {"KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "443"}
    config = in_cluster(tmp_path, environ)
    assert config.server == "https://[fd00::1]:443"
    assert (config.namespace, config.token_file) == ("shop", tmp_path / "token")


def test_outside_of_a_pod_the_message_says_so(tmp_path: Path) -> None:
    with pytest.raises(KubeconfigError, match="not a pod of a cluster"):
        in_cluster(tmp_path, {})
