"""Schedules pods: on nodes for control planes, near their cluster's pods, replicas apart."""

from typing import Any

from hypershift.api import annotations as marks
from hypershift.api import encode
from hypershift.api.labels import (
    CLUSTER,
    CONTROL_PLANE,
    HOSTED_CONTROL_PLANE,
    REQUEST_SERVING_COMPONENT,
)
from hypershift.component import edit
from hypershift.component.component import Component, Tier
from hypershift.component.rollout import isolated
from hypershift.component.view import View
from hypershift.kit import Manifest, labels_of

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"

#: The priority class of a tier, and the annotation by which a cluster chooses another.
PRIORITIES = {
    Tier.CONTROL_PLANE: ("hypershift-control-plane", marks.CONTROL_PLANE_PRIORITY_CLASS),
    Tier.API_CRITICAL: ("hypershift-api-critical", marks.API_CRITICAL_PRIORITY_CLASS),
    Tier.STORAGE: ("hypershift-etcd", marks.ETCD_PRIORITY_CLASS),
}


def with_priority(view: View, component: Component, pod: Manifest) -> Manifest:
    """Set the priority class, which annotations of the cluster may replace."""
    usual, annotation = PRIORITIES[component.tier]
    return edit.put(pod, ("spec", "priorityClassName"), view.annotation(annotation) or usual)


def with_node_selector(view: View, pod: Manifest) -> Manifest:
    """Let the cluster's node selector replace the manifest's."""
    selector = view.spec.node_selector
    return edit.put(pod, ("spec", "nodeSelector"), dict(selector)) if selector else pod


def with_tolerations(view: View, component: Component, pod: Manifest) -> Manifest:
    """Tolerate the taints of nodes that are kept for control planes."""
    wanted = [_tolerate(CONTROL_PLANE, "true"), _tolerate(CLUSTER, view.namespace)]
    if isolated(view, component):
        wanted.append(_tolerate(REQUEST_SERVING_COMPONENT, "true"))
    own = pod["spec"].get("tolerations") or ()
    return edit.put(pod, ("spec", "tolerations"), [*own, *wanted, *encode(view.spec.tolerations)])


def with_node_affinity(view: View, component: Component, pod: Manifest) -> Manifest:
    """Prefer nodes for control planes, and more so this cluster's own; isolated pods require it."""
    affinity: dict[str, Any] = {
        "preferredDuringSchedulingIgnoredDuringExecution": [
            _prefer(50, CONTROL_PLANE, "true"),
            _prefer(100, CLUSTER, view.namespace),
        ]
    }
    if isolated(view, component):
        terms = [_in(REQUEST_SERVING_COMPONENT, "true"), _in(CLUSTER, view.namespace)]
        terms += _selected(view.annotation(marks.REQUEST_SERVING_NODE_ADDITIONAL_SELECTOR))
        affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {
            "nodeSelectorTerms": [{"matchExpressions": terms}]
        }
    return edit.put(pod, ("spec", "affinity", "nodeAffinity"), affinity)


def with_colocation(view: View, pod: Manifest) -> Manifest:
    """Prefer the nodes where pods of the same control plane run."""
    term = {
        "labelSelector": {"matchLabels": {HOSTED_CONTROL_PLANE: view.namespace}},
        "topologyKey": HOSTNAME,
    }
    preferred = [{"podAffinityTerm": term, "weight": 100}]
    return edit.put(
        pod,
        ("spec", "affinity", "podAffinity"),
        {"preferredDuringSchedulingIgnoredDuringExecution": preferred},
    )


def with_spread(view: View, pod: Manifest) -> Manifest:
    """Keep replicas apart: never two on a node, nor two in a zone where the cloud has several."""
    by_zone, by_node = (
        {"labelSelector": {"matchLabels": labels_of(pod)}, "topologyKey": key}
        for key in (ZONE, HOSTNAME)
    )
    required, preferred = [by_zone, by_node], []
    if view.cloud.few_zones:
        required, preferred = [by_node], [{"podAffinityTerm": by_zone, "weight": 100}]
    anti: dict[str, Any] = {"requiredDuringSchedulingIgnoredDuringExecution": required}
    if preferred:
        anti["preferredDuringSchedulingIgnoredDuringExecution"] = preferred
    return edit.put(pod, ("spec", "affinity", "podAntiAffinity"), anti)


def _tolerate(key: str, value: str) -> Manifest:
    return {"key": key, "operator": "Equal", "value": value, "effect": "NoSchedule"}


def _in(key: str, value: str) -> Manifest:
    return {"key": key, "operator": "In", "values": [value]}


def _prefer(weight: int, key: str, value: str) -> Manifest:
    return {"preference": {"matchExpressions": [_in(key, value)]}, "weight": weight}


def _selected(text: str) -> list[Manifest]:
    """Label and value; half a pair is as good as none, and of two for a label the last counts."""
    parts = (part.partition("=") for part in text.split(","))
    pairs = {key.strip(): value.strip() for key, _, value in parts}
    return [_in(key, value) for key, value in pairs.items() if key and value]
