"""A HostedControlPlane's conditions, as pure functions of the objects in its namespace."""

from collections.abc import Iterable
from dataclasses import dataclass

from hypershift.kit import Manifest, labels_of
from hypershift.runtime import Conditions, is_true

AS_EXPECTED = "AsExpected"
STATUS_UNKNOWN = "StatusUnknown"
MANAGED_BY = "hypershift.openshift.io/managed-by"
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
    if (spec.get("etcd") or {}).get("managementType") == "Unmanaged":
        return Verdict(kind, "True", "EtcdRunning", "Etcd cluster is assumed to be running")
    if stateful_set is None:
        return Verdict(kind, "False", "StatefulSetNotFound", "Etcd statefulset is not found")
    wanted = stateful_set["spec"].get("replicas", 1)
    ready = (stateful_set.get("status") or {}).get("readyReplicas", 0)
    if ready >= wanted // 2 + 1:
        return Verdict(kind, "True", "QuorumAvailable", "")
    text = f"Waiting for etcd to reach quorum: {ready} of {wanted} members are ready"
    return Verdict(kind, "False", "EtcdWaitingForQuorum", f"{text}. {trouble}".strip(". "))


def api_server_available(deployment: Manifest | None) -> Verdict:
    """Whether the API server's pods serve."""
    kind = "KubeAPIServerAvailable"
    if deployment is None:
        text = "Kube APIServer deployment not found"
        return Verdict(kind, "False", "NotFound", text)
    if is_true(deployment, "Available"):
        return Verdict(kind, "True", AS_EXPECTED, "Kube APIServer deployment is available")
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
        return Verdict("Degraded", "True", "UnavailableReplicas", "\n".join(sorted(short)))
    return Verdict("Degraded", "False", AS_EXPECTED, "")


def infrastructure_ready(waiting: str) -> Verdict:
    """Whether everything that publishes the control plane has an address."""
    kind = "InfrastructureReady"
    if waiting:
        return Verdict(kind, "False", "WaitingOnInfrastructureReady", waiting)
    return Verdict(kind, "True", AS_EXPECTED, "All is well")


def release_info(missing: Iterable[str]) -> Verdict:
    """Whether the payload has every image that was asked for."""
    if names := sorted(missing):
        text = f"Image(s) not present in release payload: {', '.join(names)}"
        return Verdict("ValidReleaseInfo", "False", "MissingReleaseImages", text)
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
    missing = sorted(
        found["metadata"]["name"] for found in components if not is_true(found, "Available")
    )
    if not missing:
        return None
    text = f"Waiting for components to be available: {', '.join(missing)}"
    return Verdict("Available", "False", "ComponentsNotAvailable", text)


def _false(found: Manifest | None) -> Verdict | None:
    if found is None or found["status"] != "False":
        return None
    return Verdict("Available", "False", found["reason"], found.get("message", ""))
