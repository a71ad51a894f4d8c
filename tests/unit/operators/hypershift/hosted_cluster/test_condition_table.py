"""What is seen of a hosted cluster, and the condition that the original makes of it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.api.conditions import Condition, ForeignReason, HostedClusterCondition, false
from hypershift.kit import Manifest, SystemClock
from hypershift.operators.hypershift.hosted_cluster.rules import conditions as rules
from hypershift.platforms import PLATFORMS
from hypershift.runtime import Conditions, active_condition

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_plane(kind: str = "", status: str = "") -> Manifest:
    found = {"type": kind, "status": status, "reason": "Because", "message": "so"}
    return {"status": {"conditions": [found] if kind else []}}


def bubbled(kind: str, plane: Manifest | None) -> Condition:
    return next(
        one for one in rules.copied_conditions(plane, PLATFORMS["None"]) if one.type == kind
    )


def progressing(rolling_out: bool, **gates: str) -> Condition:  # noqa: FBT001 - a column
    conditions = Conditions({}, SystemClock())
    for kind, message in gates.items():
        conditions.set(false(HostedClusterCondition(kind), ForeignReason("Bad"), message))
    return rules.progressing(conditions, refused="", rolling_out=rolling_out)


def etcd(data: dict[str, str] | None, endpoint: str = "https://etcd:2379") -> Condition:
    section = {"endpoint": endpoint, "tls": {"clientSecret": {"name": "tls"}}}
    secret = None if data is None else {"data": data}
    return rules.unmanaged_etcd(a_decoded_spec({"etcd": {"unmanaged": section}}), secret)


KEYS = {"etcd-client.crt": "", "etcd-client.key": "", "etcd-client-ca.crt": ""}
NONE, NO_HCP = "The hosted control plane is not found", "Condition not found in the HCP"
NO_CVO = "Condition not found in the CVO."
WAITS = "Waiting for hosted control plane to be healthy"
ROLLS = "HostedCluster is deploying, upgrading, or reconfiguring"

TABLE: dict[str, tuple[Condition, str, str, str]] = {
    "copied: no plane": (bubbled("EtcdAvailable", None), "Unknown", "StatusUnknown", NONE),
    "copied: not said": (bubbled("EtcdAvailable", a_plane()), "Unknown", "StatusUnknown", NO_HCP),
    "copied: said": (
        bubbled("EtcdAvailable", a_plane("EtcdAvailable", "False")),
        "False",
        "Because",
        "so",
    ),
    "version: not said": (
        bubbled("ClusterVersionAvailable", a_plane()),
        "Unknown",
        "StatusUnknown",
        NO_CVO,
    ),
    "version: fails": (
        bubbled("ClusterVersionSucceeding", a_plane("ClusterVersionFailing", "True")),
        "False",
        "Because",
        "so",
    ),
    "degraded: not said": (bubbled("Degraded", a_plane()), "Unknown", "StatusUnknown", NONE),
    "degraded: no": (
        bubbled("Degraded", a_plane("Degraded", "False")),
        "False",
        "Because",
        "The hosted cluster is not degraded",
    ),
    "degraded: yes": (bubbled("Degraded", a_plane("Degraded", "True")), "True", "Because", "so"),
    "available: no plane": (rules.available(None, None), "False", "WaitingForAvailable", WAITS),
    "available: blocked": (
        rules.available(None, {"reason": "Blocked", "message": "x condition is false: y"}),
        "False",
        "WaitingForAvailable",
        "x condition is false: y",
    ),
    "available: not yet": (
        rules.available(a_plane("Available", "False"), None),
        "False",
        "Because",
        "so",
    ),
    "available: yes": (
        rules.available(a_plane("Available", "True"), None),
        "True",
        "AsExpected",
        "The hosted control plane is available",
    ),
    "progressing: rolls": (progressing(True), "True", "Progressing", ROLLS),  # noqa: FBT003 - a column
    "progressing: there": (
        progressing(False),  # noqa: FBT003 - a column
        "False",
        "AsExpected",
        "HostedCluster is at expected version",
    ),
    "progressing: blocked": (
        progressing(True, ValidReleaseImage="no such image"),  # noqa: FBT003 - a column
        "False",
        "Blocked",
        "ValidReleaseImage condition is false: no such image",
    ),
    "restore: nobody knows": (rules.restored(a_plane()), "Unknown", "RecoveryFinished", ""),
    "restore: done": (
        rules.restored(a_plane("HostedClusterRestoredFromBackup", "True")),
        "True",
        "Because",
        "so",
    ),
    "etcd: no secret": (
        etcd(None),
        "False",
        "UnmanagedEtcdMisconfigured",
        "missing TLS client secret tls",
    ),
    "etcd: no address": (
        etcd(KEYS, ""),
        "False",
        "UnmanagedEtcdMisconfigured",
        "etcd metadata not specified for unmanaged deployment",
    ),
    "etcd: no key": (
        etcd({name: "" for name in KEYS if not name.endswith("key")}),
        "False",
        "UnmanagedEtcdMisconfigured",
        "etcd secret tls does not have client key",
    ),
    "etcd: no authority": (
        etcd({name: "" for name in KEYS if "-ca" not in name}),
        "False",
        "UnmanagedEtcdMisconfigured",
        "etcd secret tls does not have client ca",
    ),
    "etcd: all there": (etcd(KEYS), "True", "UnmanagedEtcdAsExpected", ""),
}


@pytest.mark.parametrize(("found", "status", "reason", "message"), TABLE.values(), ids=TABLE.keys())
def test_condition(found: Condition, status: str, reason: str, message: str) -> None:
    assert (found.status, found.reason, found.message) == (status, reason, message)


ACTIVE = "Reconciliation active on resource"
PAUSES: dict[Any, tuple[str, str, str]] = {
    None: ("True", "AsExpected", ACTIVE),
    "false": ("True", "AsExpected", ACTIVE),
    "true": ("False", "ReconciliationPaused", "Reconciliation paused until field removed"),
    "2026-01-02T00:00:00Z": (
        "False",
        "ReconciliationPaused",
        "Reconciliation paused until: 2026-01-02T00:00:00Z",
    ),
    "2025-01-02T00:00:00Z": ("True", "AsExpected", ACTIVE),
    "tomorrow": (
        "True",
        "InvalidPausedUntilValue",
        "Invalid value provided for PausedUntil field",
    ),
}


@pytest.mark.parametrize(("until", "wanted"), PAUSES.items())
def test_a_pause(until: str | None, wanted: tuple[str, str, str]) -> None:
    kind = HostedClusterCondition.RECONCILIATION_ACTIVE
    found = active_condition(kind, {"spec": {"pausedUntil": until}}, NOW)
    assert (found.status, found.reason, found.message) == wanted
