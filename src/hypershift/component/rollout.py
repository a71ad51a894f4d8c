"""How many replicas a component has and how a change of its pods goes about."""

from hypershift.api import annotations
from hypershift.component import edit
from hypershift.component.component import Component, Tier
from hypershift.component.view import View
from hypershift.kit import Manifest

DEDICATED_TOPOLOGY = "dedicated-request-serving-components"
HISTORY = 2


def isolated(view: View, component: Component) -> bool:
    """Whether the component's pods have nodes of their own."""
    return component.request_serving and view.annotation(annotations.TOPOLOGY) == DEDICATED_TOPOLOGY


def default_replicas(view: View, component: Component) -> int:
    """The replicas that the availability policy asks for."""
    if view.single_replica:
        return 1
    if isolated(view, component):
        return 2
    return 2 if component.tier is Tier.CONTROL_PLANE else 3


def asked_replicas(view: View, component: Component, workload: Manifest) -> int:
    """The number in the manifest, else the default."""
    said = workload["spec"].get("replicas")
    return default_replicas(view, component) if said is None else int(said)


def wanted_replicas(view: View, component: Component, workload: Manifest) -> int:
    """The wanted number of replicas; 0 while the component is being debugged."""
    stopped = view.annotation(annotations.DEBUG_DEPLOYMENTS).split(",")
    if component.name in {name.strip() for name in stopped}:
        return 0
    return asked_replicas(view, component, workload)


def with_rollout(view: View, component: Component, workload: Manifest) -> Manifest:
    """Set replicas, strategy and history of a workload that has them."""
    if workload["kind"] not in {"Deployment", "StatefulSet"}:
        return workload
    replicas = wanted_replicas(view, component, workload)
    workload = edit.put(workload, ("spec", "replicas"), replicas)
    if workload["kind"] != "Deployment":
        return workload
    workload = edit.put(workload, ("spec", "revisionHistoryLimit"), HISTORY)
    if replicas > 1:
        strategy = _strategy(replicas, request_serving=component.request_serving)
        workload = edit.put(workload, ("spec", "strategy"), strategy)
    return workload


def _strategy(replicas: int, *, request_serving: bool) -> Manifest:
    surge, unavailable = (0, 1) if replicas > HISTORY else (1, 1 if request_serving else 0)
    return {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable},
    }
