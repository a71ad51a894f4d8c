"""The control plane namespace: its labels, and a user id that no other control plane has."""

from collections.abc import Iterable

from hypershift.api import labels
from hypershift.component import pod_user
from hypershift.kit import Manifest
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.ownership import Owner

FIRST_UID = 1001
UIDS = 10000
POD_SECURITY_LEVELS = frozenset({"restricted", "baseline", "privileged"})


def namespace(
    owner: Owner,
    annotations: dict[str, str],
    uid: int,
    *,
    monitored: bool,
    restricted: bool = True,
) -> Manifest:
    """The Namespace of a cluster's control plane; not all of its operators make restricted pods."""
    level = annotations.get(names.POD_SECURITY_OVERRIDE, "").lower()
    if level not in POD_SECURITY_LEVELS:
        level = "restricted" if restricted else "privileged"
    wanted = {
        names.HOSTED_CONTROL_PLANE: "true",
        labels.MONITORING: "true",
        "security.openshift.io/scc.podSecurityLabelSync": "false",
        **{f"pod-security.kubernetes.io/{mode}": level for mode in ("enforce", "audit", "warn")},
    }
    if monitored:
        wanted["openshift.io/cluster-monitoring"] = "true"
    marks = ownership.mark(owner)
    if uid:
        marks[names.SECURITY_CONTEXT_UID] = str(uid)
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": control_plane_namespace(owner.key),
            "labels": wanted,
            "annotations": marks,
        },
    }


def free_uid(namespaces: Iterable[Manifest]) -> int:
    """The lowest user id that no control plane runs as."""
    taken = {pod_user(item) for item in namespaces}
    for uid in range(FIRST_UID, FIRST_UID + UIDS):
        if uid not in taken:
            return uid
    # Sharing the last one is weaker isolation, but no reason to refuse a cluster.
    return FIRST_UID + UIDS - 1


def first(wanted: Manifest) -> Manifest:
    """A namespace with its owner's mark alone: it is created before the rest is applied.

    An apply can later remove what it owns itself, such as a label that is no longer wanted.
    """
    metadata = wanted["metadata"]
    kept = {names.HOSTED_CONTROL_PLANE: metadata["labels"][names.HOSTED_CONTROL_PLANE]}
    return wanted | {"metadata": metadata | {"labels": kept}}
