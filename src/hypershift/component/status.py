"""The status of a ControlPlaneComponent: available, rolled out, or what it waits for."""

from collections.abc import Iterable
from dataclasses import dataclass

from hypershift.api.conditions import (
    ComponentCondition,
    ComponentReason,
    Condition,
    ConditionStatus,
    DeploymentCondition,
    Reason,
    false,
    holds,
    true,
)
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component.component import Component, Starts
from hypershift.component.render import listed
from hypershift.component.view import View
from hypershift.kit import Manifest
from hypershift.runtime import condition_of

#: Where an operator reports the release of its operand.
VERSION = "release.openshift.io/version"

#: The message for a Job that neither runs nor ended.
_NEVER_STARTED = (ComponentReason.UNKNOWN, "Job status unknown")

AVAILABLE, ROLLOUT = ComponentCondition.AVAILABLE, ComponentCondition.ROLLOUT_COMPLETE


@dataclass(frozen=True, slots=True)
class ComponentStatus:
    """How a component is doing."""

    name: str
    available: Condition
    rollout: Condition
    #: The version that it runs in full; empty until it does.
    version: str = ""
    resources: tuple[Manifest, ...] = ()
    #: Whether it is wanted at all.
    enabled: bool = True
    #: What its containers ask the payload for.
    images: frozenset[str] = frozenset()
    #: Whether its workload was created in this pass, so that it has no status yet.
    new: bool = False

    @property
    def ready(self) -> bool:
        """Whether it is available and runs the wanted release."""
        return self.available.is_true and self.rollout.is_true


def dependencies(component: Component, present: frozenset[str]) -> list[str]:
    """The components to wait for; one that this cluster does without counts as met.

    `present` names the components that the product has and whose predicates hold.
    """
    wanted = set(component.depends_on)
    if component.starts is Starts.AFTER_API_SERVER:
        wanted.add(KUBE_APISERVER)
    return sorted((wanted & present) - {component.name})


def unmet(component: Component, view: View, present: frozenset[str]) -> list[str]:
    """The dependencies that do not run the wanted release yet."""
    return [name for name in dependencies(component, present) if not _met(name, view)]


def component_status(
    component: Component, view: View, waiting: Iterable[str] = (), error: str = ""
) -> ComponentStatus:
    """Read the live workload."""
    kind = _kind(component)
    live = view.find(kind, component.name)
    available = _available(kind, component.name, live)
    rollout = _rollout(kind, component.name, live)
    if rollout.is_true and (late := late_operands(component, view)):
        message = f"Waiting for operands: {', '.join(late)}"
        rollout = false(ROLLOUT, ComponentReason.WAITING_FOR_OPERANDS, message)
    if error:
        rollout = false(ROLLOUT, ComponentReason.RECONCILIATION_ERROR, error)
    if names := ", ".join(waiting):
        message = f"Waiting for Dependencies: {names}"
        rollout = false(ROLLOUT, ComponentReason.WAITING_FOR_DEPENDENCIES, message)
    version = view.release.version if rollout.is_true else _last_version(component.name, view)
    return ComponentStatus(
        component.name, available, rollout, version, tuple(listed(component, view))
    )


def status_manifest(status: ComponentStatus, view: View) -> Manifest:
    """The ControlPlaneComponent without the times of its conditions."""
    body: Manifest = {
        "conditions": [status.available.manifest(), status.rollout.manifest()],
        "resources": list(status.resources),
    }
    if status.version:
        body["version"] = status.version
    if generation := view.plane.metadata.generation:
        body["observedGeneration"] = generation
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "ControlPlaneComponent",
        "metadata": {"name": status.name, "namespace": view.namespace},
        "spec": {},
        "status": body,
    }


def late_operands(component: Component, view: View) -> list[str]:
    """The Deployments of an operator that do not run the wanted release in full yet."""
    found = {name: view.find("Deployment", name) for name in component.operands(view)}
    return [name for name, live in found.items() if live is None or not _current(live, view)]


def _current(live: Manifest, view: View) -> bool:
    """Whether a Deployment is rolled out, with the wanted version where it names one."""
    version = (live["metadata"].get("annotations") or {}).get(VERSION, view.release.version)
    return version == view.release.version and rolled_out(live)


