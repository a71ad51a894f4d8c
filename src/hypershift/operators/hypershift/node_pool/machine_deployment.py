"""MachineDeployment, MachineSet and MachineHealthCheck of a pool, for Cluster API v1beta2.

The reference vectors show v1beta1; what differs is the spelling alone: `strategy` is under
`rollout`, durations are seconds under `deletion` and `checks`, `maxUnhealthy` is under
`remediation`, and `infrastructureRef` names a group instead of a version and a namespace.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypershift.kit import InvalidSpec, Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import capacity, names
from hypershift.pki import go_duration
from hypershift.runtime import condition_of

MAX_UNHEALTHY = 2
UNHEALTHY_SECONDS = 8 * 60
SLOW_UNHEALTHY_SECONDS = 16 * 60
STARTUP_SECONDS = 20 * 60
#: Platforms whose machines take long to come back.
_SLOW = ("Agent", "None")
_PERCENT = re.compile(r"[0-9]+%")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the machines of a pool are made of."""

    pool: Manifest
    namespace: str
    cluster: str  # the hosted cluster's name
    infra_id: str
    release_version: str
    user_data: str
    config_hash: str
    template: Manifest  # named

    @property
    def name(self) -> str:
        name: str = self.pool["metadata"]["name"]
        return name

    @property
    def label(self) -> str:
        return names.resources_name(self.infra_id, self.cluster, self.name)

    @property
    def management(self) -> dict[str, Any]:
        return self.pool["spec"].get("management") or {}


def replicas(pool: Manifest, current: int | None, *, from_zero: bool) -> int | None:
    """How many machines there shall be; None leaves the number to the autoscaler."""
    spec = pool["spec"]
    if not spec.get("autoScaling"):
        return spec.get("replicas") or 0
    low, high = bounds(pool, from_zero=from_zero)
    if current is None or current < low:
        return low
    return high if current > high else None


def bounds(pool: Manifest, *, from_zero: bool) -> tuple[int, int]:
    """The autoscaler's limits; both are 0 where it has no say."""
    scaling = pool["spec"].get("autoScaling")
    if not scaling:
        return 0, 0
    low: int = scaling.get("min") or 0
    return (low if low or from_zero else 1), scaling["max"]


def machine_deployment(wanted: Wanted, *, from_zero: bool) -> Manifest:
    """The MachineDeployment of a pool that replaces machines, without its number of replicas."""
    labels = {names.CLUSTER_NAME: wanted.infra_id, wanted.label: wanted.label}
    template = _template(wanted, labels, {names.RELEASE_VERSION: wanted.release_version})
    return {
        "apiVersion": kinds.MACHINE_DEPLOYMENT.api_version,
        "kind": "MachineDeployment",
        "metadata": _metadata(wanted, _sizes(wanted.pool, from_zero=from_zero)),
        "spec": {
            "clusterName": wanted.infra_id,
            "selector": {"matchLabels": labels},
            "rollout": {"strategy": strategy(wanted.management)},
            "template": template,
        },
    }


def machine_set(wanted: Wanted, *, from_zero: bool) -> Manifest:
    """The MachineSet of a pool that upgrades machines in place, without its replicas."""
    labels = {names.CLUSTER_NAME: wanted.infra_id, wanted.label: wanted.label}
    annotations = _sizes(wanted.pool, from_zero=from_zero) | {
        names.MAX_UNAVAILABLE: str(max_unavailable(wanted.pool)),
        names.TARGET_CONFIG_VERSION: wanted.config_hash,
    }
    own_labels, own_annotations = node_marks(wanted.pool)
    template = _template(wanted, labels | own_labels, own_annotations)
    return {
        "apiVersion": kinds.MACHINE_SET.api_version,
        "kind": "MachineSet",
        "metadata": _metadata(wanted, annotations),
        "spec": {
            "clusterName": wanted.infra_id,
            "selector": {"matchLabels": {wanted.label: wanted.label}},
            "template": template,
        },
    }


def _metadata(wanted: Wanted, annotations: dict[str, str]) -> Manifest:
    return {
        "name": wanted.name,
        "namespace": wanted.namespace,
        "labels": {names.CLUSTER_NAME: wanted.infra_id},
        "annotations": annotations
        | capacity.annotations(wanted.pool, wanted.template)
        | {names.NODE_POOL: names.pool_value(wanted.pool)},
    }


def _sizes(pool: Manifest, *, from_zero: bool) -> dict[str, str]:
    low, high = bounds(pool, from_zero=from_zero)
    return {names.MIN_SIZE: str(low), names.MAX_SIZE: str(high)}


def _template(wanted: Wanted, labels: dict[str, str], annotations: dict[str, str]) -> Manifest:
    spec: Manifest = {
        "clusterName": wanted.infra_id,
        "bootstrap": {"dataSecretName": wanted.user_data},
        "infrastructureRef": {
            "apiGroup": wanted.template["apiVersion"].partition("/")[0],
            "kind": wanted.template["kind"],
            "name": wanted.template["metadata"]["name"],
        },
        "version": wanted.release_version,
    }
    if deletion := _deletion(wanted.pool["spec"]):
        spec["deletion"] = deletion
    mark = {names.NODE_POOL: names.pool_value(wanted.pool)}
    return {"metadata": {"labels": labels, "annotations": annotations | mark}, "spec": spec}


