"""What a user runs on a hosted cluster's nodes: a web server, a database, a webhook, a caller."""

import json
from typing import Any

from tests.e2e import hook
from tests.e2e.embedded import Kubectl, Manifest, a_pod, a_web_server, until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.reaching import fetch

NAMESPACE = "shop"
GROUP = "e2e.hypershift.io"
#: Asks the API by its name, as any client library in a pod does, and prints what it answers.
CALL_API = """
import json, ssl, urllib.request
place = "/var/run/secrets/kubernetes.io/serviceaccount/"
request = urllib.request.Request(
    "https://kubernetes.default.svc/version",
    headers={"Authorization": "Bearer " + open(place + "token").read()})
context = ssl.create_default_context(cafile=place + "ca.crt")
print(json.load(urllib.request.urlopen(request, timeout=5, context=context))["gitVersion"])
"""


def a_namespace() -> Manifest:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}


def a_web_shop(image: str, replicas: int = 2) -> Manifest:
    """A web server, one on each node as far as they go."""
    labels = {"app": "web"}
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": labels},
    }
    pod = a_pod("web", image, a_web_server(), topologySpreadConstraints=[spread])["spec"]
    pod["containers"][0]["readinessProbe"] = {
        "httpGet": {"path": "/", "port": 8080},
        "periodSeconds": 1,
    }
    return _workload("Deployment", "web", pod, replicas=replicas)


def a_service(kind: str = "LoadBalancer", **spec: Any) -> Manifest:
    ports = [{"port": 80, "targetPort": 8080}]
    return _object("v1", "Service", "web", type=kind, selector={"app": "web"}, ports=ports, **spec)


def a_budget() -> Manifest:
    """Of the web servers one may be away."""
    chosen = {"matchLabels": {"app": "web"}}
    return _object("policy/v1", "PodDisruptionBudget", "web", minAvailable=1, selector=chosen)


def opened(guest: Hosted) -> str:
    """Two web servers of which one may be away, behind an address that answers."""
    web = a_web_shop(guest.management.busybox)
    web["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] = 10
    guest.apply(a_namespace())
    guest.apply(web, a_service(), a_budget())
    guest.kubectl("rollout", "status", "-n", NAMESPACE, "deployment/web", "--timeout=300s")

    def address() -> str:
        service = guest.get("service", "web", "-n", NAMESPACE)
        return str(service["status"]["loadBalancer"]["ingress"][0]["ip"])

    where: str = until(address, PATIENCE)
    until(lambda: fetch(f"http://{where}/"), PATIENCE)
    return where


def a_database(image: str, namespace: str = NAMESPACE) -> Manifest:
    """Writes its name into a volume whenever it starts."""
    pod = a_pod("db", image, "hostname >> /data/log; exec sleep 100000")["spec"]
    pod["securityContext"] = {"runAsUser": 1000, "fsGroup": 2000}
    pod["containers"][0]["volumeMounts"] = [{"name": "data", "mountPath": "/data"}]
    claim = {
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }
    made = _workload("StatefulSet", "db", pod, replicas=1, serviceName="db")
    made["metadata"]["namespace"] = namespace
    made["spec"]["volumeClaimTemplates"] = [claim]
    return made


def a_hook(image: str) -> tuple[list[Manifest], list[Manifest]]:
    """A webhook on the guest's nodes, and the custom resource whose creation it reviews."""
    server, authority = hook.a_server(image, NAMESPACE)
    return server, [_definition(), hook.a_registration(NAMESPACE, authority, GROUP, "orders")]


def _definition() -> Manifest:
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"orders.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"kind": "Order", "plural": "orders", "singular": "order"},
            "versions": [version],
        },
    }


def an_order(name: str, *, deny: bool = False) -> Manifest:
    made = _object(f"{GROUP}/v1", "Order", name)
    made["metadata"]["labels"] = {"deny": "please"} if deny else {}
    return made


def a_policy(**spec: Any) -> Manifest:
    selected = {"podSelector": {"matchLabels": {"app": "web"}}, "policyTypes": ["Ingress"]}
    return _object("networking.k8s.io/v1", "NetworkPolicy", "closed", **selected, **spec)


def order(guest: Kubectl, name: str, *, deny: bool) -> str:
    """Create an order; what the API server complains about."""
    feed = json.dumps(an_order(name, deny=deny))
    return guest.try_kubectl("create", "--dry-run=server", "-f", "-", feed=feed).stderr


def _object(version: str, kind: str, name: str, **spec: Any) -> Manifest:
    metadata = {"name": name, "namespace": NAMESPACE}
    made: Manifest = {"apiVersion": version, "kind": kind, "metadata": metadata}
    return made | ({"spec": spec} if spec else {})


def _workload(kind: str, name: str, pod: Manifest, **spec: Any) -> Manifest:
    labels = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": pod}
    selector = {"matchLabels": labels}
    return _object("apps/v1", kind, name, selector=selector, template=template, **spec)
