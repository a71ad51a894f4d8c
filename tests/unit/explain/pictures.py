"""Pictures of a cluster that is well, and how to break one thing in it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypershift.explain import Picture, Report, explain_cluster
from hypershift.kit import Manifest, rfc3339

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONG_AGO = rfc3339(NOW - timedelta(hours=1))
JUST_NOW = rfc3339(NOW - timedelta(seconds=2))
SPACE = "clusters-demo"


def a_condition(kind: str, status: str = "True", reason: str = "", message: str = "") -> Manifest:
    return {
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": LONG_AGO,
    }


def an_object(
    kind: str,
    name: str,
    *conditions: Manifest,
    namespace: str = SPACE,
    spec: Manifest | None = None,
    **metadata: Any,
) -> Manifest:
    return {
        "kind": kind,
        "metadata": {
            "name": name,
            "namespace": namespace,
            "creationTimestamp": LONG_AGO,
            **metadata,
        },
        "spec": spec or {},
        "status": {"conditions": list(conditions)},
    }


def a_pod(name: str, app: str, *, ready: bool = True, **status: Any) -> Manifest:
    pod = an_object(
        "Pod",
        name,
        a_condition("Ready", "True" if ready else "False"),
        labels={"app": app},
        spec={"nodeName": "node-0"},
    )
    pod["status"].update({"phase": "Running", **status})
    return pod


def an_event(about: str, name: str, message: str, **fields: Any) -> Manifest:
    return {
        "kind": "Event",
        "metadata": {"name": f"{name}.1", "namespace": SPACE},
        "involvedObject": {"kind": about, "name": name, "namespace": SPACE},
        "type": "Warning",
        "message": message,
        "lastTimestamp": JUST_NOW,
        **fields,
    }


def a_cluster(*conditions: Manifest, **spec: Any) -> Manifest:
    return an_object(
        "HostedCluster",
        "demo",
        *(conditions or (a_condition("Available"), a_condition("Degraded", "False"))),
        namespace="clusters",
        spec={"release": {"image": "registry/release:1"}, "pullSecret": {"name": "pull"}, **spec},
    )


def a_pool(*conditions: Manifest, **spec: Any) -> Manifest:
    return an_object(
        "NodePool",
        "demo",
        *(conditions or (a_condition("Ready"),)),
        namespace="clusters",
        spec={"clusterName": "demo", "replicas": 1, **spec},
    )


def a_machine(*, node: str = "", address: str = "m-1") -> Manifest:
    machine = an_object(
        "Machine",
        "m-1",
        a_condition("Ready", "True" if node else "False"),
        annotations={"hypershift.openshift.io/nodePool": "clusters/demo"},
        spec={
            "bootstrap": {"dataSecretName": "user-data-demo-abc"},
            "infrastructureRef": {"kind": "LocalMachine", "name": "m-1"},
        },
    )
    machine["status"]["addresses"] = [{"type": "Hostname", "address": address}]
    if node:
        machine["status"]["nodeRef"] = {"name": node}
    return machine


def a_node(name: str, status: str = "True", message: str = "") -> Manifest:
    return an_object("Node", name, a_condition("Ready", status, "KubeletReady", message))


def the_operator() -> Manifest:
    return an_object(
        "Deployment",
        "operator",
        a_condition("Available"),
        namespace="hypershift",
        spec={"replicas": 1},
    )


def a_picture(*objects: Manifest, cluster: Manifest | None = None, **fields: Any) -> Picture:
    """A cluster that is well but for the given objects, which stand in for those of their name."""
    given = {(each["kind"], each["metadata"]["name"]) for each in objects}
    usual = (
        the_operator(),
        a_node("node-0"),
        an_object("StatefulSet", "etcd", spec={"replicas": 1}),
        an_object("HostedControlPlane", "demo", a_condition("Available")),
        an_object("ControlPlaneComponent", "etcd", a_condition("Available")),
        a_pod("etcd-0", "etcd"),
        a_pool(),
    )
    usual[2]["status"]["readyReplicas"] = 1
    kept = tuple(each for each in usual if (each["kind"], each["metadata"]["name"]) not in given)
    picture = Picture(
        now=NOW,
        cluster=cluster or a_cluster(),
        namespace=SPACE,
        objects=(*kept, *objects),
    )
    return replace(picture, **fields)


def first(report: Report) -> str:
    """The object that a report names first."""
    assert report.causes, "nothing was found"
    return str(report.causes[0].object)


def explained(*objects: Manifest, cluster: Manifest | None = None, **fields: Any) -> str:
    """What `explain cluster` names first for such a picture."""
    return first(explain_cluster(a_picture(*objects, cluster=cluster, **fields)))
