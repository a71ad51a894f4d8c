"""Older control plane operators under a newer HyperShift operator: left as they are, and helped."""

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.lib.planes import OLD, Releases, a_cluster, controllers, furnish
from tests.lib.stage import Stage, play

from hypershift.kit import Manifest, Secret, annotations_of, labels_of
from hypershift.kube import kinds
from hypershift.oci import RegistryUnavailable
from hypershift.operators.hypershift import Settings, hosted_cluster
from hypershift.operators.hypershift.hosted_cluster.rules.dedicated import ROLES
from hypershift.release import CONTRACT, Capability, labels_of_ours
from hypershift.runtime import Manager, condition_of

PLACE, IMAGE = "clusters-demo", "registry.example/hypershift:older"
PREFIX = "hypershift.openshift.io"
ENFORCE = "pod-security.kubernetes.io/enforce"
UP = 120.0


@dataclass
class Registry:
    """One image, whose labels a test may change, and which may be away."""

    said: dict[str, str]
    away: bool = False

    async def labels(self, image: str, pull_secret: Secret[bytes]) -> dict[str, str]:
        del pull_secret
        if self.away:
            raise RegistryUnavailable(f"nobody serves {image}")
        return self.said


def operate(stage: Stage, registry: Registry, image: str) -> Manager:
    """Start a HyperShift operator of some image, beside the cluster's own operator."""
    settings = Settings(image=image)
    environment = hosted_cluster.Environment(settings, Releases(), images=registry)
    return stage.manage(hosted_cluster.controller(environment))


def staged(
    story: Callable[[Stage, Registry, Manager], Awaitable[None]], labels: dict[str, str]
) -> None:
    """Run a story about a Dedicated cluster that is up."""

    async def whole(stage: Stage) -> None:
        await furnish(stage)
        registry = Registry(labels)
        operator = operate(stage, registry, "registry.example/hypershift:1")
        stage.manage(controllers()[1])
        wish = a_cluster("demo")
        wish["metadata"]["annotations"] = {
            f"{PREFIX}/mode": "Dedicated",
            f"{PREFIX}/control-plane-operator-image": IMAGE,
        }
        await stage.user.create(wish)
        await asyncio.sleep(UP)
        await story(stage, registry, operator)

    play(whole)


def lacking(*capabilities: Capability) -> dict[str, str]:
    return {name: value for name, value in labels_of_ours("0").items() if name not in capabilities}


async def plane(stage: Stage) -> Manifest:
    return await stage.user.get(kinds.HOSTED_CONTROL_PLANE, "demo", PLACE)


async def level(stage: Stage) -> str:
    return labels_of(await stage.user.get(kinds.NAMESPACE, PLACE))[ENFORCE]


async def policies(stage: Stage) -> set[str]:
    found = await stage.user.list(kinds.NETWORK_POLICY, PLACE)
    return {one["metadata"]["name"] for one in found}


def test_a_newer_operator_changes_nothing_of_an_older_one() -> None:
    async def story(stage: Stage, registry: Registry, operator: Manager) -> None:
        roles = [await stage.user.get(kinds.DEPLOYMENT, role, PLACE) for role in ROLES]
        images = {one["spec"]["template"]["spec"]["containers"][0]["image"] for one in roles}
        assert images == {IMAGE}
        await stage.stop(operator)
        before = len(stage.writes)
        operate(stage, registry, "registry.example/hypershift:2")
        await asyncio.sleep(UP)
        assert stage.writes[before:] == []
        for role in roles:
            name, version = role["metadata"]["name"], role["metadata"]["generation"]
            after = await stage.user.get(kinds.DEPLOYMENT, name, PLACE)
            assert after["metadata"]["generation"] == version

    staged(story, labels_of_ours("0"))


def test_an_older_image_is_asked_for_nothing_that_it_does_not_promise() -> None:
    seen: dict[str, tuple[str, set[str]]] = {}

    async def story(stage: Stage, registry: Registry, operator: Manager) -> None:
        del operator
        seen[registry.said.get("who", "newer")] = (await level(stage), await policies(stage))

    older = lacking(Capability.RESTRICTED, Capability.LABELS_MANAGEMENT_ACCESS)
    staged(story, {**older, "who": "older"})
    staged(story, labels_of_ours("0"))
    assert seen["older"][0] == "privileged"
    assert seen["newer"][0] == "restricted"
    assert seen["newer"][1] - seen["older"][1], "policies by labels of pods"
    assert not seen["older"][1] - seen["newer"][1]


def test_a_renewed_certificate_restarts_what_an_older_operator_leaves_running() -> None:
    async def story(stage: Stage, registry: Registry, operator: Manager) -> None:
        del registry, operator
        date, noted = f"{PREFIX}/restart-date", f"{PREFIX}/kas-serving-cert-hash"
        first = annotations_of(await plane(stage))
        assert first[noted]
        assert date not in first, "the first look only takes note"
        await stage.user.delete(kinds.SECRET, "kas-server-crt", PLACE)
        await asyncio.sleep(600)
        second = annotations_of(await plane(stage))
        assert second[noted] != first[noted]
        assert second[date] == f"CertHash:{second[noted]}"
        secret = await stage.user.get(kinds.SECRET, "kas-server-crt", PLACE)
        assert b64decode(secret["data"]["tls.crt"])
        before = len(stage.writes)
        await asyncio.sleep(900)
        assert stage.writes[before:] == []

    staged(story, lacking(Capability.RESTARTS_ON_ROTATION))


def test_while_the_registry_is_away_a_namespace_stays_as_it_is_and_the_spec_is_passed_on() -> None:
    async def story(stage: Stage, registry: Registry, operator: Manager) -> None:
        del operator
        registry.said, registry.away = {}, True
        patch = {"spec": {"configuration": {"scheduler": {"profile": "NoScoring"}}}}
        await stage.user.patch(kinds.HOSTED_CLUSTER, "demo", patch, "clusters")
        await asyncio.sleep(60)
        assert await level(stage) == "restricted"
        passed = (await plane(stage))["spec"]["configuration"]["scheduler"]
        assert passed == {"profile": "NoScoring"}
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        told = condition_of(found, "ReconciliationSucceeded") or {}
        assert told["status"] == "False"
        assert "nobody serves" in told["message"]
        registry.said, registry.away = labels_of_ours("0"), False
        await asyncio.sleep(600)
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        assert (condition_of(found, "ReconciliationSucceeded") or {})["status"] == "True"

    staged(story, labels_of_ours("0"))


def test_an_image_that_is_newer_than_the_operator_is_refused() -> None:
    async def story(stage: Stage, registry: Registry, operator: Manager) -> None:
        del registry, operator
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
        told = condition_of(found, "ReconciliationSucceeded") or {}
        assert "newer than this operator" in told["message"]
        assert await stage.user.find(kinds.DEPLOYMENT, ROLES[0], PLACE) is None
        assert found["spec"]["release"]["image"] == OLD

    staged(story, {**labels_of_ours("0"), CONTRACT: "99"})
