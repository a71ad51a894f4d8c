"""The cluster's version: the ClusterVersion inside, and what operators beside it run."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hypershift.api.capabilities import enabled_capabilities
from hypershift.api.conditions import ConditionStatus, OperatorCondition, decided
from hypershift.kit import Manifest, rfc3339
from hypershift.operators.guest_config.openshift.rules.guest import (
    CONFIG,
    CONFIG_MANAGED,
    VERSION,
    Guest,
)

RELEASE, KUBERNETES = "release", "kubernetes"
#: What a healthy operator says; the components of the control plane are looked after outside.
CONDITIONS = {
    OperatorCondition.AVAILABLE: ConditionStatus.TRUE,
    OperatorCondition.PROGRESSING: ConditionStatus.FALSE,
    OperatorCondition.DEGRADED: ConditionStatus.FALSE,
    OperatorCondition.UPGRADEABLE: ConditionStatus.TRUE,
}

_APISERVER_GROUPS = (
    *("apps", "authorization", "build", "image", "oauth", "project"),
    *("quota", "route", "security", "template", "user"),
)


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of a standalone cluster whose work is done beside the control plane here."""

    name: str
    #: Component of the release by the name under which its version is reported.
    versions: tuple[tuple[str, str], ...]
    #: Its own resource in `operator.openshift.io`.
    resource: str = ""
    namespaces: tuple[str, ...] = ()
    api_groups: tuple[str, ...] = ()

    def related(self) -> Iterator[dict[str, str]]:
        """Yield the objects that a support engineer looks at."""
        if self.resource:
            yield _related("operator.openshift.io", self.resource, "cluster")
        for namespace in self.namespaces:
            yield _related("", "namespaces", namespace)
        for group in self.api_groups:
            yield _related("apiregistration.k8s.io", "apiservices", f"v1.{group}.openshift.io")


def _related(group: str, resource: str, name: str) -> dict[str, str]:
    return {"group": group, "resource": resource, "name": name}


def _kubernetes(name: str, resource: str) -> Operator:
    namespace = f"openshift-{name}"
    return Operator(
        name,
        (("raw-internal", RELEASE), (name, KUBERNETES), ("operator", RELEASE)),
        resource,
        (CONFIG, CONFIG_MANAGED, f"{namespace}-operator", namespace),
    )


def _own(name: str, resource: str, groups: tuple[str, ...] = ()) -> Operator:
    return Operator(
        name,
        ((name, RELEASE), ("operator", RELEASE)),
        resource,
        (CONFIG, CONFIG_MANAGED, f"{name}-operator", name),
        groups,
    )


OPERATORS = (
    _own("openshift-apiserver", "openshiftapiservers", _APISERVER_GROUPS),
    _own("openshift-controller-manager", "openshiftcontrollermanagers"),
    _kubernetes("kube-apiserver", "kubeapiservers"),
    _kubernetes("kube-controller-manager", "kubecontrollermanagers"),
    _kubernetes("kube-scheduler", "kubeschedulers"),
    Operator(
        "operator-lifecycle-manager-packageserver",
        (("operator", RELEASE),),
        namespaces=("openshift-operator-lifecycle-manager",),
    ),
)


def cluster_version(guest: Guest, known: tuple[str, ...] | None) -> Manifest:
    """The ClusterVersion; the release comes with the version operator's Deployment, not from here.

    It refuses capabilities that its release does not know; before it said which, all are named.
    """
    enabled = enabled_capabilities(guest.spec.capabilities)
    spec: dict[str, Any] = {
        "clusterID": guest.spec.cluster_id or "",
        "capabilities": {
            "baselineCapabilitySet": "None",
            "additionalEnabledCapabilities": [
                each for each in enabled if known is None or each in known
            ],
        },
    }
    if guest.spec.update_service:
        spec["upstream"] = guest.spec.update_service
    if guest.spec.channel:
        spec["channel"] = guest.spec.channel
    metadata = {"name": "version"}
    return {"apiVersion": VERSION, "kind": "ClusterVersion", "metadata": metadata, "spec": spec}


def known_capabilities(live: Manifest | None) -> tuple[str, ...] | None:
    """The capabilities that the release knows, once its operator reported them."""
    found: Any = live
    for name in ("status", "capabilities", "knownCapabilities"):
        found = found.get(name) if isinstance(found, dict) else None
    return tuple(map(str, found)) if found and isinstance(found, list) else None


def cluster_operator(
    guest: Guest, operator: Operator, live: Manifest | None, now: datetime
) -> Manifest:
    """A ClusterOperator that reports the cluster's version for an operator that is not there."""
    status = (live or {}).get("status")
    listed = status.get("conditions") if isinstance(status, dict) else ()
    before = {
        str(one.get("type")): one
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict)
    }
    conditions = [
        _condition(kind, status, before.get(kind), now) for kind, status in CONDITIONS.items()
    ]
    found = {**guest.components, RELEASE: guest.release_version}
    versions = [
        {"name": name, "version": found[source]}
        for name, source in sorted(operator.versions)
        if source in found
    ]
    return {
        "apiVersion": VERSION,
        "kind": "ClusterOperator",
        "metadata": {"name": operator.name},
        "spec": {},
        "status": {
            "conditions": conditions,
            "versions": versions,
            "relatedObjects": list(operator.related()),
        },
    }


def _condition(
    kind: OperatorCondition, status: ConditionStatus, before: Manifest | None, now: datetime
) -> Manifest:
    since = rfc3339(now)
    made = decided(kind, so=status is ConditionStatus.TRUE).manifest()
    del made["message"]
    if before and all(before.get(key) == value for key, value in made.items()):
        since = str(before.get("lastTransitionTime") or since)
    return {**made, "lastTransitionTime": since}
