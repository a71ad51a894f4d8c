"""Personas as users of a real API server: their roles, what they order, and what they are told."""

import asyncio
import copy
from dataclasses import replace
from typing import Any

from tests.integration.api.test_server import a_cluster, a_pool
from tests.lib.command_line import install_options
from tests.lib.server import RealServer

from hypershift.api import annotations
from hypershift.cli.install.resources import resources
from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, Impersonation
from hypershift.kube.config import from_dict

TEAM, PLANE = "team-a", "team-a-demo"
OFFERED, EVIL = "registry.example.com/ocp:1", "evil.example.com/ocp:1"
#: Gates of fields that take a right.
GATES = ("EtcdSharding",)
WANTED = ("hostedclusters", "nodepools", "hostedcontrolplanes")
INSTALLED = ("ClusterRole", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding")
RBAC = "rbac.authorization.k8s.io"
PREFIX = annotations.PREFIX
#: Who, with which role, bound where ("" is everywhere).
BINDINGS = (
    ("consumer", "hypershift-service-consumer", TEAM),
    ("provider", "hypershift-service-provider", ""),
    ("provider", "hypershift-secret-creator", TEAM),
    ("instance-admin", "hypershift-instance-admin", TEAM),
    ("instance-user", "hypershift-instance-user", TEAM),
)


SECRET = "/api/v1/namespaces/{0}/secrets"
#: Requests after which a Secret's content, or a way to it, would be known.
ATTEMPTS: tuple[tuple[str, str, Any], ...] = (
    ("GET", SECRET + "/key", None),
    ("GET", SECRET, None),
    ("GET", SECRET + "?watch=true&timeoutSeconds=1", None),
    ("GET", "/api/v1/secrets", None),
    ("GET", "/api/v1/watch/secrets", None),
    ("PATCH", SECRET + "/key", {}),
    ("PATCH", SECRET + "/key?dryRun=All", {}),
    ("PUT", SECRET + "/key", {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key"}}),
    ("DELETE", SECRET + "/key?propagationPolicy=Orphan", None),
    ("DELETE", SECRET + "/key?dryRun=All&propagationPolicy=Foreground", None),
    ("DELETE", SECRET + "?dryRun=All", None),
    ("POST", "/api/v1/namespaces/{0}/serviceaccounts/default/token", {}),
    ("POST", "/api/v1/namespaces/{0}/pods", {}),
    ("POST", "/api/v1/namespaces/{0}/pods/p/exec?command=sh", {}),
    ("GET", "/api/v1/namespaces/{0}/pods/p/exec?command=sh", None),
    ("GET", "/api/v1/namespaces/{0}/pods/p/attach", None),
    ("GET", "/api/v1/namespaces/{0}/pods/p/portforward", None),
    ("GET", "/api/v1/namespaces/{0}/pods/p/proxy/", None),
    ("PATCH", "/api/v1/namespaces/{0}/pods/p/ephemeralcontainers", {}),
    ("GET", "/api/v1/namespaces/{0}/services/kube-apiserver/proxy/", None),
    ("GET", "/api/v1/nodes/n/proxy/pods", None),
    ("POST", "/apis/apps/v1/namespaces/{0}/deployments", {}),
    ("PATCH", "/apis/apps/v1/namespaces/{0}/deployments/kube-apiserver", {}),
    ("PATCH", "/apis/apps/v1/namespaces/{0}/statefulsets/etcd", {}),
    ("POST", "/apis/apps/v1/namespaces/{0}/daemonsets", {}),
    ("POST", "/apis/batch/v1/namespaces/{0}/jobs", {}),
    ("POST", "/apis/batch/v1/namespaces/{0}/cronjobs", {}),
    ("POST", f"/apis/{RBAC}/v1/namespaces/{{0}}/rolebindings", {}),
    ("POST", f"/apis/{RBAC}/v1/clusterrolebindings", {}),
    ("PATCH", f"/apis/{RBAC}/v1/clusterroles/hypershift-service-provider", {}),
    ("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests", {}),
    ("PATCH", "/apis/certificates.k8s.io/v1/certificatesigningrequests/c/approval", {}),
    ("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {}),
    ("POST", "/apis/apiregistration.k8s.io/v1/apiservices", {}),
    ("POST", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", {}),
    ("POST", "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", {}),
    (
        "DELETE",
        (
            "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/"
            "overrides.hostedclusters.hypershift.openshift.io"
        ),
        None,
    ),
    ("PATCH", "/api/v1/namespaces/hypershift/configmaps/offered-releases", {"data": {"a": "*"}}),
    ("PATCH", "/api/v1/namespaces/{0}", {}),
    ("PATCH", "/apis/networking.k8s.io/v1/namespaces/{0}/networkpolicies/kas", {}),
    (
        "PATCH",
        "/apis/hypershift.openshift.io/v1beta1/namespaces/{0}/hostedcontrolplanes/demo",
        {},
    ),
)


def installed() -> list[Manifest]:
    words = ["--personas", f"--offered-release={OFFERED}"]
    words.append("--offered-release=registry.example.com/line/*")
    found = resources(install_options(*words))
    return [
        each
        for each in found
        if each["kind"] in INSTALLED or each["metadata"]["name"] == "offered-releases"
    ]


def binding(user: str, role: str, namespace: str) -> Manifest:
    place = {"namespace": namespace} if namespace else {}
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": "RoleBinding" if namespace else "ClusterRoleBinding",
        "metadata": {"name": f"{user}-{role}", **place},
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": role},
        "subjects": [{"apiGroup": RBAC, "kind": "User", "name": user}],
    }


def cluster(name: str = "demo", image: str = OFFERED, **spec: Any) -> Manifest:
    found = copy.deepcopy(a_cluster(name, {"type": "None"}))
    found["metadata"]["namespace"] = TEAM
    found["spec"] |= {"release": {"image": image}, **spec}
    return found


def pool(name: str = "workers") -> Manifest:
    found = copy.deepcopy(a_pool(name, {"type": "None"}))
    found["metadata"]["namespace"] = TEAM
    return found


def annotated(manifest: Manifest, **marks: Any) -> Manifest:
    found = copy.deepcopy(manifest)
    found["metadata"] |= marks
    return found


def client_of(server: RealServer, user: str) -> Client:
    config = replace(from_dict(server.kubeconfig), impersonate=Impersonation(user))
    return Client.from_config(config, manager=user)


async def in_force(server: RealServer) -> None:
    """Rights and policies reach the API server a moment after they were written."""
    refused = [
        cluster("probe", EVIL),
        annotated(cluster("probe"), annotations={annotations.MODE: "Dedicated"}),
        annotated(pool("probe"), annotations={annotations.HAPROXY_IMAGE: "x"}),
    ]
    async with client_of(server, "consumer") as consumer:
        for _ in range(300):
            passes = await said(consumer.create(cluster("probe"), dry_run=True))
            answers = [await said(consumer.create(each, dry_run=True)) for each in refused]
            if not passes and all("hostedclusters/" in a or "nodepools/" in a for a in answers):
                return
            await asyncio.sleep(0.1)
    raise TimeoutError(f"the policies are not in force: {passes!r} {answers}")


async def said(request: Any) -> str:
    """What the server answered; empty when it did as asked."""
    try:
        await request
    except ApiError as error:
        return str(error)
    return ""


async def status_of(client: Client, method: str, path: str, body: Any) -> int:
    path, _, words = path.partition("?")
    query = dict(word.split("=") for word in words.split("&")) if words else None
    try:
        await client.raw(method, path, body=body, query=query)
    except ApiError as error:
        return error.status
    return 200
