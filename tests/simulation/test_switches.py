"""What changes for a living cluster: pause, restart, certificates, grace, where its manager is."""

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Callable
from datetime import timedelta

from tests.lib.planes import a_cluster, annotated, controllers, furnish
from tests.lib.stage import Stage, play

from hypershift.kit import Manifest, rfc3339
from hypershift.kube import Client, Resource, kinds
from hypershift.operators.hypershift import Settings
from hypershift.pki import certificate_from_pem
from hypershift.runtime import condition_of

PLACE = "clusters-demo"
UP = 120.0
PREFIX = "hypershift.openshift.io"


def staged(
    story: Callable[[Stage], Awaitable[None]],
    settings: Settings | None = None,
    **annotations: str,
) -> None:
    """Run a story about a cluster that is up."""

    async def whole(stage: Stage) -> None:
        await furnish(stage)
        stage.manage(*controllers(settings))
        await stage.user.create(annotated(a_cluster("demo"), **annotations))
        await asyncio.sleep(UP)
        await story(stage)

    play(whole)


async def annotate(client: Client, name: str, value: str) -> None:
    patch = {"metadata": {"annotations": {f"{PREFIX}/{name}": value}}}
    await client.patch(kinds.HOSTED_CLUSTER, "demo", patch, "clusters")


async def condition(client: Client, kind: str) -> Manifest:
    found = await client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
    return condition_of(found, kind) or {}


def test_a_paused_cluster_is_left_alone_until_its_moment() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        until = rfc3339(stage.clock.now() + timedelta(minutes=5))
        pause = {"spec": {"pausedUntil": until}}
        await user.patch(kinds.HOSTED_CLUSTER, "demo", pause, "clusters")
        await asyncio.sleep(30)
        told = await condition(user, "ReconciliationActive")
        assert told["message"] == f"Reconciliation paused until: {until}"
        await user.delete(kinds.NETWORK_POLICY, "kas", PLACE)
        await user.delete(kinds.DEPLOYMENT, "kube-scheduler", PLACE)
        await asyncio.sleep(120)
        assert not await user.find(kinds.NETWORK_POLICY, "kas", PLACE)
        assert not await user.find(kinds.DEPLOYMENT, "kube-scheduler", PLACE)
        await asyncio.sleep(300)
        assert await user.find(kinds.NETWORK_POLICY, "kas", PLACE)
        assert await user.find(kinds.DEPLOYMENT, "kube-scheduler", PLACE)
        assert (await condition(user, "ReconciliationActive"))["reason"] == "AsExpected"

    staged(story)


def test_a_control_plane_is_told_the_ranges_that_no_webhook_may_name() -> None:
    async def story(stage: Stage) -> None:
        plane = await stage.user.get(kinds.HOSTED_CONTROL_PLANE, "demo", PLACE)
        told = plane["metadata"]["annotations"][f"{PREFIX}/management-networks"]
        assert told == "192.0.2.0/24,10.80.0.0/17"

    ranges = ("192.0.2.0/24", "10.80.0.0/17")
    forged = {"management_networks": "203.0.113.0/24"}
    staged(story, Settings(egress_block_cidrs=ranges), **forged)


def test_a_restart_date_rolls_every_workload_but_the_store() -> None:
    async def date(stage: Stage, resource: Resource, name: str) -> str | None:
        found = await stage.user.get(resource, name, PLACE)
        marks: dict[str, str] = found["spec"]["template"]["metadata"].get("annotations") or {}
        return marks.get(f"{PREFIX}/restart-date")

    async def story(stage: Stage) -> None:
        await annotate(stage.user, "restart-date", "today")
        await asyncio.sleep(60)
        assert await date(stage, kinds.DEPLOYMENT, "kube-apiserver") == "today"
        assert await date(stage, kinds.DEPLOYMENT, "kube-scheduler") == "today"
        assert await date(stage, kinds.STATEFUL_SET, "etcd") is None

    staged(story)


def test_certificates_live_as_long_as_the_cluster_asks_and_are_renewed_in_time() -> None:
    async def serving(stage: Stage) -> tuple[timedelta, int]:
        found = await stage.user.get(kinds.SECRET, "kas-server-crt", PLACE)
        leaf = certificate_from_pem(b64decode(found["data"]["tls.crt"]))
        assert leaf is not None
        return leaf.not_valid_after_utc - stage.clock.now(), leaf.serial_number

    async def story(stage: Stage) -> None:
        left, first = await serving(stage)
        assert timedelta(minutes=50) < left <= timedelta(minutes=60)
        await asyncio.sleep(36 * 60)
        left, second = await serving(stage)
        assert second != first
        assert left > timedelta(minutes=24)

    staged(story, certificate_validity="1h", certificate_renewal="0.5")


def test_without_pki_nobody_replaces_a_certificate() -> None:
    async def story(stage: Stage) -> None:
        await annotate(stage.user, "disable-pki-reconciliation", "true")
        await asyncio.sleep(30)
        mine = {"data": {"tls.crt": "bWluZQ=="}}
        await stage.user.patch(kinds.SECRET, "kas-server-crt", mine, PLACE)
        await asyncio.sleep(120)
        found = await stage.user.get(kinds.SECRET, "kas-server-crt", PLACE)
        assert found["data"]["tls.crt"] == "bWluZQ=="

    staged(story)


def test_a_destroyed_cluster_is_shown_for_its_grace_period() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await user.delete(kinds.HOSTED_CLUSTER, "demo", "clusters")
        await asyncio.sleep(60)
        told = await condition(user, "HostedClusterDestroyed")
        assert (told["status"], told["reason"]) == ("True", "WaitingForGracePeriod")
        assert told["message"] == "Grace period set: 10m0s"
        assert not await user.find(kinds.NAMESPACE, PLACE)
        await asyncio.sleep(600)
        assert not await user.find(kinds.HOSTED_CLUSTER, "demo", "clusters")

    staged(story, destroy_grace_period="10m")


def test_a_management_api_that_moves_stays_out_of_reach() -> None:
    async def story(stage: Stage) -> None:
        moved = {"endpoints": [{"addresses": ["192.0.2.200"]}]}
        await stage.user.patch(kinds.ENDPOINT_SLICE, "kubernetes", moved, "default")
        await asyncio.sleep(5)
        policy = await stage.user.get(kinds.NETWORK_POLICY, "management-egress", PLACE)
        assert "192.0.2.200/32" in str(policy)
        assert "192.0.2.100/32" not in str(policy)

    staged(story)
