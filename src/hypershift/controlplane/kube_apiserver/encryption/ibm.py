"""Encryption by IBM Cloud's key service; its one sidecar knows every version of the key."""

import json
from typing import Any

from hypershift.api import annotations
from hypershift.api.encryption import IBMCloudKMS
from hypershift.api.values import KeyProvider, KMSAuthType
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.encryption import keys
from hypershift.controlplane.kube_apiserver.encryption.sidecar import probed
from hypershift.controlplane.kube_apiserver.encryption.stages import TargetKey, stage
from hypershift.kit import InvalidSpec, Manifest

PROVIDER = KeyProvider.IBMCLOUD
NAME = "ibmv2"
FIELD = "spec.secretEncryption.kms.ibmcloud"
SOCKETS = "/tmp"  # noqa: S108 - the mount point inside a container
SOCKET = f"{SOCKETS}/keyprotectprovider.sock"
WRAPPED = f"{SOCKETS}/kp"
HEALTH, SERVED = 8081, 8001
TOKEN = "pod-identity-token"  # noqa: S105 - the name of a volume
API_KEY = "iam_apikey"


def settings(view: View) -> IBMCloudKMS:
    """The settings of IBM Cloud's key service."""
    kms = keys.service(view, PROVIDER)
    found = kms.ibmcloud if kms else None
    if found is None or not (found.key_list and found.region):
        raise InvalidSpec("the key service needs a region and a list of keys", field=FIELD)
    return found


def providers(view: View) -> tuple[list[dict[str, Any]], bool]:
    """One provider of a constant name: the sidecar itself distinguishes versions of the key."""
    settings(view)  # refuses what cannot work
    found = stage(view, TargetKey(NAME))
    return [keys.provider(NAME, f"unix://{SOCKET}", "v2")], found.plain_first


def with_sidecars(view: View, manifest: Manifest) -> Manifest:
    """Add the sidecar that asks the key service."""
    token = {"path": TOKEN, "expirationSeconds": 900}
    manifest = edit.add_volumes(
        manifest,
        {"name": "kms-socket", "emptyDir": {}},
        {
            "name": "ibmcloud-kms-kp",
            "secret": {"secretName": "kp-wdek-secret", "optional": True},
        },
        {"name": TOKEN, "projected": {"sources": [{"serviceAccountToken": token}]}},
    )
    if secret := _credentials(view):
        volume = edit.secret_volume("ibmcloud-kms-credentials", secret)
        manifest = edit.add_volumes(manifest, volume)
    manifest = edit.add_container(manifest, _sidecar(view))
    return edit.mount(manifest, KUBE_APISERVER, {"kms-socket": SOCKETS})


def _sidecar(view: View) -> Manifest:
    values = {
        "LOG_LEVEL": "info",
        "NUM_LEN_BYTES": "4",
        "CACHE_TIMEOUT_IN_HOURS": "1",
        "RESTART_DELAY_IN_SECONDS": "0",
        "UNIX_SOCKET_PATH": SOCKET,
        "KP_TIMEOUT": "10",
        "KP_WDEK_PATH": f"{WRAPPED}/wdek",
        "KP_STATE_PATH": f"{WRAPPED}/state",
        "HEALTHZ_PATH": "/healthz",
        "HEALTHZ_PORT": f":{HEALTH}",
        "KP_DATA_JSON": json.dumps(_versions(view), separators=(",", ":"), sort_keys=True),
        "REGION": settings(view).region,
    }
    environment: list[Manifest] = [{"name": name, "value": text} for name, text in values.items()]
    if secret := _credentials(view):
        reference = {"secretKeyRef": {"name": secret, "key": API_KEY}}
        environment.append({"name": "API_KEY", "valueFrom": reference})
    container = {
        "name": "ibmcloud-kms",
        "image": view.annotation(annotations.IBMCLOUD_KMS_PROVIDER_IMAGE),
        "env": environment,
        "volumeMounts": [
            {"name": "ibmcloud-kms-kp", "mountPath": WRAPPED},
            {"name": "kms-socket", "mountPath": SOCKETS},
            {"name": TOKEN, "mountPath": "/etc/pod-identity-token"},
        ],
    }
    return probed(container, "healthz/liveness", HEALTH, served=SERVED)


def _versions(view: View) -> dict[str, Manifest]:
    managed = _auth(view) == KMSAuthType.MANAGED
    return {
        str(key.key_version): {
            "crkID": key.crk_id,
            "instanceID": key.instance_id,
            "correlationID": key.correlation_id,
            "url": key.url,
            "serviceToService": managed,
        }
        for key in settings(view).key_list
    }


def _auth(view: View) -> str:
    kind = settings(view).auth.type
    if kind not in set(KMSAuthType):
        raise InvalidSpec(f"{kind!r} is no way to authenticate", field=f"{FIELD}.auth.type")
    return kind


def _credentials(view: View) -> str:
    """The Secret with the user's own API key; empty where the service trusts the cluster."""
    if _auth(view) == KMSAuthType.MANAGED:
        return ""
    unmanaged = settings(view).auth.unmanaged
    if unmanaged is None or not unmanaged.credentials.name:
        raise InvalidSpec("no credentials are named", field=f"{FIELD}.auth.unmanaged.credentials")
    return unmanaged.credentials.name
