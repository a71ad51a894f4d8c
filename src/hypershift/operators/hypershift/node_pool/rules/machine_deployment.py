"""MachineDeployment and MachineSet of a pool, for Cluster API v1beta2.

The reference vectors show v1beta1; what differs is the spelling alone: `strategy` is under
`rollout`, durations are seconds under `deletion`, and `infrastructureRef` names a group instead of
a version and a namespace.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hypershift.api import NodePool
from hypershift.api.conditions import MachineCondition
from hypershift.api.node_pool import Management, NodePoolSpec, Taint
from hypershift.ignition.goyaml import to_json
from hypershift.kit import InvalidSpec, Manifest, go_duration
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules import capacity
from hypershift.operators.hypershift.node_pool.rules.autoscaling import bounds
from hypershift.platforms import uses_spot
from hypershift.runtime import is_true

_NUMBER = re.compile(r"[-+]?[0-9]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the machines of a pool are made of."""

    pool: NodePool
    namespace: str
    cluster: str  # the hosted cluster's name
    infra_id: str
    release_version: str
    user_data: str
    config_hash: str
    template: Manifest  # named
    #: Where Cluster API puts machines that are replaced; the original leaves others where they are.
    failure_domain: str = ""
    #: Labels that choose the Cluster API manager. Cluster API copies labels of a template to
    #: machines that are there; it replaces none of them.
    watch_labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.pool.metadata.name

    @property
    def label(self) -> str:
        return names.resources_name(self.infra_id, self.cluster, self.name)

    @property
    def management(self) -> Management:
        return self.pool.spec.management


def machine_deployment(wanted: Wanted, *, from_zero: bool) -> Manifest:
    """The MachineDeployment of a pool that replaces machines, without its number of replicas."""
    labels = {names.CLUSTER_NAME: wanted.infra_id, wanted.label: wanted.label}
    template = _template(wanted, labels, {names.RELEASE_VERSION: wanted.release_version})
    if wanted.failure_domain:
        template["spec"]["failureDomain"] = wanted.failure_domain
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
        "labels": {names.CLUSTER_NAME: wanted.infra_id, **wanted.watch_labels},
        "annotations": annotations
        | capacity.annotations(wanted.pool, wanted.template)
        | {names.NODE_POOL: names.pool_value(wanted.pool)},
    }


def _sizes(pool: NodePool, *, from_zero: bool) -> dict[str, str]:
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
    if deletion := _deletion(wanted.pool.spec):
        spec["deletion"] = deletion
    if uses_spot(wanted.pool):
        labels = labels | {names.INTERRUPTIBLE: ""}
    labels = labels | dict(wanted.watch_labels)
    mark = {names.NODE_POOL: names.pool_value(wanted.pool)}
    return {"metadata": {"labels": labels, "annotations": annotations | mark}, "spec": spec}


#: Cluster API counts seconds in 32 bits; 68 years are as good as for ever.
_LONGEST_TIMEOUT = 2**31 - 1


def _deletion(spec: NodePoolSpec) -> Manifest:
    timeouts = {
        "nodeDrainTimeoutSeconds": spec.node_drain_timeout,
        "nodeVolumeDetachTimeoutSeconds": spec.node_volume_detach_timeout,
    }
    return {
        name: min(int(go_duration(timeout).total_seconds()), _LONGEST_TIMEOUT)
        for name, timeout in timeouts.items()
        if timeout
    }


def strategy(management: Management) -> Manifest:
    """How machines are replaced, from the pool's spec."""
    replace = management.replace
    wanted: Manifest = {"type": (replace.strategy if replace else None) or ""}
    if replace and (rolling := replace.rolling_update) is not None:
        limits = {"maxSurge": rolling.max_surge, "maxUnavailable": rolling.max_unavailable}
        wanted["rollingUpdate"] = {
            name: value for name, value in limits.items() if value is not None
        }
    return wanted


def max_unavailable(pool: NodePool) -> int:
    """How many nodes may be upgraded in place at a time."""
    in_place = pool.spec.management.in_place
    asked = in_place.max_unavailable if in_place else None
    if asked is None or isinstance(asked, int):
        return asked or 1
    return (pool.spec.replicas or 0) * percentage(asked) // 100 or 1


def percentage(text: str) -> int:
    """The number before the percent sign; another text is refused in the original's words."""
    wrong = "invalid value for IntOrString"
    if not text.endswith("%"):
        raise InvalidSpec(f"{wrong}: invalid type: string is not a percentage")
    number = text.removesuffix("%")
    if not _NUMBER.fullmatch(number):
        why = f'strconv.Atoi: parsing "{number}": invalid syntax'
        raise InvalidSpec(f'{wrong}: invalid value "{text}": {why}')
    return int(number)


def node_marks(pool: NodePool) -> tuple[dict[str, str], dict[str, str]]:
    """Labels and annotations by which a Machine gives its node labels and taints."""
    labels = {
        f"{names.MANAGED_LABEL}.{name}": value
        for name, value in (pool.spec.node_labels or {}).items()
    }
    given = pool.spec.taints
    taints = None if given is None else [_taint(each) for each in given]
    return labels, {names.TAINTS: to_json(taints, sort=False)}


def _taint(taint: Taint) -> Manifest:
    """A taint without its empty fields, in the order of Go's struct."""
    fields = {"key": taint.key, "value": taint.value, "effect": taint.effect}
    return {name: value for name, value in fields.items() if value}


def is_complete(deployment: Manifest, machines: Sequence[Manifest] = ()) -> bool:
    """Whether every machine of a MachineDeployment is new and available.

    Right after a change its counters still describe the earlier machines: Cluster API updates them
    a moment later. So the older counters have to agree, no rollout may be under way, and no machine
    may have booted from other user data.
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
        and not is_true(deployment, MachineCondition.ROLLING_OUT)
        and all(_user_data(machine) in ("", user_data) for machine in machines)
    )


def _user_data(machine: Manifest) -> str:
    bootstrap = (machine.get("spec") or {}).get("bootstrap") or {}
    name: str = bootstrap.get("dataSecretName", "")
    return name
