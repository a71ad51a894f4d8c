"""A hosted cluster's part in the replacement of authorities: its nodes, and our software there.

Nodes get the files of each stage from a DaemonSet that is there as long as the replacement. Our
software reads the root's certificate once, so its pods roll in each stage, after the cluster
publishes the certificates of that stage to them.
"""

from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from hypershift import addons
from hypershift.api import annotations
from hypershift.api.conditions import (
    Condition,
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
    true,
)
from hypershift.kit import Manifest, annotations_of, documents
from hypershift.kit.assets import asset
from hypershift.kube import Resource, kinds
from hypershift.operators.guest_config.rules.complete import is_complete
from hypershift.pki import Succession, certificate_from_pem
from hypershift.pki.succession import ROOT

#: Where the assets are.
PACKAGE = "hypershift.operators.guest_config"
NAME = "node-authorities"
NAMESPACE = "kube-system"
#: Image that the DaemonSet runs, as its asset calls it: the one of this program.
OWN_IMAGE = "hypershift"
CONDITION = ControlPlaneCondition.GUEST_AUTHORITIES
#: The authority that signs the certificates of kubelets.
SIGNER = "cluster-signer-ca"
#: The authority of the tunnel to the nodes.
TUNNEL = "konnectivity-signer"
KINDS = {
    "DaemonSet": kinds.DAEMON_SET,
    "ConfigMap": kinds.CONFIG_MAP,
    "ServiceAccount": kinds.SERVICE_ACCOUNT,
}


class Needs(Protocol):
    """What is read of a cluster's values."""

    @property
    def authorities(self) -> "Authorities | None": ...
    @property
    def image(self) -> str: ...
    @property
    def konnectivity_ca(self) -> str: ...
    @property
    def konnectivity_cert(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Authorities:
    """What nodes and software of one cluster have to know of its authorities."""

    succession: Succession
    #: What nodes are given, by the names that the program on the node reads.
    files: dict[str, str]

    @property
    def mark(self) -> str:
        return self.succession.mark


def authority_of(kubeconfig: bytes) -> str:
    """Whom a kubeconfig of ours trusts (PEM); empty for none."""
    if not kubeconfig:
        return ""
    (entry,) = documents.loaded(kubeconfig)["clusters"]
    return b64decode(entry["cluster"].get("certificate-authority-data", "")).decode()


def manifests(found: Authorities | None, image: str) -> list[Manifest]:
    """What nodes need while a replacement is under way; its image is this program's."""
    if found is None or not found.succession.replaces_authorities:
        return []
    made = []
    for each in asset(PACKAGE, NAME):
        if each["kind"] == "ConfigMap":
            each["data"] = dict(found.files)
        if each["kind"] == "DaemonSet":
            (container,) = each["spec"]["template"]["spec"]["containers"]
            container["args"].append(f"--mark={found.mark}")
        made.append(addons.with_images({OWN_IMAGE: image}, each))
    return made


def marked(found: Authorities | None, manifest: Manifest) -> Manifest:
    """The manifest; a workload's pods carry the stage, so that they are replaced in each."""
    if found is None or manifest["kind"] not in addons.WORKLOADS:
        return manifest
    template = manifest["spec"]["template"]
    marks = annotations_of(template) | {annotations.AUTHORITIES: found.mark}
    template["metadata"] = template["metadata"] | {"annotations": marks}
    return manifest


def behind(values: Needs, found: Authorities) -> Iterator[str]:
    """What was read of the control plane and is of an earlier stage: caches may lag."""
    bundles = (
        (ROOT, found.files["api-ca.crt"]),
        ("kube-apiserver-to-kubelet-signer", found.files["kubelet-ca.crt"]),
        (SIGNER, found.files["kubelet-ca.crt"]),
        (TUNNEL, values.konnectivity_ca),
    )
    for name, text in bundles:
        if not found.succession.is_followed_by(name, text.encode()):
            yield name
    pairs = ((SIGNER, found.files["signer.crt"].encode()), (TUNNEL, values.konnectivity_cert))
    for name, pem in pairs:
        certificate, signer = certificate_from_pem(pem), found.succession.signer(name)
        if signer and (certificate is None or not signer.issued(certificate)):
            yield name


def waiting(why: str) -> Condition:
    """What the hosted cluster waits for before it follows a stage."""
    return false(CONDITION, ControlPlaneReason.GUEST_FOLLOWS, why)


def progress(found: Authorities, applied: Iterable[Manifest], nodes: int) -> Condition:
    """Whether every node and every pod of ours is as this stage wants it."""
    late = [
        f"{one['kind']} {one['metadata']['name']}"
        for one in applied
        if one["kind"] in addons.WORKLOADS and not is_complete(one, nodes)
    ]
    if late:
        return waiting(f"waiting for {', '.join(late)}")
    return followed(found.mark)


def followed(mark: str) -> Condition:
    """What is reported when a stage's part is done; its mark is a word of the message."""
    return true(CONDITION, f"Nodes and software follow {mark}")


def renewed(word: str) -> Condition:
    """What is reported when no Secret keeps a token of the old key; the stage is its last word."""
    return true(CONDITION, f"Tokens that Secrets keep follow {word}")


def unwanted(values: Needs) -> Iterator[tuple[Resource, str]]:
    """What goes when a replacement is over."""
    found = values.authorities
    if found is None or found.succession.replaces_authorities:
        return
    yield from ((KINDS[each["kind"]], NAME) for each in asset(PACKAGE, NAME))
