"""Webhooks of a hosted cluster that lead its API server into the management cluster (H9)."""

import asyncio
import ipaddress
import random
from typing import Any

import pytest
import structlog
from tests.lib.memory import MemoryClient
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.api import annotations, labels
from hypershift.kit import Manifest, SystemClock
from hypershift.kube import Client, kinds
from hypershift.operators.guest_config import Environment, webhooks
from hypershift.operators.guest_config.rules.callback import Surroundings, why_refused
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Context, Done, Wait
from hypershift.runtime.events import Events, Memory

NEAR = Surroundings(
    "clusters-demo",
    {"etcd-client": False, "kube-apiserver": False, "hook": True},
    frozenset({"10.96.0.7", "fd00::7"}),
    (ipaddress.ip_network("10.128.0.0/14"),),
)


@pytest.mark.parametrize(
    "host",
    [
        "etcd-client",
        "etcd-client:2379",
        "ETCD-CLIENT.",
        "unknown",
        "etcd-client.clusters-demo",
        "etcd-client.clusters-demo.svc",
        "etcd-client.clusters-demo.svc.cluster.local",
        "kube-apiserver.clusters-other.svc.cluster.local.",
        "kubernetes.default",
        "kubernetes.default.svc",
        "10-128-0-7.clusters-other.pod.cluster.local",
        "10-128-0-7.clusters-other.pod",
        "operator.kube-system",
        "metadata.google.internal",
        "localhost",
        "x.localhost",
        "127.0.0.1:6443",
        "127.1",
        "0x7f.0.0.1",
        "2130706433",
        "0.0.0.0",  # noqa: S104 - nobody listens here
        "[::1]:6443",
        "[::ffff:127.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[64:ff9b::a9fe:a9fe]",
        "[fe80::1%25eth0]",
        "169.254.169.254",
        "10.96.0.7",
        "[fd00::7]",
        "10.130.1.1",
        "224.0.0.1",
        "",
        # Go decodes a host, and maps signs of other scripts, before it connects.
        "kube-apiserver.clusters-other.\uff53\uff56\uff43",
        "kube-apiserver.clusters-other.%EF%BD%93vc",
        "kube-apiserver.clusters-other.s\u00advc",
        "kube-apiserver.clusters-other.s\u200bvc",
        "kube-apiserver.clusters-other.s\ufe0fvc",
        "kube-apiserver.clusters-other\u3002svc",
        "kube-apiserver\uff61clusters-other\uff0esvc",
        "kube-apiserver.clusters-other.\U0001d5cc\U0001d5cf\U0001d5bc",
        "kube-apiserver.clusters-other.\u24e2\u24e5\u24d2",
        "\uff11\uff16\uff19\uff0e\uff12\uff15\uff14.169.254",
        "\u2460\u2461\u2466.0.0.1",
        "127.0.0.%31",
        "hook.example.com.%EF%BD%93vc",
        "%2e",
    ],
)
def test_a_url_into_the_management_cluster_is_refused(host: str) -> None:
    assert why_refused(f"https://{host}/path", NEAR)


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com/validate",
        "https://hooks.example.com.:8443",
        "https://203.0.113.7:8443/validate",
        "https://[2001:db9::7]/validate",
        "https://xn--bcher-kva.example/validate",
        "https://b\u00fccher.example/validate",
        "https://\u4f8b\u3048.example/validate",
        "https://192.168.7.7/validate",
        "https://hook/validate",
        "https://hook.clusters-demo.svc/validate",
        "https://127.0.0.1:4443/mutate",
    ],
)
def test_other_urls_are_the_users_own_affair(url: str) -> None:
    assert why_refused(url, NEAR) == ""


def a_configuration(kind: str, name: str, **client: Any) -> Manifest:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name},
        "webhooks": [{"name": "ok.example.com"}, {"name": "x.example.com", "clientConfig": client}],
    }


def a_crd(name: str, url: str) -> Manifest:
    plural = name.partition(".")[0]
    names = {"plural": plural, "kind": plural.title()}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": {}}]
    client = {"clientConfig": {"url": url}, "conversionReviewVersions": ["v1"]}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": name},
        "spec": {
            "group": "x.io",
            "scope": "Cluster",
            "names": names,
            "versions": versions,
            "conversion": {"strategy": "Webhook", "webhook": client},
        },
    }


