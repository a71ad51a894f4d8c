"""A HostedControlPlane's conditions, as pure functions of the objects in its namespace."""

from collections.abc import Iterable
from dataclasses import dataclass

from hypershift.api import labels
from hypershift.kit import Manifest, aggregate, labels_of
from hypershift.runtime import Conditions, condition_of, is_true

AS_EXPECTED = "AsExpected"
STATUS_UNKNOWN = "StatusUnknown"
MANAGED_BY = labels.MANAGED_BY
MANAGER = "control-plane-operator"


@dataclass(frozen=True)
class Verdict:
    """One condition, decided."""

    type: str
    status: str
    reason: str
    message: str = ""

    def set_in(self, conditions: Conditions) -> None:
        """Write it into a status."""
        conditions.set(self.type, self.status, self.reason, self.message)


def etcd_available(spec: Manifest, stateful_set: Manifest | None, trouble: str = "") -> Verdict:
    """Whether etcd has quorum; `trouble` is what its volumes complain about."""
    kind = "EtcdAvailable"
    management = (spec.get("etcd") or {}).get("managementType")
    if management == "Unmanaged":
        text = "Etcd cluster is assumed to be running in unmanaged state"
        return Verdict(kind, "True", "EtcdRunning", text)
    if management != "Managed":
        return Verdict(kind, "Unknown", STATUS_UNKNOWN)
    if stateful_set is None:
        return Verdict(kind, "False", "StatefulSetNotFound")
    if has_quorum(stateful_set):
        return Verdict(kind, "True", "QuorumAvailable")
    text = trouble or "Waiting for etcd to reach quorum"
    return Verdict(kind, "False", "EtcdWaitingForQuorum", text)


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
    """What was said about an object that is not normal: for each reason the newest, in one line."""
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


def snapshot_restored(stateful_set: Manifest, pods: Iterable[Manifest]) -> Verdict | None:
    """Whether every member started from the snapshot; nothing while some still do."""
    wanted = stateful_set["spec"].get("replicas", 1)
    if (stateful_set.get("status") or {}).get("readyReplicas", 0) != wanted:
        return None
    kind, done = "EtcdSnapshotRestored", 0
    for pod in pods:
        for found in (pod.get("status") or {}).get("initContainerStatuses") or ():
            ended = (found.get("lastState") or {}).get("terminated") or {}
            if found["name"] != "etcd-init":
                continue
            if found.get("ready"):
                done += 1
            elif ended.get("exitCode"):
                return Verdict(kind, "False", ended.get("reason") or "Error")
    return Verdict(kind, "True", AS_EXPECTED) if done == wanted else None


def api_server_available(deployment: Manifest | None) -> Verdict:
    """Whether the API server's pods serve."""
    kind = "KubeAPIServerAvailable"
    if deployment is None:
        text = "Kube APIServer deployment not found"
        return Verdict(kind, "False", "NotFound", text)
    if is_true(deployment, "Available"):
        return Verdict(kind, "True", AS_EXPECTED, "Kube APIServer deployment is available")
    if condition_of(deployment, "Available") is None:
        return Verdict(kind, "False", STATUS_UNKNOWN)
    text = "Waiting for Kube APIServer deployment to become available"
    return Verdict(kind, "False", "WaitingForAvailable", text)


def degraded(deployments: Iterable[Manifest]) -> Verdict:
    """Whether some Deployment lacks replicas."""
    short = [
        f"{found['metadata']['name']} deployment has {missing} unavailable replicas"
        for found in deployments
        if labels_of(found).get(MANAGED_BY) == MANAGER
        if (missing := (found.get("status") or {}).get("unavailableReplicas", 0))
    ]
    if short:
        return Verdict("Degraded", "True", "UnavailableReplicas", aggregate(sorted(short)))
    return Verdict("Degraded", "False", AS_EXPECTED, "")


def infrastructure_ready(waiting: str, error: str = "") -> Verdict:
    """Whether everything that publishes the control plane has an address."""
    kind = "InfrastructureReady"
    if error:
        return Verdict(kind, "Unknown", "InfraStatusFailure", error)
    if waiting:
        return Verdict(kind, "False", "WaitingOnInfrastructureReady", waiting)
    return Verdict(kind, "True", AS_EXPECTED, "All is well")


def release_info(missing: Iterable[str]) -> Verdict:
    """Whether the payload has every image that was asked for."""
    if names := sorted(missing):
        return Verdict("ValidReleaseInfo", "False", "MissingReleaseImages", ", ".join(names))
    return Verdict("ValidReleaseInfo", "True", AS_EXPECTED, "All is well")


def external_dns(host: str, trouble: str) -> Verdict:
    """Whether the name of the API server resolves; `host` is empty where none was asked for."""
    kind = "ExternalDNSReachable"
    if not host:
        return Verdict(kind, "Unknown", STATUS_UNKNOWN, "External DNS is not configured")
    if trouble:
        return Verdict(kind, "False", "ExternalDNSHostNotReachable", trouble)
    return Verdict(kind, "True", AS_EXPECTED, "All is well")


def available(
    conditions: Conditions,
    *,
    kubeconfig: bool,
    endpoint_trouble: str,
    components: Iterable[Manifest],
    was_available: bool,
) -> Verdict:
    """Whether the control plane can be used: the first thing that is missing decides."""
    kinds = ("InfrastructureReady", "EtcdAvailable", "KubeAPIServerAvailable")
    infrastructure, etcd, api = (conditions.get(kind) for kind in kinds)
    if not (infrastructure or etcd or api):
        return Verdict("Available", "False", STATUS_UNKNOWN, "")
    blocker = (
        _false(infrastructure)
        or (None if kubeconfig else NO_KUBECONFIG)
        or _false(etcd)
        or _false(api)
        or _unreachable(endpoint_trouble)
        # Sticky: a component that fails later is Degraded, the API still serves.
        or (None if was_available else _unavailable(components))
    )
    return blocker or Verdict("Available", "True", AS_EXPECTED, "")


def rolled_out(components: Iterable[Manifest], version: str) -> bool:
    """Whether every component runs this version completely."""
    found = list(components)
    return bool(found) and all(
        (component.get("status") or {}).get("version") == version
        and is_true(component, "RolloutComplete")
        for component in found
    )


NO_KUBECONFIG = Verdict(
    "Available",
    "False",
    "KubeconfigWaitingForCreate",
    "Waiting for hosted control plane kubeconfig to be created",
)


def _unreachable(trouble: str) -> Verdict | None:
    if not trouble:
        return None
    return Verdict("Available", "False", "KASLoadBalancerNotReachable", trouble)


def _unavailable(components: Iterable[Manifest]) -> Verdict | None:
    known = list(components)
    missing = sorted(
        found["metadata"]["name"] for found in known if not is_true(found, "Available")
    )
    if known and not missing:
        return None
    text = f"Waiting for components to be available: {', '.join(missing)}"
    if not known:
        text = "Control plane components have not been created yet"
    return Verdict("Available", "False", "ComponentsNotAvailable", text)


def _false(found: Manifest | None) -> Verdict | None:
    if found is None or found["status"] != "False":
        return None
    return Verdict("Available", "False", found["reason"], found.get("message", ""))
