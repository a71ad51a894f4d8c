"""Components of the control plane: which is the first that waits for no other."""

from collections.abc import Iterator

from hypershift.api.conditions import (
    ComponentCondition,
    ComponentReason,
    ConditionStatus,
    ControlPlaneCondition,
    HostedClusterCondition,
)
from hypershift.explain.finding import Finding, ref
from hypershift.explain.picture import PATIENCE, Picture, condition, holds, message_of
from hypershift.kit import Manifest
from hypershift.kube import kinds

DEPENDS = ComponentReason.WAITING_FOR_DEPENDENCIES


def waiting(picture: Picture) -> Iterator[Finding]:
    """Components that are not available although everything that they need is there."""
    for component in picture.of(kinds.CONTROL_PLANE_COMPONENT):
        found = condition(component, ComponentCondition.AVAILABLE)
        if found.get("status") == ConditionStatus.TRUE or found.get("reason") == DEPENDS:
            continue
        if picture.age(found.get("lastTransitionTime")) < PATIENCE:
            continue
        yield Finding(
            ref(component),
            f"it is not available: {message_of(found) or 'nothing is known of it'}",
            f"look at its pods: kubectl describe pods -l app={component['metadata']['name']} "
            f"-n {picture.namespace}",
        )


def remaining(picture: Picture) -> Iterator[Finding]:
    """The first condition that is not as it should be, when nothing better is known."""
    control_plane = next(iter(picture.of(kinds.HOSTED_CONTROL_PLANE)), None)
    for subject in (control_plane, picture.cluster):
        for found in _bad(subject):
            yield Finding(
                ref(subject or picture.cluster),
                f"{found['type']} is {found['status']}: {message_of(found)}",
                "see docs/troubleshooting.md for this condition; "
                f"kubectl get {ref(subject or picture.cluster).words} -o yaml",
            )
            return
    if control_plane is None and picture.is_old(picture.cluster):
        yield Finding(
            ref(picture.cluster),
            "it has no HostedControlPlane yet",
            f"what does the operator say? kubectl logs -n {picture.operator_namespace} "
            "deployment/operator",
        )


#: Conditions that are well when False.
INVERTED = (HostedClusterCondition.DEGRADED, HostedClusterCondition.PROGRESSING)
TELLING = (
    HostedClusterCondition.RECONCILIATION_SUCCEEDED,
    ControlPlaneCondition.INFRASTRUCTURE_READY,
    ControlPlaneCondition.ETCD_AVAILABLE,
    ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE,
    HostedClusterCondition.AVAILABLE,
    ControlPlaneCondition.VALID_RELEASE_INFO,
    ControlPlaneCondition.VALID_CONFIGURATION,
    ControlPlaneCondition.EXTERNAL_DNS_REACHABLE,
    ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED,
    ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE,
    ControlPlaneCondition.CONTROL_PLANE_CONNECTION_AVAILABLE,
    HostedClusterCondition.DEGRADED,
)


def _bad(subject: Manifest | None) -> Iterator[Manifest]:
    for kind in TELLING:
        found = condition(subject, kind)
        if found and found.get("status") == (
            ConditionStatus.TRUE if kind in INVERTED else ConditionStatus.FALSE
        ):
            yield found


def is_available(picture: Picture) -> bool:
    """Whether the cluster can be used, and nothing of it is degraded."""
    return holds(picture.cluster, HostedClusterCondition.AVAILABLE) and not holds(
        picture.cluster, HostedClusterCondition.DEGRADED
    )
