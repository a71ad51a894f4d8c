"""Snapshots of audit logs: when one is due, what it looks like, which ones go."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from hypershift.api import annotations, labels
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.kit import Manifest, annotations_of, from_rfc3339
from hypershift.operators.hypershift.audit_logs.rules.wanted import Wanted

_COUNT = re.compile(r"[0-9]{1,9}")
_AS_NAMED = "%Y%m%d-%H%M%S"


def restarts(pod: Manifest) -> int:
    """How often the API server of a pod was started again."""
    return int(_server(pod).get("restartCount") or 0)


def observed(pod: Manifest) -> int:
    """How many restarts were dealt with; a note that is no number counts as none."""
    noted = annotations_of(pod).get(annotations.LAST_OBSERVED_RESTART_COUNT, "")
    return int(noted) if _COUNT.fullmatch(noted) else 0


def is_due(pod: Manifest, asked: Wanted, now: datetime) -> bool:
    """Whether the last snapshot is long enough ago."""
    try:
        last = from_rfc3339(annotations_of(pod).get(annotations.LAST_SNAPSHOT_TIME, ""))
    except ValueError:
        return True
    return now - last >= asked.interval


def ended(pod: Manifest, now: datetime) -> datetime:
    """When the server ended: the same for every pass after one restart, however often it fails."""
    state = (_server(pod).get("lastState") or {}).get("terminated") or {}
    try:
        return from_rfc3339(str(state.get("finishedAt") or ""))
    except ValueError:
        return now


def snapshot(pod: Manifest, claim: str, asked: Wanted, when: datetime) -> Manifest:
    """The VolumeSnapshot of a claim after a restart."""
    metadata = pod["metadata"]
    spec: Manifest = {"source": {"persistentVolumeClaimName": claim}}
    if asked.snapshot_class:
        spec["volumeSnapshotClassName"] = asked.snapshot_class
    return {
        "apiVersion": "snapshot.storage.k8s.io/v1",
        "kind": "VolumeSnapshot",
        "metadata": {
            "name": f"{claim}-snapshot-{when.strftime(_AS_NAMED)}",
            "namespace": metadata["namespace"],
            "labels": {
                labels.AUDIT_LOGS_PVC: claim,
                labels.AUDIT_LOGS_POD: metadata["name"],
                labels.HOSTED_CONTROL_PLANE_NAMESPACE: metadata["namespace"],
            },
        },
        "spec": spec,
    }


def superfluous(found: Iterable[Manifest], claim: str, asked: Wanted) -> Sequence[str]:
    """The names of snapshots beyond what is kept of one pod and of the namespace, oldest first."""
    every = sorted(found, key=_age)
    of_pod = [one for one in every if one["metadata"]["labels"].get(labels.AUDIT_LOGS_PVC) == claim]
    gone = _names(of_pod[: max(0, len(of_pod) - asked.per_pod)])
    left = [name for name in _names(every) if name not in gone]
    return [*gone, *left[: max(0, len(left) - asked.per_namespace)]]


def _names(found: Iterable[Manifest]) -> list[str]:
    return [str(one["metadata"]["name"]) for one in found]


def _age(one: Manifest) -> tuple[str, str]:
    metadata = one["metadata"]
    return str(metadata.get("creationTimestamp") or ""), str(metadata["name"])


def _server(pod: Manifest) -> Manifest:
    found = (pod.get("status") or {}).get("containerStatuses") or ()
    named: Manifest = next((one for one in found if one["name"] == KUBE_APISERVER), {})
    return named