def _kind(component: Component) -> str:
    workload = component.workload
    if workload.stub:
        return str(workload.stub["kind"])
    stem = workload.file.removesuffix(".yaml").rpartition("/")[2]
    return {
        "deployment": "Deployment",
        "statefulset": "StatefulSet",
        "job": "Job",
        "cronjob": "CronJob",
    }[stem]


def _met(name: str, view: View) -> bool:
    status = (view.find("ControlPlaneComponent", name) or {}).get("status") or {}
    facts = {fact["type"]: fact["status"] for fact in status.get("conditions") or ()}
    running = facts.get(AVAILABLE) == facts.get(ROLLOUT) == ConditionStatus.TRUE
    return running and status.get("version") == view.release.version


def _last_version(name: str, view: View) -> str:
    status = (view.find("ControlPlaneComponent", name) or {}).get("status") or {}
    return str(status.get("version") or "")


def _available(kind: str, name: str, live: Manifest | None) -> Condition:
    if live is None:
        return false(AVAILABLE, Reason.NOT_FOUND, _not_found(kind, name))
    status = live.get("status") or {}
    match kind:
        case "Deployment":
            return _deployment_available(name, status)
        case "StatefulSet":
            return _stateful_set_available(name, live["spec"].get("replicas", 1), status)
        case "Job":
            going = bool(status.get("active") or status.get("succeeded"))
            return true(AVAILABLE) if going else false(AVAILABLE, *_NEVER_STARTED)
        case _:
            return true(AVAILABLE)


def _deployment_available(name: str, status: Manifest) -> Condition:
    found = condition_of({"status": status}, DeploymentCondition.AVAILABLE)
    if found is None:
        message = f"{name} Deployment Available condition not found"
        return false(AVAILABLE, Reason.NOT_FOUND, message)
    if holds(found):
        return true(AVAILABLE, f"Deployment {name} is available")
    message = f"Deployment {name} is not available: {found.get('message', '')}"
    return false(AVAILABLE, Reason.WAITING_FOR_AVAILABLE, message)


def _stateful_set_available(name: str, replicas: int, status: Manifest) -> Condition:
    if replicas == 0 or status.get("availableReplicas", 0) > 0:
        return true(AVAILABLE, f"StatefulSet {name} is available")
    ready = status.get("readyReplicas", 0)
    message = f"StatefulSet {name} is not available: {ready}/{replicas} replicas ready"
    return false(AVAILABLE, Reason.WAITING_FOR_AVAILABLE, message)


def _rollout(kind: str, name: str, live: Manifest | None) -> Condition:
    if live is None:
        return false(ROLLOUT, Reason.NOT_FOUND, _not_found(kind, name))
    if kind == "CronJob" or (kind == "Job" and (live.get("status") or {}).get("succeeded")):
        return true(ROLLOUT)
    if kind == "Job" and not (live.get("status") or {}).get("active"):
        return false(ROLLOUT, *_NEVER_STARTED)
    if kind == "Job":
        message = f"Waiting for job {name} to complete"
        return false(ROLLOUT, ComponentReason.WAITING_FOR_ROLLOUT_COMPLETE, message)
    if rolled_out(live):
        title = "Statefulset" if kind == "StatefulSet" else kind
        message = f"{title} {name} successfully rolled out"
        return true(ROLLOUT, message)
    updated = (live.get("status") or {}).get("updatedReplicas", 0)
    progress = f"{updated} out of {live['spec'].get('replicas', 1)} new replicas have been updated"
    message = f"Waiting for {kind.lower()} {name} rollout to finish: {progress}"
    return false(ROLLOUT, ComponentReason.WAITING_FOR_ROLLOUT_COMPLETE, message)


def rolled_out(live: Manifest) -> bool:
    """Whether all pods of a Deployment or StatefulSet follow its current spec."""
    wanted = live["spec"].get("replicas", 1)
    status = live.get("status") or {}
    counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
    return (
        status.get("observedGeneration", 0) >= live["metadata"].get("generation", 0)
        and all(status.get(count, 0) == wanted for count in counts)
        and not status.get("unavailableReplicas")
    )


def _not_found(kind: str, name: str) -> str:
    return f'{kind.lower()}s.{"batch" if "Job" in kind else "apps"} "{name}" not found'