def a_service(name: str, address: str, **marks: str) -> Manifest:
    metadata = {"name": name, "namespace": "clusters-demo", "labels": marks}
    spec = {"clusterIP": address, "clusterIPs": [address]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def a_scope(kube: MemoryClient, guest: Client) -> GuestScope:
    nothing: Any = None
    plane: Manifest = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedControlPlane",
        "metadata": {
            "name": "demo",
            "namespace": "clusters-demo",
            "uid": "u",
            "annotations": {annotations.MANAGEMENT_NETWORKS: "192.0.2.0/24,2001:db8::/32"},
        },
    }
    events = Events(kube, plane, source="hcco", clock=SystemClock(), memory=Memory())
    context = Context(
        kube=kube, live=kube, clock=SystemClock(), events=events, log=structlog.get_logger(),
        remotes=nothing, rng=random.Random(1),  # noqa: S311 - nothing secret
    )  # fmt: skip
    scope = GuestScope(plane, context, Environment(nothing))
    scope.guest = guest
    return scope


def a_guest() -> Client:
    return Client(SimTransport(SimServer()), manager="guest-admin")


VALIDATING, MUTATING = "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"


async def _attack() -> tuple[Client, MemoryClient]:
    guest = a_guest()
    service = {"namespace": "default", "name": "hook"}
    for manifest in (
        a_configuration(VALIDATING, "to-etcd", url="https://etcd-client:2379/"),
        a_configuration(MUTATING, "to-metadata", url="https://169.254.169.254/"),
        a_configuration(MUTATING, "to-address", url="https://10.96.0.7/"),
        a_configuration(MUTATING, "to-management", url="https://192.0.2.9:6443/"),
        a_configuration(VALIDATING, "to-management-v6", url="https://[2001:db8::9]:6443/"),
        a_configuration(VALIDATING, "honest", url="https://hooks.example.com/"),
        a_configuration(VALIDATING, "by-service", service=service),
        a_configuration(VALIDATING, "allowed", url="https://shared-hook/"),
        a_crd("things.x.io", "https://kube-apiserver.clusters-demo.svc/convert"),
        a_crd("honests.x.io", "https://hooks.example.com/convert"),
    ):
        await guest.create(manifest)
    kube = MemoryClient(
        a_service("etcd-client", "10.96.0.7"),
        a_service("shared-hook", "10.96.0.8", **{labels.ALLOW_GUEST_WEBHOOKS: "true"}),
    )
    scope = a_scope(kube, guest)
    assert isinstance(await webhooks.refuse_webhooks(scope), Done)
    return guest, kube


def test_webhooks_into_the_management_cluster_are_removed_and_others_stay() -> None:
    async def story() -> None:
        guest, kube = await _attack()
        names = {
            one["metadata"]["name"]
            for resource in webhooks.ADMISSION
            for one in await guest.list(resource)
        }
        assert names == {"honest", "by-service", "allowed"}
        crds = await guest.list(kinds.CUSTOM_RESOURCE_DEFINITION)
        strategies = {one["metadata"]["name"]: one["spec"]["conversion"] for one in crds}
        assert strategies["things.x.io"] == {"strategy": "None"}
        assert strategies["honests.x.io"]["strategy"] == "Webhook"
        told = [one["message"] for one in await kube.list(kinds.EVENT)]
        assert len(told) == 6
        assert (
            "ValidatingWebhookConfiguration to-etcd was deleted: "
            "etcd-client is a name of the control plane namespace" in told
        )
        assert len(await guest.list(kinds.EVENT)) == 6

    asyncio.run(story())


def test_a_second_look_writes_nothing() -> None:
    async def story() -> None:
        guest, kube = await _attack()
        before = len(kube.writes)
        versions = await guest.versions(kinds.VALIDATING_WEBHOOK_CONFIGURATION)
        await webhooks.refuse_webhooks(a_scope(kube, guest))
        assert len(kube.writes) == before
        assert await guest.versions(kinds.VALIDATING_WEBHOOK_CONFIGURATION) == versions

    asyncio.run(story())


def test_many_bad_webhooks_are_removed_in_parts() -> None:
    async def story() -> None:
        guest = a_guest()
        for number in range(webhooks.MOST + 5):
            await guest.create(a_configuration(VALIDATING, f"n{number}", url="https://etcd-client"))
        scope = a_scope(MemoryClient(), guest)
        assert isinstance(await webhooks.refuse_webhooks(scope), Wait)
        assert len(await guest.list(kinds.VALIDATING_WEBHOOK_CONFIGURATION)) == 5
        assert isinstance(await webhooks.refuse_webhooks(scope), Done)

    asyncio.run(story())
