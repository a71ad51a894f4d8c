"""A HostedControlPlane's conditions, as pure functions of the objects in its namespace."""

from collections.abc import Iterable, Mapping, Sequence

from hypershift.api import labels
from hypershift.api.conditions import (
    ALL_IS_WELL,
    ComponentCondition,
    Condition,
    ControlPlaneCondition,
    ControlPlaneReason,
    DeploymentCondition,
    ForeignReason,
    Reason,
    copied,
    fails,
    false,
    true,
    unknown,
)
from hypershift.api.etcd import Etcd
from hypershift.api.values import EtcdManagementType
from hypershift.api.well_known import CONTROL_PLANE_OPERATOR
from hypershift.kit import Manifest, aggregate, labels_of
from hypershift.runtime import Conditions, condition_of, is_true

MANAGED_BY = labels.MANAGED_BY
MANAGER = CONTROL_PLANE_OPERATOR
#: The containers that restore a member, in their order; the last one's end is the restore's.
RESTORING = ("etcd-fetch", "etcd-init")
#: Characters of a log's end that a condition repeats.
LONGEST_REASON = 1024


def etcd_available(etcd: Etcd, stateful_set: Manifest | None, trouble: str = "") -> Condition:
    """Whether etcd has quorum; `trouble` is what its volumes complain about."""
    kind = ControlPlaneCondition.ETCD_AVAILABLE
    if etcd.management_type == EtcdManagementType.UNMANAGED:
        text = "Etcd cluster is assumed to be running in unmanaged state"
        return true(kind, text, ControlPlaneReason.ETCD_RUNNING)
    if etcd.management_type != EtcdManagementType.MANAGED:
        return unknown(kind)
    if stateful_set is None:
        return false(kind, ControlPlaneReason.STATEFUL_SET_NOT_FOUND)
    if has_quorum(stateful_set):
        return true(kind, reason=ControlPlaneReason.QUORUM_AVAILABLE)
    text = trouble or "Waiting for etcd to reach quorum"
    return false(kind, ControlPlaneReason.ETCD_WAITING_FOR_QUORUM, text)


def shards_available(shards: Mapping[str, Manifest | None]) -> Condition:
    """Whether each etcd cluster beside the first one has quorum, while the first one has it."""
    kind = ControlPlaneCondition.ETCD_AVAILABLE
    late = [name for name, found in sorted(shards.items()) if not found or not has_quorum(found)]
    if late:
        text = f"Waiting for {', '.join(late)} to reach quorum"
        return false(kind, ControlPlaneReason.ETCD_WAITING_FOR_QUORUM, text)
    return true(kind, reason=ControlPlaneReason.QUORUM_AVAILABLE)


def shards_in_use(late: Iterable[str]) -> Condition:
    """Whether every shard keeps its kinds; `late` ones were added to a cluster that has data."""
    kind = ControlPlaneCondition.ETCD_SHARDS_IN_USE
    if names := ", ".join(sorted(late)):
        text = (
            f"shard {names} was added after the API server had started: the first etcd cluster goes"
            " on to keep its kinds, what it holds of them would be out of sight"
        )
        return false(kind, ControlPlaneReason.SHARD_ADDED_LATER, text)
    return true(kind)


def has_quorum(stateful_set: Manifest) -> bool:
    """Whether a majority of the members is ready."""
    wanted: int = stateful_set["spec"].get("replicas", 1)
    ready: int = (stateful_set.get("status") or {}).get("readyReplicas", 0)
    return ready >= wanted // 2 + 1


def claim_trouble(claims: Iterable[Manifest], events: Iterable[Manifest]) -> str:
    """What the first volume claim that is not bound complains about; empty when none does."""
    said = list(events)
    for claim in sorted(claims, key=lambda found: str(found["metadata"]["name"])):
        name = claim["metadata"]["name"]
        if (claim.get("status") or {}).get("phase") == "Bound":
            continue
        if messages := warnings_about("PersistentVolumeClaim", claim, said):
            return f"Etcd volume claim {name} pending: {messages}"
    return ""


