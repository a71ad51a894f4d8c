"""Cluster API's v1beta2, which we speak, in the spelling of v1beta1, which the vectors show."""

import copy
from typing import Any

from tests.lib.pools import MACHINES

from hypershift.kit import Manifest

#: The version of each infrastructure kind, which v1beta2 does not name any more.
VERSIONS = {
    name: machines.resource.api_version
    for machines in MACHINES.values()
    for name in (machines.resource.kind, machines.resource.kind.removesuffix("Template"))
}

#: A generation that is never behind.
ANY_GENERATION = 1_000_000


def older(manifest: Manifest) -> Manifest:
    """One of our objects as the original would spell it."""
    if not manifest["apiVersion"].startswith("cluster.x-k8s.io/"):
        return manifest
    made = copy.deepcopy(manifest) | {"apiVersion": "cluster.x-k8s.io/v1beta1"}
    spec = made["spec"]
    match made["kind"]:
        case "MachineDeployment":
            spec["strategy"] = spec.pop("rollout")["strategy"]
            _machine(spec["template"]["spec"], made["metadata"]["namespace"])
        case "MachineSet":
            _machine(spec["template"]["spec"], made["metadata"]["namespace"])
        case "Machine":
            _machine(spec, made["metadata"]["namespace"])
        case "MachineHealthCheck":
            made["spec"] = _health_check(spec)
        case _:
            pass
    return made


def _machine(spec: dict[str, Any], namespace: str) -> None:
    reference = spec["infrastructureRef"]
    version = VERSIONS[reference["kind"]]
    spec["infrastructureRef"] = {
        "apiVersion": version,
        "kind": reference["kind"],
        "name": reference["name"],
        "namespace": namespace,
    }
    deletion = spec.pop("deletion", {})
    for name in ("nodeDrainTimeout", "nodeVolumeDetachTimeout"):
        if f"{name}Seconds" in deletion:
            spec[name] = duration(deletion[f"{name}Seconds"])


def _health_check(spec: dict[str, Any]) -> Manifest:
    checks = spec["checks"]
    return {
        "clusterName": spec["clusterName"],
        "selector": spec["selector"],
        "maxUnhealthy": spec["remediation"]["triggerIf"]["unhealthyLessThanOrEqualTo"],
        "nodeStartupTimeout": duration(checks["nodeStartupTimeoutSeconds"]),
        "unhealthyConditions": [
            {
                "type": one["type"],
                "status": one["status"],
                "timeout": duration(one["timeoutSeconds"]),
            }
            for one in checks["unhealthyNodeConditions"]
        ],
    }


def duration(seconds: int) -> str:
    """Seconds as Go writes a duration."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    text = f"{left}s"
    if hours or minutes:
        text = f"{minutes}m{text}"
    return f"{hours}h{text}" if hours else text


def newer(manifest: Manifest) -> Manifest:
    """An object of a case as our Cluster API spells it."""
    if not manifest["apiVersion"].startswith("cluster.x-k8s.io/"):
        return manifest
    made = copy.deepcopy(manifest) | {"apiVersion": "cluster.x-k8s.io/v1beta2"}
    reference = made["spec"].get("infrastructureRef")
    if reference:
        made["spec"]["infrastructureRef"] = {
            "apiGroup": reference["apiVersion"].partition("/")[0],
            "kind": reference["kind"],
            "name": reference["name"],
        }
    return made


def rolled_out(machines: Manifest) -> Manifest:
    """The status of a MachineDeployment or MachineSet whose machines are all new and well."""
    wanted = machines["spec"].get("replicas") or 0
    counters = ("updatedReplicas", "readyReplicas", "availableReplicas")
    return {
        "observedGeneration": ANY_GENERATION,
        "replicas": wanted,
        "upToDateReplicas": wanted,
        "readyReplicas": wanted,
        "availableReplicas": wanted,
        "deprecated": {"v1beta1": dict.fromkeys(counters, wanted)},
        "conditions": [{"type": "Available", "status": "True"}],
    }
