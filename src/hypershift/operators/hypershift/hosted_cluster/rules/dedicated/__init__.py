"""The per-cluster roles as Deployments of a control plane namespace: Dedicated mode."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.api import encode
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.publishing import strategy
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.assets import asset
from hypershift.kube import kinds
from hypershift.platforms import platform_of
from hypershift.release import FIRST_CONTRACT

#: The roles, in the order in which they are started.
ROLES = (
    "control-plane-operator",
    "hosted-cluster-config-operator",
    "ignition-server",
    "machine-approver",
)
#: The ways to deploy roles that this operator knows.
CONTRACTS = frozenset({FIRST_CONTRACT})
#: Of the embedded cluster's machines, which other management clusters may not have.
LOCAL_GROUP = kinds.LOCAL_CLUSTER.group


@dataclass(frozen=True)
class Dedicated:
    """What the roles of one cluster follow."""

    namespace: str
    image: str
    spec: HostedClusterSpec
    uid: int = 0
    registry_mirrors: Mapping[str, str] = field(default_factory=dict)
    registry_overrides: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)  # of cluster-scoped objects
    contract: str = FIRST_CONTRACT  # how the Deployments of its image look

    def arguments(self, role: str) -> list[str]:
        """The command line of one role."""
        mirrors = (f"{host}={url}" for host, url in sorted(self.registry_mirrors.items()))
        overrides = (f"{old}={new}" for old, new in sorted(self.registry_overrides.items()))
        return [
            role,
            "run",
            f"--namespace={self.namespace}",
            "--pod-name=$(POD_NAME)",
            f"--control-plane-operator-image={self.image}",
            *(f"--registry-mirror={mirror}" for mirror in mirrors),
            *(f"--registry-overrides={override}" for override in overrides),
        ]


def manifests(wanted: Dedicated) -> list[Manifest]:
    """Every object of the roles.

    The Deployments of a contract never change: an image that was made for it would be rolled by
    nothing but a newer HyperShift operator. What a newer image needs else is another contract,
    with assets of its own beside these.
    """
    if wanted.contract not in CONTRACTS:
        raise InvalidSpec(
            f"the image {wanted.image} is newer than this operator: its roles are deployed in a"
            f" way (contract {wanted.contract}) that is not known here",
            field="metadata.annotations",
        )
    return [_edited(wanted, manifest) for manifest in _assets()]


def _edited(wanted: Dedicated, manifest: Manifest) -> Manifest:
    if manifest["kind"] == "ClusterRoleBinding":
        manifest["metadata"]["name"] += f"-{wanted.namespace}"
        manifest["metadata"]["labels"] = dict(wanted.labels)
    else:
        manifest["metadata"]["namespace"] = wanted.namespace
    for subject in manifest.get("subjects", ()):
        subject["namespace"] = wanted.namespace
    edit = EDITS.get(manifest["kind"])
    return edit(wanted, manifest) if edit else manifest


def _deployment(wanted: Dedicated, manifest: Manifest) -> Manifest:
    pod: dict[str, Any] = manifest["spec"]["template"]["spec"]
    pod["containers"][0] |= {
        "image": wanted.image,
        "args": wanted.arguments(manifest["metadata"]["name"]),
    }
    if wanted.uid:
        pod["securityContext"]["runAsUser"] = wanted.uid
    if selector := wanted.spec.node_selector:
        pod["nodeSelector"] = dict(selector)
    if tolerations := wanted.spec.tolerations:
        pod["tolerations"] = encode(tolerations)
    return manifest


def _service(wanted: Dedicated, manifest: Manifest) -> Manifest:
    """Publish the ignition server as the cluster asks."""
    chosen = strategy(wanted.spec, ServiceType.IGNITION)
    outside = (PublishingStrategyType.LOAD_BALANCER, PublishingStrategyType.NODE_PORT)
    if chosen is None or chosen.type not in outside:
        return manifest
    manifest["spec"]["type"] = chosen.type
    if chosen.node_port and chosen.node_port.port:
        manifest["spec"]["ports"][0]["nodePort"] = chosen.node_port.port
    return manifest


def _role(wanted: Dedicated, manifest: Manifest) -> Manifest:
    """Leave the embedded cluster's kinds out elsewhere: the operator may not know them."""
    side = platform_of(wanted.spec).cluster
    infra = side.infra_resource if side else None
    if infra is None or infra.group != LOCAL_GROUP:
        kept = [rule for rule in manifest["rules"] if rule["apiGroups"] != [LOCAL_GROUP]]
        manifest["rules"] = kept
    return manifest


def cluster_role() -> Manifest:
    """What every control plane operator may read of the whole cluster."""
    (manifest,) = asset(__package__, "cluster-role")
    return manifest


def _assets() -> Iterator[Manifest]:
    for role in ROLES:
        yield from asset(__package__, role)


EDITS: dict[str, Callable[[Dedicated, Manifest], Manifest]] = {
    "Deployment": _deployment,
    "Role": _role,
    "Service": _service,
}

__all__ = ["ROLES", "Dedicated", "cluster_role", "manifests"]
