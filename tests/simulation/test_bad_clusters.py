"""A cluster that cannot be hosted says why, heals when it is fixed, and never stops the others."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.lib.planes import OLD, a_cluster, a_secret, controllers, furnish
from tests.lib.stage import Stage, play

from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.runtime import condition_of

UP, HEALED = 120.0, 90.0
NAMED = {"names": ["api.example.org"], "servingCertificate": {"name": "cert"}}
ROUTED = [
    {"service": name, "servicePublishingStrategy": {"type": "Route"}}
    for name in ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
]
OVERLAPPING = {"serviceNetwork": [{"cidr": "10.132.8.0/24"}]}
APART = {"serviceNetwork": [{"cidr": "172.31.0.0/16"}]}
ISSUER = {"issuerURL": "http://login.example.org", "audiences": ["demo"]}
PROVIDER = {"issuer": ISSUER, "claimMappings": {"username": {"claim": "email"}}}


@dataclass(frozen=True)
class Bad:
    """One thing that is wrong, how it is told, and how it is put right."""

    spec: dict[str, Any]
    condition: str
    reason: str
    said: str
    fix: dict[str, Any] = field(default_factory=dict)
    given: tuple[Manifest, ...] = ()
    brought: tuple[Manifest, ...] = ()  # what the user brings to fix it
    runs: bool = False  # all the same: what is wrong stops something else


TABLE = {
    "no such release": Bad(
        {"release": {"image": "registry.example/none:1"}},
        "ValidReleaseImage",
        "InvalidImage",
        "registry.example/none:1 is not there",
        fix={"release": {"image": OLD}},
    ),
    "no pull secret": Bad(
        {"pullSecret": {"name": "later"}},
        "ValidReleaseImage",
        "SecretNotFound",
        'pull secret unavailable: secrets "later" not found',
        brought=(a_secret("later", **{".dockerconfigjson": b"{}"}),),
        runs=True,  # where the registry asks for no password
    ),
    "a pull secret without its key": Bad(
        {"pullSecret": {"name": "hollow"}},
        "ReconciliationSucceeded",
        "ReconciliationError",
        'hostedcluster pull secret "hollow" must have a .dockerconfigjson key',
        given=(a_secret("hollow", other=b"x"),),
        brought=(a_secret("hollow", **{".dockerconfigjson": b"{}"}),),
        runs=True,
    ),
    "networks that overlap": Bad(
        {"networking": OVERLAPPING},
        "ValidConfiguration",
        "InvalidConfiguration",
        "ClusterNetwork overlap: 10.132.8.0/24 and 10.132.0.0/14",
        fix={"networking": APART},
    ),
    "a platform that we do not have": Bad(
        {"platform": {"type": "Moon"}},
        "SupportedHostedCluster",
        "UnsupportedHostedCluster",
        "'Moon' is not supported",
        fix={"platform": {"type": "Local"}},
    ),
    "a bad named certificate": Bad(
        {"configuration": {"apiServer": {"servingCerts": {"namedCertificates": [NAMED]}}}},
        "ValidConfiguration",
        "InvalidConfiguration",
        '"cert": failed to decode PEM block from certificate',
        fix={"configuration": None},
        given=(a_secret("cert", **{"tls.crt": b"nonsense", "tls.key": b"nonsense"}),),
    ),
    "Routes where there are none": Bad(
        {"services": ROUTED},
        "ValidConfiguration",
        "InvalidConfiguration",
        'cluster does not support Routes, but service "APIServer" is exposed via a Route',
        fix={"services": a_cluster("x")["spec"]["services"]},
    ),
    "an encryption key of the wrong length": Bad(
        {"secretEncryption": {"type": "aescbc", "aescbc": {"activeKey": {"name": "short"}}}},
        "Available",
        "KubeconfigWaitingForCreate",
        "",
        given=(a_secret("short", key=b"short"),),
        brought=(a_secret("short", key=b"k" * 32),),
    ),
    "a provider of users that cannot be asked": Bad(
        {"configuration": {"authentication": {"type": "OIDC", "oidcProviders": [PROVIDER]}}},
        "ValidConfiguration",
        "InvalidConfiguration",
        '"http://login.example.org": URL scheme must be https',
        fix={"configuration": None},
    ),
}


async def condition(client: Client, name: str, kind: str) -> Manifest:
    found = await client.get(kinds.HOSTED_CLUSTER, name, "clusters")
    return condition_of(found, kind) or {}


async def policies(client: Client, name: str) -> set[str]:
    found = await client.list(kinds.NETWORK_POLICY, f"clusters-{name}")
    return {policy["metadata"]["name"] for policy in found}


def staged(story: Callable[[Stage], Awaitable[None]]) -> None:
    """Run a story beside a good cluster, which must not notice."""

    async def whole(stage: Stage) -> None:
        await furnish(stage)
        stage.manage(*controllers())
        await stage.user.create(a_cluster("good"))
        await story(stage)
        assert (await condition(stage.user, "good", "Available"))["status"] == "True"

    play(whole)


@pytest.mark.parametrize("bad", TABLE.values(), ids=TABLE.keys())
def test_it_says_why_and_heals(bad: Bad) -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        for manifest in bad.given:
            await user.create(manifest)
        await user.create(a_cluster("bad", **bad.spec))
        await asyncio.sleep(UP)
        told = await condition(user, "bad", bad.condition)
        assert (told["status"], told["reason"]) == ("False", bad.reason), told
        assert bad.said in told["message"]
        assert (await condition(user, "bad", "Available"))["status"] == str(bad.runs)
        for manifest in bad.brought:
            await user.apply(manifest)
        if bad.fix:
            await user.patch(kinds.HOSTED_CLUSTER, "bad", {"spec": bad.fix}, "clusters")
        await asyncio.sleep(HEALED)
        assert (await condition(user, "bad", "Available"))["status"] == "True"
        assert (await condition(user, "bad", bad.condition))["status"] == "True"

    staged(story)


def test_a_namespace_is_closed_whatever_else_goes_wrong() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(a_secret("hollow", other=b"x"))
        await stage.user.create(a_cluster("bad", pullSecret={"name": "hollow"}))
        await asyncio.sleep(UP)
        told = await condition(stage.user, "bad", "ReconciliationSucceeded")
        assert "RBACAndPolicies" in told["message"].partition("blocked operations: ")[2]
        assert await policies(stage.user, "bad") == await policies(stage.user, "good") != set()

    staged(story)


def test_a_name_with_dots_has_a_namespace_without() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(a_cluster("a.b"))
        await asyncio.sleep(UP)
        assert (await condition(stage.user, "a.b", "Available"))["status"] == "True"
        assert await stage.user.find(kinds.NAMESPACE, "clusters-a-b")

    staged(story)


def test_a_name_at_the_limit_fits_and_one_beyond_is_refused() -> None:
    longest = "x" * (63 - len("clusters-"))

    async def story(stage: Stage) -> None:
        for name in (longest, f"{longest}x"):
            await stage.user.create(a_cluster(name))
        await asyncio.sleep(UP)
        assert (await condition(stage.user, longest, "Available"))["status"] == "True"
        told = await condition(stage.user, f"{longest}x", "ValidConfiguration")
        assert (told["status"], told["reason"]) == ("False", "InvalidConfiguration")
        assert "64 characters long" in told["message"]

    staged(story)


def test_the_second_of_two_that_would_share_a_namespace_waits_and_takes_nothing() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await user.create(a_cluster("a-b"))
        await asyncio.sleep(UP)
        before = await user.get(kinds.NAMESPACE, "clusters-a-b")
        await user.create(a_cluster("a.b"))
        await asyncio.sleep(UP)
        told = await condition(user, "a.b", "ValidConfiguration")
        assert "belongs to hosted cluster clusters/a-b" in told["message"]
        await user.delete(kinds.HOSTED_CLUSTER, "a.b", "clusters")
        await asyncio.sleep(HEALED)
        assert not await user.find(kinds.HOSTED_CLUSTER, "a.b", "clusters")
        after = await user.get(kinds.NAMESPACE, "clusters-a-b")
        assert after["metadata"]["uid"] == before["metadata"]["uid"]
        assert (await condition(user, "a-b", "Available"))["status"] == "True"

    staged(story)


OURS = (
    (kinds.SECRET, "pull-secret"),
    (kinds.SECRET, "kas-server-crt"),
    (kinds.NETWORK_POLICY, "same-namespace"),
    (kinds.SERVICE, "kube-apiserver"),
    (kinds.STATEFUL_SET, "etcd"),
    (kinds.DEPLOYMENT, "kube-apiserver"),
    (kinds.CONTROL_PLANE_COMPONENT, "kube-scheduler"),
)


def test_what_a_user_deletes_or_edits_of_ours_is_put_right() -> None:
    async def story(stage: Stage) -> None:
        user, place = stage.user, "clusters-good"
        await asyncio.sleep(UP)
        keys = await user.get(kinds.SECRET, "root-ca", place)
        for resource, name in OURS:
            await user.delete(resource, name, place)
        edit = {"spec": {"releaseImage": "example.com/mine", "channel": "mine"}}
        await user.patch(kinds.HOSTED_CONTROL_PLANE, "good", edit, place)
        await asyncio.sleep(HEALED)
        for resource, name in OURS:
            assert await user.find(resource, name, place), name
        plane = await user.get(kinds.HOSTED_CONTROL_PLANE, "good", place)
        assert plane["spec"]["releaseImage"] == OLD
        assert "channel" not in plane["spec"]
        assert (await user.get(kinds.SECRET, "root-ca", place))["data"] == keys["data"]

    staged(story)
