"""What Cluster API's manager and a cloud's provider have in common: where they run, for whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.api import encode
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest


@dataclass(frozen=True)
class Manager:
    """What the manager of one cluster follows."""

    namespace: str
    image: str
    spec: HostedClusterSpec
    flags: tuple[str, ...] = ()
    uid: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)  # of cluster-scoped objects


def placed(wanted: Manager, manifest: Manifest) -> Manifest:
    """The manifest as an object of one cluster: its namespace, its marks, its subjects."""
    if manifest["kind"] == "ClusterRoleBinding":
        manifest["metadata"]["name"] += f"-{wanted.namespace}"
        manifest["metadata"]["labels"] = dict(wanted.labels)
    else:
        manifest["metadata"]["namespace"] = wanted.namespace
    for subject in manifest.get("subjects", ()):
        subject["namespace"] = wanted.namespace
    return manifest


def scheduled(wanted: Manager, pod: dict[str, Any]) -> None:
    """Put a pod where the user wants the control plane, under the namespace's own user id."""
    if wanted.uid:
        pod["securityContext"]["runAsUser"] = wanted.uid
    if wanted.spec.node_selector:
        pod["nodeSelector"] = dict(wanted.spec.node_selector)
    if wanted.spec.tolerations:
        pod["tolerations"] = encode(wanted.spec.tolerations)