def warnings_about(kind: str, found: Manifest, events: Iterable[Manifest]) -> str:
    """Warning events about an object: for each reason the newest, in one line."""
    metadata = found["metadata"]

    def concerns(event: Manifest) -> bool:
        about = event.get("involvedObject") or {}
        if metadata.get("uid") and about.get("uid"):
            return bool(about["uid"] == metadata["uid"])
        return (about.get("kind"), about.get("name")) == (kind, metadata["name"])

    newest = sorted(
        (event for event in events if event.get("type") != "Normal" and concerns(event)),
        key=lambda event: str((event.get("metadata") or {}).get("creationTimestamp") or ""),
        reverse=True,
    )
    said: dict[str, str] = {}
    for event in newest:
        said.setdefault(event.get("reason") or "", str(event.get("message", "")))
    return "; ".join(said.values())


def snapshot_restored(stateful_set: Manifest, pods: Iterable[Manifest]) -> Condition | None:
    """Whether every member started from the snapshot, or why one cannot; None while some start."""
    wanted = stateful_set["spec"].get("replicas", 1)
    statuses = [
        found
        for pod in pods
        for found in (pod.get("status") or {}).get("initContainerStatuses") or ()
        if found["name"] in RESTORING
    ]
    if refused := next(filter(None, map(_restore_failure, statuses)), None):
        return refused
    if (stateful_set.get("status") or {}).get("readyReplicas", 0) != wanted:
        return None
    done = sum(bool(found.get("ready")) for found in statuses if found["name"] == RESTORING[-1])
    return true(ControlPlaneCondition.ETCD_SNAPSHOT_RESTORED) if done == wanted else None


def _restore_failure(found: Manifest) -> Condition | None:
    """Why a container that restores failed: the end of its log."""
    states = (found.get("state") or {}, found.get("lastState") or {})
    ended: Manifest = next(filter(None, (state.get("terminated") for state in states)), {})
    if found.get("ready") or not ended.get("exitCode"):
        return None
    why = ended.get("reason")
    reason = ForeignReason(why) if why else ControlPlaneReason.SNAPSHOT_FAILED
    text = str(ended.get("message") or "").strip()[-LONGEST_REASON:]
    return false(ControlPlaneCondition.ETCD_SNAPSHOT_RESTORED, reason, text)


def api_server_available(deployment: Manifest | None) -> Condition:
    """Whether the API server's pods serve."""
    kind = ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE
    if deployment is None:
        text = "Kube APIServer deployment not found"
        return false(kind, Reason.NOT_FOUND, text)
    if is_true(deployment, DeploymentCondition.AVAILABLE):
        return true(kind, "Kube APIServer deployment is available")
    if condition_of(deployment, DeploymentCondition.AVAILABLE) is None:
        return false(kind, Reason.STATUS_UNKNOWN)
    text = "Waiting for Kube APIServer deployment to become available"
    return false(kind, Reason.WAITING_FOR_AVAILABLE, text)


def degraded(deployments: Iterable[Manifest]) -> Condition:
    """Whether some Deployment lacks replicas."""
    short = [
        f"{found['metadata']['name']} deployment has {missing} unavailable replicas"
        for found in deployments
        if labels_of(found).get(MANAGED_BY) == MANAGER
        if (missing := (found.get("status") or {}).get("unavailableReplicas", 0))
    ]
    if short:
        return true(
            ControlPlaneCondition.DEGRADED,
            aggregate(sorted(short)),
            ControlPlaneReason.UNAVAILABLE_REPLICAS,
        )
    return false(ControlPlaneCondition.DEGRADED, Reason.AS_EXPECTED)


def infrastructure_ready(waiting: str, error: str = "") -> Condition:
    """Whether everything that publishes the control plane has an address."""
    kind = ControlPlaneCondition.INFRASTRUCTURE_READY
    if error:
        return unknown(kind, ControlPlaneReason.INFRA_STATUS_FAILURE, error)
    if waiting:
        return false(kind, ControlPlaneReason.WAITING_ON_INFRASTRUCTURE, waiting)
    return true(kind, ALL_IS_WELL)


