"""Whether the pods of a workload inside a hosted cluster are those of its last version."""

from collections.abc import Sequence

from hypershift import addons
from hypershift.kit import Manifest


def software_complete(applied: Sequence[Manifest], nodes: int) -> bool:
    """Whether the pods of every add-on are those of the applied version."""
    return bool(applied) and all(
        is_complete(one, nodes) for one in applied if one["kind"] in addons.WORKLOADS
    )


def is_complete(manifest: Manifest, nodes: int) -> bool:
    """Whether a workload is rolled out; without nodes a Deployment has nowhere to run."""
    if manifest["kind"] == "DaemonSet":
        return _daemon_set_complete(manifest)
    return _deployed(manifest) or not nodes


def _daemon_set_complete(manifest: Manifest) -> bool:
    status = manifest.get("status") or {}
    wanted = status.get("desiredNumberScheduled", 0)
    return bool(
        status.get("observedGeneration", 0) >= manifest["metadata"].get("generation", 0)
        and status.get("updatedNumberScheduled", 0) == wanted
        and status.get("numberAvailable", 0) == wanted
    )


def _deployed(manifest: Manifest) -> bool:
    status, wanted = manifest.get("status") or {}, manifest["spec"].get("replicas", 1)
    return bool(
        status.get("observedGeneration", 0) >= manifest["metadata"].get("generation", 0)
        and status.get("updatedReplicas", 0) == wanted
        and status.get("availableReplicas", 0) == wanted
    )
