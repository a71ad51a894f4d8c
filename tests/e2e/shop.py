"""What a user runs on a hosted cluster's nodes: a web server, a database, a webhook, a caller."""

import contextlib
import json
import socket
import subprocess
import urllib.request
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from tests.e2e.embedded import Kubectl, Manifest, a_pod, a_web_server, until
from tests.e2e.hosted import PATIENCE, Hosted

from hypershift import parts
from hypershift.pki import Leaf, new_authority

NAMESPACE = "shop"
GROUP = "e2e.hypershift.io"
#: Answers reviews of admission; what is labelled `deny` is denied.
WEBHOOK = """
import http.server, json, ssl
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        denied = "deny" in review["request"]["object"]["metadata"].get("labels", {})
        answer = {"uid": review["request"]["uid"], "allowed": not denied,
                  "status": {"message": "denied on the guest's node"}}
        body = json.dumps({**review, "request": None, "response": answer}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(("", 8443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("/tls/tls.crt", "/tls/tls.key")
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
"""
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


def a_database(image: str) -> Manifest:
    """Writes its name into a volume whenever it starts."""
    pod = a_pod("db", image, "hostname >> /data/log; exec sleep 100000")["spec"]
    pod["securityContext"] = {"runAsUser": 1000, "fsGroup": 2000}
    pod["containers"][0]["volumeMounts"] = [{"name": "data", "mountPath": "/data"}]
    claim = {
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }
    made = _workload("StatefulSet", "db", pod, replicas=1, serviceName="db")
    made["spec"]["volumeClaimTemplates"] = [claim]
    return made


def a_hook(image: str) -> tuple[list[Manifest], list[Manifest]]:
    """A webhook on the guest's nodes, and the custom resource whose creation it reviews."""
    now, host = datetime.now(UTC), f"hook.{NAMESPACE}.svc"
    authority = new_authority("e2e", now)
    pair = authority.issue(Leaf(host, dns_names=frozenset({host})), now)
    secret = _object("v1", "Secret", "hook") | {
        "stringData": {"tls.crt": pair.certificate.decode(), "tls.key": pair.key.reveal().decode()}
    }
    volume = {"name": "tls", "secret": {"secretName": "hook"}}
    pod = a_pod("hook", image, "", NAMESPACE, volumes=[volume])
    pod["spec"]["containers"][0].update(
        command=["python3", "-c", WEBHOOK],
        volumeMounts=[{"name": "tls", "mountPath": "/tls"}],
        readinessProbe={"tcpSocket": {"port": 8443}, "periodSeconds": 1},
    )
    ports = [{"port": 443, "targetPort": 8443}]
    service = _object("v1", "Service", "hook", selector={"app": "hook"}, ports=ports)
    return [secret, pod, service], [_definition(), _registration(authority.pem)]


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


def _registration(authority: bytes) -> Manifest:
    rule = {
        "apiGroups": [GROUP],
        "apiVersions": ["v1"],
        "operations": ["CREATE"],
        "resources": ["orders"],
    }
    hook = {
        "name": f"hook.{GROUP}",
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Fail",
        "timeoutSeconds": 5,
        "clientConfig": {
            "service": {"name": "hook", "namespace": NAMESPACE},
            "caBundle": b64encode(authority).decode(),
        },
        "rules": [rule],
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "e2e-orders"},
        "webhooks": [hook],
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


def fetch(url: str) -> str:
    """What a server says."""
    with urllib.request.urlopen(url, timeout=3) as answer:  # noqa: S310 - our own cluster
        return str(answer.read().decode().strip())


@contextlib.contextmanager
def forwarded(guest: Kubectl, pod: str) -> Iterator[int]:
    """A port of ours that leads to a pod's web server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    argv = (str(parts.path("kubectl")), f"--kubeconfig={guest.kubeconfig}", "port-forward")
    child = subprocess.Popen(
        (*argv, "-n", NAMESPACE, pod, f"{port}:8080"), stdout=subprocess.DEVNULL
    )
    try:
        yield port
    finally:
        child.terminate()
        child.wait(timeout=10)


def _object(version: str, kind: str, name: str, **spec: Any) -> Manifest:
    metadata = {"name": name, "namespace": NAMESPACE}
    made: Manifest = {"apiVersion": version, "kind": kind, "metadata": metadata}
    return made | ({"spec": spec} if spec else {})


def _workload(kind: str, name: str, pod: Manifest, **spec: Any) -> Manifest:
    labels = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": pod}
    selector = {"matchLabels": labels}
    return _object("apps/v1", kind, name, selector=selector, template=template, **spec)
