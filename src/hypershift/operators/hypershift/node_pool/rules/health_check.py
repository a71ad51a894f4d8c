"""The MachineHealthChecks of a pool, for Cluster API v1beta2.

The reference vectors show v1beta1; there `maxUnhealthy` and durations are fields of the spec.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hypershift.api import HostedCluster
from hypershift.api.annotations import (
    MACHINE_HEALTH_CHECK_MAX_UNHEALTHY,
    MACHINE_HEALTH_CHECK_STARTUP_TIMEOUT,
    MACHINE_HEALTH_CHECK_TIMEOUT,
)
from hypershift.api.conditions import ConditionStatus, NodeCondition
from hypershift.kit import InvalidSpec, Manifest, go_duration
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules.machine_deployment import Wanted, percentage
from hypershift.platforms import platform_named

MAX_UNHEALTHY = 2
UNHEALTHY_SECONDS = 8 * 60
SLOW_UNHEALTHY_SECONDS = 16 * 60
STARTUP_SECONDS = 20 * 60
_NUMBER = re.compile(r"[-+]?[0-9]{1,10}", re.ASCII)


def health_check(wanted: Wanted, cluster: HostedCluster) -> Manifest:
    """The check that replaces machines whose nodes stay away."""
    slow = platform_named(wanted.pool.spec.platform.type).pools.slow_to_return
    default = SLOW_UNHEALTHY_SECONDS if slow else UNHEALTHY_SECONDS
    asked = Overrides(wanted.pool.metadata.annotations, cluster.metadata.annotations)
    return _check(
        wanted,
        wanted.name,
        selector={wanted.label: wanted.label},
        timeout=asked.seconds(MACHINE_HEALTH_CHECK_TIMEOUT, default),
        startup=asked.seconds(MACHINE_HEALTH_CHECK_STARTUP_TIMEOUT, STARTUP_SECONDS),
        limit=asked.amount(MACHINE_HEALTH_CHECK_MAX_UNHEALTHY),
    )


def spot_name(pool: str) -> str:
    """The name of the check for machines that the cloud may take back."""
    return f"{pool}-spot"


def spot_health_check(wanted: Wanted) -> Manifest:
    """The check for machines that the cloud may take back: as many at once as it likes."""
    return _check(
        wanted,
        spot_name(wanted.name),
        selector={names.INTERRUPTIBLE: ""},
        timeout=UNHEALTHY_SECONDS,
        startup=STARTUP_SECONDS,
        limit="100%",
    )


def _check(
    wanted: Wanted,
    name: str,
    *,
    selector: dict[str, str],
    timeout: int,
    startup: int,
    limit: int | str,
) -> Manifest:
    return {
        "apiVersion": kinds.MACHINE_HEALTH_CHECK.api_version,
        "kind": "MachineHealthCheck",
        "metadata": {
            "name": name,
            "namespace": wanted.namespace,
            "labels": dict(wanted.watch_labels),
            "annotations": {names.NODE_POOL: names.pool_value(wanted.pool)},
        },
        "spec": {
            "clusterName": wanted.infra_id,
            "selector": {"matchLabels": selector},
            "checks": {
                "nodeStartupTimeoutSeconds": startup,
                "unhealthyNodeConditions": [
                    {
                        "type": NodeCondition.READY.value,
                        "status": status.value,
                        "timeoutSeconds": timeout,
                    }
                    for status in (ConditionStatus.FALSE, ConditionStatus.UNKNOWN)
                ],
            },
            "remediation": {"triggerIf": {"unhealthyLessThanOrEqualTo": limit}},
        },
    }


#: Cluster API counts seconds in 32 bits.
_LONGEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Overrides:
    """Annotations of the pool, then of the cluster, that change the health check."""

    of_pool: Mapping[str, str] | None
    of_cluster: Mapping[str, str] | None

    def _asked(self, name: str) -> str:
        return (self.of_pool or {}).get(name) or (self.of_cluster or {}).get(name) or ""

    def seconds(self, name: str, default: int) -> int:
        """A duration; one that cannot be read leaves the default."""
        try:
            return min(int(go_duration(self._asked(name)).total_seconds()), _LONGEST)
        except InvalidSpec:
            return default

    def amount(self, name: str) -> int | str:
        """A number or a percentage; one that cannot be read leaves the default."""
        asked = self._asked(name)
        if _NUMBER.fullmatch(asked):
            return int(asked)
        try:
            percentage(asked)
        except InvalidSpec:
            return MAX_UNHEALTHY
        return asked