def _deletion(spec: Manifest) -> Manifest:
    fields = {
        "nodeDrainTimeoutSeconds": "nodeDrainTimeout",
        "nodeVolumeDetachTimeoutSeconds": "nodeVolumeDetachTimeout",
    }
    return {
        ours: int(go_duration(spec[theirs]).total_seconds())
        for ours, theirs in fields.items()
        if spec.get(theirs)
    }


def strategy(management: Manifest) -> Manifest:
    """How machines are replaced; one more at a time and none less, unless the pool says else."""
    replace = management.get("replace") or {}
    if replace.get("strategy") == "OnDelete":
        return {"type": "OnDelete"}
    rolling = {"maxSurge": 1, "maxUnavailable": 0} | (replace.get("rollingUpdate") or {})
    return {"type": "RollingUpdate", "rollingUpdate": rolling}


def max_unavailable(pool: Manifest) -> int:
    """How many nodes may be upgraded in place at a time."""
    asked = (pool["spec"]["management"].get("inPlace") or {}).get("maxUnavailable")
    if asked is None:
        return 1
    if isinstance(asked, str) and _PERCENT.fullmatch(asked):
        share = (pool["spec"].get("replicas") or 0) * int(asked[:-1]) / 100
        return max(1, math.floor(share))
    return int(asked)


def node_marks(pool: Manifest) -> tuple[dict[str, str], dict[str, str]]:
    """Labels and annotations by which a Machine tells its node's labels and taints."""
    spec = pool["spec"]
    labels = {
        f"{names.MANAGED_LABEL}.{name}": value
        for name, value in (spec.get("nodeLabels") or {}).items()
    }
    if not spec.get("taints"):
        return labels, {}
    order = ("key", "value", "effect")
    taints = [{name: one[name] for name in order if one.get(name)} for one in spec["taints"]]
    return labels, {names.TAINTS: json.dumps(taints, separators=(",", ":"))}


def health_check(wanted: Wanted, hosted_cluster: Manifest) -> Manifest:
    """The MachineHealthCheck that replaces machines whose nodes stay away."""
    platform = wanted.pool["spec"]["platform"]["type"]
    default = SLOW_UNHEALTHY_SECONDS if platform in _SLOW else UNHEALTHY_SECONDS
    asked = Overrides(wanted.pool, hosted_cluster)
    timeout = asked.seconds("timeout", default)
    return {
        "apiVersion": kinds.MACHINE_HEALTH_CHECK.api_version,
        "kind": "MachineHealthCheck",
        "metadata": {
            "name": wanted.name,
            "namespace": wanted.namespace,
            "annotations": {names.NODE_POOL: names.pool_value(wanted.pool)},
        },
        "spec": {
            "clusterName": wanted.infra_id,
            "selector": {"matchLabels": {wanted.label: wanted.label}},
            "checks": {
                "nodeStartupTimeoutSeconds": asked.seconds("node-startup-timeout", STARTUP_SECONDS),
                "unhealthyNodeConditions": [
                    {"type": "Ready", "status": status, "timeoutSeconds": timeout}
                    for status in ("False", "Unknown")
                ],
            },
            "remediation": {
                "triggerIf": {"unhealthyLessThanOrEqualTo": asked.amount("max-unhealthy")}
            },
        },
    }


@dataclass(frozen=True, slots=True)
class Overrides:
    """Annotations of the pool, then of the cluster, that change the health check."""

    pool: Manifest
    hosted_cluster: Manifest

    def _asked(self, name: str) -> str:
        key = f"{names.PREFIX}/machine-health-check-{name}"
        for manifest in (self.pool, self.hosted_cluster):
            annotations = manifest["metadata"].get("annotations") or {}
            if annotations.get(key):
                value: str = annotations[key]
                return value
        return ""

    def seconds(self, name: str, default: int) -> int:
        """A duration; one that cannot be read leaves the default."""
        try:
            return int(go_duration(self._asked(name)).total_seconds())
        except InvalidSpec:
            return default

    def amount(self, name: str) -> int | str:
        """A number or a percentage; one that cannot be read leaves the default."""
        asked = self._asked(name)
        if _PERCENT.fullmatch(asked):
            return asked
        return int(asked) if asked.isdigit() else MAX_UNHEALTHY


def is_complete(deployment: Manifest, machines: Sequence[Manifest] = ()) -> bool:
    """Whether every machine of a MachineDeployment is new and available.

    Right after a change its counters still speak of the machines before: whether a machine is up
    to date is told by the machine, a moment later. So the older counters have to agree, no rollout
    may be under way, and no machine may have booted from other user data.
    """
    status, wanted = deployment.get("status") or {}, deployment["spec"].get("replicas") or 0
    older = (status.get("deprecated") or {}).get("v1beta1")
    counts = [status.get(name) for name in ("upToDateReplicas", "replicas", "availableReplicas")]
    if older is not None:
        counts += [older.get(name) for name in ("updatedReplicas", "availableReplicas")]
    generation = deployment["metadata"].get("generation", 0)
    user_data = deployment["spec"]["template"]["spec"]["bootstrap"]["dataSecretName"]
    return (
        all((count or 0) == wanted for count in counts)
        and (status.get("observedGeneration") or 0) >= generation
        and (condition_of(deployment, "RollingOut") or {}).get("status") != "True"
        and all(_user_data(machine) in ("", user_data) for machine in machines)
    )


def _user_data(machine: Manifest) -> str:
    bootstrap = (machine.get("spec") or {}).get("bootstrap") or {}
    name: str = bootstrap.get("dataSecretName", "")
    return name
