"""Kubeconfig files: how a client finds an API server and who it is there."""

from base64 import b64encode
from typing import Any

from hypershift.kit import Secret
from hypershift.kit.documents import dumped

#: File names inside a Secret that holds a client certificate, for kubeconfigs that point to it.
CERTIFICATE_FILE = "tls.crt"
KEY_FILE = "tls.key"


def kubeconfig(
    server: str,
    ca: bytes = b"",
    *,
    certificate: bytes = b"",
    key: Secret[bytes] | bytes = b"",
    token: Secret[str] | str = "",
    files: str = "",
    cluster: str = "cluster",
    user: str = "admin",
    context: str = "admin",
    namespace: str = "default",
) -> dict[str, Any]:
    """Build a kubeconfig; `files` names a directory whose certificate the client rereads itself."""
    entry: dict[str, Any] = {"server": server}
    if ca:
        entry["certificate-authority-data"] = b64encode(ca).decode()
    place = {"cluster": cluster, "user": user} | ({"namespace": namespace} if namespace else {})
    identity = _identity(certificate, key, token, files)
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": cluster, "cluster": entry}],
        "contexts": [{"name": context, "context": place}],
        "current-context": context,
        "users": [{"name": user, "user": identity}],
    }


def kubeconfig_text(config: dict[str, Any]) -> bytes:
    """The kubeconfig as the YAML that goes into a Secret or a file."""
    return dumped(config).encode()


def _identity(
    certificate: bytes, key: Secret[bytes] | bytes, token: Secret[str] | str, files: str
) -> dict[str, str]:
    identity: dict[str, str] = {}
    if files:
        identity["client-certificate"] = f"{files}/{CERTIFICATE_FILE}"
        identity["client-key"] = f"{files}/{KEY_FILE}"
    if certificate:
        identity["client-certificate-data"] = b64encode(certificate).decode()
    if revealed := key.reveal() if isinstance(key, Secret) else key:
        identity["client-key-data"] = b64encode(revealed).decode()
    if bearer := token.reveal() if isinstance(token, Secret) else token:
        identity["token"] = bearer
    return identity
