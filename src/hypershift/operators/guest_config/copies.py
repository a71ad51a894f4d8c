"""What the user gave the control plane and pods of the guest may need: copies, kept equal."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypershift.api import labels
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.well_known import PULL_SECRET
from hypershift.kit import Manifest, data_of, labels_of
from hypershift.kube import Client, Resource, kinds
from hypershift.pki import SUCCESSION_SECRET, read_succession
from hypershift.pki.succession import decoded

NAMESPACE = "kube-system"
MANAGED = labels.MANAGED
USER_CA = "user-ca-bundle"
SERVING_CA = "kubelet-serving-ca"
#: The authority that signs what kubelets serve with, as the control plane's PKI calls it.
SIGNER = "cluster-signer-ca"


@dataclass(frozen=True, slots=True)
class Copied:
    """The originals' content; empty where there is none."""

    pull_secret: bytes = field(default=b"", repr=False)
    #: PEM of the authorities that the user trusts besides the usual ones.
    user_ca: str = ""
    #: PEM by which clients check the certificates of kubelets.
    serving_ca: str = ""


async def gather(kube: Client, namespace: str) -> Copied:
    """Read the originals in the control plane namespace."""
    secret = await kube.find(kinds.SECRET, PULL_SECRET, namespace)
    bundle = await kube.find(kinds.CONFIG_MAP, USER_CA, namespace)
    signer = await kube.find(kinds.SECRET, SIGNER, namespace)
    return Copied(
        pull_secret=data_of(secret, DOCKER_CONFIG),
        user_ca=((bundle or {}).get("data") or {}).get("ca-bundle.crt", ""),
        serving_ca=await _serving_ca(kube, namespace, data_of(signer, "ca.crt")),
    )


async def _serving_ca(kube: Client, namespace: str, current: bytes) -> str:
    """Who signs for kubelets: two, while one replaces the other."""
    secret = await kube.find(kinds.SECRET, SUCCESSION_SECRET, namespace)
    found = read_succession(decoded(secret)) if secret else None
    trusted = found.trusted(SIGNER, current) if found and current else current
    return trusted.decode()


def manifests(copied: Copied) -> Iterator[Manifest]:
    """The copies, where there is an original."""
    if copied.pull_secret:
        secret = _object(
            "Secret", PULL_SECRET, {DOCKER_CONFIG: b64encode(copied.pull_secret).decode()}
        )
        yield secret | {"type": "kubernetes.io/dockerconfigjson"}
    if copied.user_ca:
        yield _object("ConfigMap", USER_CA, {"ca-bundle.crt": copied.user_ca})
    if copied.serving_ca:
        yield _object("ConfigMap", SERVING_CA, {"ca-bundle.crt": copied.serving_ca})


def unwanted(copied: Copied) -> Iterator[tuple[Resource, str]]:
    """Copies whose original is gone."""
    if not copied.pull_secret:
        yield kinds.SECRET, PULL_SECRET
    if not copied.user_ca:
        yield kinds.CONFIG_MAP, USER_CA


async def drop(guest: Client, kind: Resource, found: Manifest) -> None:
    """Delete a copy; an object of the same name that is not ours stays."""
    if labels_of(found).get(MANAGED) == "true":
        name, uid = found["metadata"]["name"], found["metadata"]["uid"]
        await guest.delete(kind, name, NAMESPACE, uid=uid)


def _object(kind: str, name: str, data: dict[str, Any]) -> Manifest:
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, "data": data}
