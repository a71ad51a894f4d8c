"""Empties a node before its machine goes away: cordon, evict, and later take it back."""

from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.kube import ApiError, Client, NotFound, TooManyRequests, kinds

DRAINING = "hypershift.openshift.io/in-place-draining-for"
#: The boot from which a node was sent away: another one means that it is back.
LEFT = "hypershift.openshift.io/in-place-left-boot"
_MIRROR = "kubernetes.io/config.mirror"
#: On a pod: Cluster API leaves it on a node that is drained, and so do we.
_DRAIN, _SKIP = "cluster.x-k8s.io/drain", "skip"
_POD_FIELDS = (
    ("metadata", "annotations", _MIRROR),
    ("metadata", "labels", _DRAIN),
    ("status", "phase"),
)


async def cordon(guest: Client, node: str, config_hash: str) -> None:
    """Let no new pod onto a node, and note what for."""
    patch = {
        "metadata": {"annotations": {DRAINING: config_hash}},
        "spec": {"unschedulable": True},
    }
    await guest.patch(kinds.NODE, node, patch)


async def note_boot(guest: Client, node: str, boot: str) -> None:
    """Note from which boot a node is sent away."""
    await guest.patch(kinds.NODE, node, {"metadata": {"annotations": {LEFT: boot}}})


def rebooted(node: Manifest) -> bool:
    """Whether a node was started since it was sent away, or never was sent.

    A node that reboots stays Ready in the API until its silence is noticed, or it is back.
    """
    left = annotations_of(node).get(LEFT)
    return left is None or boot_of(node) != left


def boot_of(node: Manifest) -> str:
    """What changes whenever a node is started."""
    info = (node.get("status") or {}).get("nodeInfo") or {}
    return str(info.get("bootID", ""))


async def uncordon(guest: Client, node: str) -> None:
    """Let pods onto a node again."""
    marks = {DRAINING: None, LEFT: None}
    patch = {"metadata": {"annotations": marks}, "spec": {"unschedulable": None}}
    await guest.patch(kinds.NODE, node, patch)


async def drained(guest: Client, node: str) -> bool:
    """Ask the pods of a node to leave; True once none of them is there any more."""
    pods = await guest.list(kinds.POD, fields=f"spec.nodeName={node}", only=_POD_FIELDS)
    staying = [pod for pod in pods if must_leave(pod)]
    for pod in staying:
        if not pod["metadata"].get("deletionTimestamp"):
            await _evict(guest, pod)
    return not staying


def must_leave(pod: Manifest) -> bool:
    """Whether a pod has to be gone: not of a DaemonSet, not static, not finished, not marked."""
    owners = pod["metadata"].get("ownerReferences") or ()
    return not (
        any(one["kind"] == "DaemonSet" for one in owners)
        or _MIRROR in annotations_of(pod)
        or labels_of(pod).get(_DRAIN) == _SKIP
        or (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")
    )


async def _evict(guest: Client, pod: Manifest) -> None:
    """Ask one pod to leave; a disruption budget may say no for now."""
    metadata = pod["metadata"]
    name, namespace = metadata["name"], metadata["namespace"]
    eviction = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": name, "namespace": namespace},
    }
    try:
        await guest.submit(kinds.POD, name, namespace, "eviction", eviction)
    except (NotFound, TooManyRequests):
        return
    except ApiError as error:
        if error.status != 429:  # noqa: PLR2004 - what a disruption budget answers
            raise
