"""Encryption by AWS's key service, with the sidecars that ask it."""

from typing import Any

from hypershift.api import annotations
from hypershift.api.encryption import AWSKMS, AWSKMSKey
from hypershift.api.encryption_status import EncryptionKeyStatus
from hypershift.api.values import KeyProvider
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import View, edit, fnv1
from hypershift.controlplane.kube_apiserver.encryption import keys
from hypershift.controlplane.kube_apiserver.encryption.sidecar import MINTED, probed, token_minter
from hypershift.kit import InvalidSpec, Manifest

PROVIDER = KeyProvider.AWS
IMAGE = "aws-kms-encryption-provider"
SOCKETS = "/var/run"
TOKEN = "aws-kms-token"  # noqa: S105 - the name of a volume
CREDENTIALS = "/aws"
PORTS = {"active": 8080, "backup": 8081}


def settings(view: View) -> AWSKMS:
    """The settings of AWS's key service."""
    kms = keys.service(view, PROVIDER)
    found = kms.aws if kms else None
    if found is None or not found.active_key.arn:
        raise InvalidSpec("the active key has no ARN", field="spec.secretEncryption.kms.aws")
    return found


def key_name(key: AWSKMSKey) -> str:
    """A name that changes with the key: data carries it, so it must never mean two keys."""
    return f"awskmskey-{fnv1(key.arn.encode())}"


def _chosen(view: View) -> tuple[list[AWSKMSKey], bool]:
    status = keys.in_status(view)
    told = (_reported_key(status.active_key), _reported_key(status.target_key))
    chosen, stage = keys.chosen(view, settings(view), told, key_name)
    return chosen, stage.plain_first


def _reported_key(key: EncryptionKeyStatus | None) -> AWSKMSKey | None:
    return key.aws if key and key.provider == PROVIDER else None


def providers(view: View) -> tuple[list[dict[str, Any]], bool]:
    """The key to write with, then the one that may only be read with."""
    found, plain_first = _chosen(view)
    protocol, roles = keys.version(view), _roles(view, found)
    return [
        keys.provider(name, _endpoint(roles[name]), protocol, cached=True)
        for name in map(key_name, found)
    ], plain_first


def _roles(view: View, found: list[AWSKMSKey]) -> dict[str, str]:
    return keys.placed(view, [key_name(key) for key in found], tuple(PORTS), _endpoint)


def with_sidecars(view: View, manifest: Manifest) -> Manifest:
    """Add the sidecars that ask the key service, and the token by which they may."""
    minter = token_minter("aws-kms-token-minter", TOKEN, "/var/secrets/localhost-kubeconfig")
    manifest = edit.add_container(manifest, minter)
    found, _ = _chosen(view)
    by_role = {role: name for name, role in _roles(view, found).items()}
    known = {key_name(key): key for key in found}
    for role in sorted(by_role):
        manifest = edit.add_container(manifest, _sidecar(view, role, known[by_role[role]]))
    manifest = edit.add_volumes(
        manifest,
        edit.secret_volume("aws-kms-credentials", "kms-creds"),
        {"name": "kms-socket", "emptyDir": {}},
        {"name": TOKEN, "emptyDir": {"medium": "Memory"}},
    )
    manifest = edit.mount(manifest, KUBE_APISERVER, {"kms-socket": SOCKETS})
    return _without_dependency(view, manifest)


def _sidecar(view: View, role: str, key: AWSKMSKey) -> Manifest:
    port = PORTS[role]
    environment = {
        "AWS_SHARED_CREDENTIALS_FILE": f"{CREDENTIALS}/credentials",
        "AWS_SDK_LOAD_CONFIG": "true",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    container = {
        "name": f"aws-kms-{role}",
        "image": view.annotation(annotations.AWS_KMS_PROVIDER_IMAGE) or IMAGE,
        "args": [
            f"--key={key.arn}",
            f"--region={settings(view).region}",
            f"--listen={_socket(role)}",
            f"--health-port=:{port}",
        ],
        "env": [{"name": name, "value": value} for name, value in environment.items()],
        "volumeMounts": [
            {"name": "aws-kms-credentials", "mountPath": CREDENTIALS},
            {"name": TOKEN, "mountPath": MINTED},
            {"name": "kms-socket", "mountPath": SOCKETS},
        ],
    }
    return probed(container, "healthz", port)


def _socket(role: str) -> str:
    return f"{SOCKETS}/awskms{role}.sock"


def _endpoint(role: str) -> str:
    return f"unix://{_socket(role)}"


def _without_dependency(view: View, manifest: Manifest) -> Manifest:
    """A key service that is away must not restart the API server: it would not come back."""
    found, _ = _chosen(view)
    excluded = "".join(f"&exclude=kms-provider-{index}" for index, _ in enumerate(found))

    def patient(container: Manifest) -> Manifest:
        path = ("livenessProbe", "httpGet", "path")
        return edit.at(container, path, lambda found: f"{found}{excluded}")

    return edit.change_container(manifest, KUBE_APISERVER, patient)
