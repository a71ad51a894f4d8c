"""What the cluster's own version operator says, as the HostedControlPlane repeats it."""

from collections.abc import Iterator

from hypershift.api.conditions import (
    Condition,
    ControlPlaneCondition,
    ControlPlaneReason,
    OperatorCondition,
    Reason,
    copied,
    true,
    unknown,
)
from hypershift.kit import Manifest

#: Our conditions by the version operator's.
CONDITIONS = {
    OperatorCondition.FAILING: ControlPlaneCondition.CLUSTER_VERSION_FAILING,
    OperatorCondition.RELEASE_ACCEPTED: ControlPlaneCondition.CLUSTER_VERSION_RELEASE_ACCEPTED,
    OperatorCondition.PROGRESSING: ControlPlaneCondition.CLUSTER_VERSION_PROGRESSING,
    OperatorCondition.UPGRADEABLE: ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE,
    OperatorCondition.AVAILABLE: ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE,
}
#: Left out where the operator does not say it.
RETRIEVED = OperatorCondition.RETRIEVED_UPDATES
FIELDS = ("desired", "history", "observedGeneration", "availableUpdates", "conditionalUpdates")
NOT_FOUND = "Condition not found in the CVO."


def version_status(live: Manifest) -> Manifest | None:
    """The versions that a ClusterVersion reports; None before it reports any.

    A null is kept: the field must be there, and an empty list says something else.
    """
    status = live.get("status") or {}
    if not status.get("history"):
        return None
    return {name: status[name] for name in FIELDS if name in status} | {
        "availableUpdates": status.get("availableUpdates")
    }


def conditions(live: Manifest | None, problem: str = "") -> Iterator[Condition]:
    """Yield one condition for each that the version operator has or should have."""
    found = {one["type"]: one for one in ((live or {}).get("status") or {}).get("conditions") or ()}
    for name, kind in CONDITIONS.items():
        if name in found and not problem:
            yield _repeated(found[name], kind)
        elif kind is ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE:
            yield true(kind, problem or NOT_FOUND, ControlPlaneReason.FROM_CLUSTER_VERSION)
        else:
            yield unknown(kind, Reason.STATUS_UNKNOWN, problem or NOT_FOUND)
    if RETRIEVED in found and not problem:
        yield _repeated(found[RETRIEVED], ControlPlaneCondition.CLUSTER_VERSION_RETRIEVED_UPDATES)


def _repeated(found: Manifest, kind: ControlPlaneCondition) -> Condition:
    """A condition of ours needs a reason, the version operator's does not."""
    reason = found.get("reason") or ControlPlaneReason.FROM_CLUSTER_VERSION
    return copied({**found, "reason": str(reason)}, kind)