def release_info(missing: Iterable[str]) -> Condition:
    """Whether the payload has every image that was asked for."""
    if names := sorted(missing):
        return false(
            ControlPlaneCondition.VALID_RELEASE_INFO,
            ControlPlaneReason.MISSING_RELEASE_IMAGES,
            ", ".join(names),
        )
    return true(ControlPlaneCondition.VALID_RELEASE_INFO, ALL_IS_WELL)


def external_dns(host: str, trouble: str) -> Condition:
    """Whether the name of the API server resolves; `host` is empty where none was asked for."""
    kind = ControlPlaneCondition.EXTERNAL_DNS_REACHABLE
    if not host:
        return unknown(kind, Reason.STATUS_UNKNOWN, "External DNS is not configured")
    if trouble:
        return false(kind, ControlPlaneReason.EXTERNAL_DNS_NOT_REACHABLE, trouble)
    return true(kind, ALL_IS_WELL)


def available(
    conditions: Conditions,
    *,
    kubeconfig: bool,
    endpoint_trouble: str,
    components: Iterable[Manifest],
    was_available: bool,
) -> Condition:
    """Whether the control plane can be used: the first thing that is missing decides."""
    kinds = (
        ControlPlaneCondition.INFRASTRUCTURE_READY,
        ControlPlaneCondition.ETCD_AVAILABLE,
        ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE,
    )
    infrastructure, etcd, api = (conditions.get(kind) for kind in kinds)
    if not (infrastructure or etcd or api):
        return false(ControlPlaneCondition.AVAILABLE, Reason.STATUS_UNKNOWN)
    blocker = (
        _false(infrastructure)
        or (None if kubeconfig else NO_KUBECONFIG)
        or _false(etcd)
        or _false(api)
        or _unreachable(endpoint_trouble)
        # Sticky: a component that fails later is Degraded, the API still serves.
        or (None if was_available else _unavailable(components))
    )
    return blocker or true(ControlPlaneCondition.AVAILABLE)


def rolled_out(components: Iterable[Manifest], version: str) -> bool:
    """Whether every component runs this version completely."""
    found = list(components)
    return bool(found) and all(
        (component.get("status") or {}).get("version") == version
        and is_true(component, ComponentCondition.ROLLOUT_COMPLETE)
        for component in found
    )


NO_KUBECONFIG = false(
    ControlPlaneCondition.AVAILABLE,
    ControlPlaneReason.KUBECONFIG_WAITING,
    "Waiting for hosted control plane kubeconfig to be created",
)


def _unreachable(trouble: str) -> Condition | None:
    if not trouble:
        return None
    return false(
        ControlPlaneCondition.AVAILABLE, ControlPlaneReason.LOAD_BALANCER_NOT_REACHABLE, trouble
    )


def _unavailable(components: Iterable[Manifest]) -> Condition | None:
    known = list(components)
    missing = sorted(
        found["metadata"]["name"]
        for found in known
        if not is_true(found, ComponentCondition.AVAILABLE)
    )
    if known and not missing:
        return None
    text = f"Waiting for components to be available: {', '.join(missing)}"
    if not known:
        text = "Control plane components have not been created yet"
    return false(ControlPlaneCondition.AVAILABLE, ControlPlaneReason.COMPONENTS_NOT_AVAILABLE, text)


def _false(found: Manifest | None) -> Condition | None:
    return copied(found, ControlPlaneCondition.AVAILABLE) if found and fails(found) else None


def identity_providers(problems: Sequence[str]) -> Condition:
    """Report which identity providers are left out of the OAuth server's configuration."""
    kind = ControlPlaneCondition.VALID_IDP
    if problems:
        text = f"failed to initialize identity providers: {aggregate(problems)}"
        return false(kind, ControlPlaneReason.IDP_ERROR, text)
    text = "Identity provider configuration is valid"
    return true(kind, text, ControlPlaneReason.IDP_VALID)
