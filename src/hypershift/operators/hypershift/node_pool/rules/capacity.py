"""What a machine of a pool would offer, for the autoscaler while the pool has none.

The autoscaler of the Kubernetes payload reads sizes from annotations alone: it looks for a template
by a field that Cluster API v1beta2 does not have.
"""

from hypershift.api import NodePool
from hypershift.api.node_pool import NodePoolSpec, Taint
from hypershift.kit import Manifest

PREFIX = "capacity.cluster-autoscaler.kubernetes.io"
ARCHITECTURE = "kubernetes.io/arch"
#: The capacity of machines whose template names none.
LOCAL = {"cpu": "2", "memory": "2Gi"}


def annotations(pool: NodePool, template: Manifest) -> dict[str, str]:
    """The annotations of a pool's MachineDeployment or MachineSet; none without autoscaling."""
    found = sizes(template) if pool.spec.auto_scaling else {}
    if not found:
        return {}
    found["labels"] = _labels(pool.spec)
    if taints := _taints(pool.spec):
        found["taints"] = taints
    return {f"{PREFIX}/{name}": text for name, text in found.items()}


def sizes(template: Manifest) -> dict[str, str]:
    """What a machine of the template has: as its provider found out, or as a local one is made."""
    told = (template.get("status") or {}).get("capacity") or {}
    if all(told.get(name) for name in LOCAL):
        return {name: str(told[name]) for name in LOCAL} | _gpus(told)
    if template["kind"] != "LocalMachineTemplate":
        return {}
    machine = template["spec"]["template"]["spec"]
    return {name: str(machine.get(name) or size) for name, size in LOCAL.items()}


def _gpus(capacity: Manifest) -> dict[str, str]:
    """The graphics processors of a machine: their kind is the name of the resource."""
    for name, count in sorted(capacity.items()):
        if name.endswith("/gpu") and str(count) not in ("", "0"):
            return {"gpu-type": name, "gpu-count": str(count)}
    return {}


def _labels(spec: NodePoolSpec) -> str:
    labels = {**(spec.node_labels or {}), ARCHITECTURE: spec.arch or "amd64"}
    return ",".join(f"{name}={value}" for name, value in sorted(labels.items()))


def _taints(spec: NodePoolSpec) -> str:
    return ",".join(sorted(map(_taint, spec.taints or ())))


def _taint(taint: Taint) -> str:
    value = f"={taint.value}" if taint.value else ""
    return f"{taint.key}{value}:{taint.effect}"
