"""Whether nodes reach their control plane, by what their pods recorded about it."""

from datetime import datetime, timedelta

from hypershift.api.conditions import (
    ALL_IS_WELL,
    Condition,
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
    true,
    unknown,
)
from hypershift.kit import Manifest, from_rfc3339, key_of
from hypershift.kube.cache import Change
from hypershift.operators.guest_config.rules.catalog import SYSTEM

#: What the pods of the checker write, and how old it may be.
RECORD = "control-plane-connectivity-check"
LAST_SUCCEEDED = "lastSucceeded"
STALE = timedelta(minutes=5)
_BROKEN = "Data plane to control plane connection is not available"
_LONGEST = 64


def control_plane_connection(
    nodes: list[Manifest], record: Manifest | None, now: datetime
) -> Condition:
    """Judge what the checker recorded; its clock is the nodes', and its words are a guest's."""
    kind = ControlPlaneCondition.CONTROL_PLANE_CONNECTION_AVAILABLE
    if not nodes:
        text = "No worker nodes available to verify control plane connectivity"
        return unknown(kind, ControlPlaneReason.NO_WORKER_NODES, text)
    if record is None:
        text = (
            f"Connectivity check ConfigMap {SYSTEM}/{RECORD} not found; the hosted cluster"
            " config operator may not have reconciled it yet"
        )
        return unknown(kind, ControlPlaneReason.CONFIG_MAP_NOT_FOUND, text)
    told = str((record.get("data") or {}).get(LAST_SUCCEEDED) or "")[:_LONGEST]
    if not told:
        text = f"{_BROKEN}: no successful connectivity check recorded"
        return false(kind, ControlPlaneReason.KAS_ACCESS_FAILED, text)
    try:
        age = now - from_rfc3339(told)
    except (TypeError, ValueError):  # a moment without a zone is no answer either
        text = f"{_BROKEN}: failed to parse lastSucceeded timestamp {told!r}"
        return false(kind, ControlPlaneReason.KAS_ACCESS_FAILED, text)
    if age > STALE:
        text = f"{_BROKEN}: last successful check was at {told}, which is older than 5 minutes"
        return false(kind, ControlPlaneReason.CONNECTION_CHECK_STALE, text)
    return true(kind, ALL_IS_WELL)


def is_record(manifest: Manifest) -> bool:
    """True of the ConfigMap that the checker writes."""
    return key_of(manifest).name == RECORD


def is_news(change: Change) -> bool:
    """False of a record that is merely newer: each pod writes one a minute."""
    if not (change.old and change.new and is_record(change.new)):
        return True
    told = [bool((one.get("data") or {}).get(LAST_SUCCEEDED)) for one in (change.old, change.new)]
    return told != [True, True]
