"""A HostedCluster on AWS in a simulated world: from nothing to its machines' ground, and back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tests.lib.planes import (
    NoDefragmenter,
    Releases,
    a_cluster,
    issue,
    prepare,
    reachable,
    resolvable,
    silent,
)
from tests.lib.stage import Stage, play
from tests.lib.workloads import Workloads

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, Reason, false, true
from hypershift.cloud.stores import StoreFailed
from hypershift.controlplane import catalog
from hypershift.controlplane.etcd import DiskWatch
from hypershift.kit import Manifest, Secret
from hypershift.kube import kinds
from hypershift.operators import controlplane
from hypershift.operators.controlplane.accounts import Accounts
from hypershift.operators.hypershift import Settings, hosted_cluster
from hypershift.platforms import AccountFacts, Cleaned, Kept
from hypershift.platforms.aws.cluster import RESOURCE as AWS_CLUSTER
from hypershift.release import Release
from hypershift.runtime import condition_of

HOME, PLACE = "clusters", "clusters-demo"
UP = 600.0
ROLE = "arn:aws:iam::123456789012:role/"
PARTS = ("controlPlaneOperator", "imageRegistry", "ingress", "kubeCloudController", "network")
ROLES = {f"{name}ARN": ROLE + name for name in (*PARTS, "nodePoolManagement", "storage")}
SERVICES = [
    {
        "service": service,
        "servicePublishingStrategy": {
            "type": "Route",
            "route": {"hostname": f"{service.lower()}.demo.example.com"},
        },
    }
    for service in ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
]
DOCUMENTS = ["demo-abcde/.well-known/openid-configuration", "demo-abcde/openid/v1/jwks"]


class Bucket:
    """A bucket that may be out of order."""

    name = "docs"

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.trouble = ""
        self.writes = 0

    async def write(self, key: str, body: bytes, content_type: str) -> None:
        assert content_type == "application/json"
        self._check()
        self.writes += 1
        self.objects[key] = body

    async def delete(self, key: str) -> None:
        self._check()
        self.objects.pop(key, None)

    def _check(self) -> None:
        if self.trouble:
            raise StoreFailed(
                f"PUT: 403 request 1234 {self.trouble}", status=403, code=self.trouble
            )


class Account:
    """An account with at most one security group."""

    def __init__(self) -> None:
        self.group = ""
        self.held = False
        self.trusted = True

    async def keep(self, facts: AccountFacts) -> Kept:
        kind = ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER
        if not self.trusted:
            return Kept((false(kind, Reason.AWS_ERROR, "not trusted"),))
        self.group = f"sg-{facts.plane.spec.infra_id}"
        status = {"aws": {"defaultWorkerSecurityGroupID": self.group}}
        created = ControlPlaneCondition.AWS_SECURITY_GROUP_CREATED
        return Kept((true(kind), true(created)), status)

    async def clean(self, facts: AccountFacts) -> Cleaned:
        del facts
        kind = ControlPlaneCondition.AWS_SECURITY_GROUP_DELETED
        if self.held:
            return Cleaned((false(kind, Reason.AWS_ERROR, "in use"),), "in use")
        self.group = ""
        return Cleaned((true(kind),))


class WithProvider(Releases):
    """Releases that have Cluster API's provider for AWS."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        found = await super().lookup(image, pull_secret)
        return found.with_images({"aws-cluster-api-controllers": "registry.example/capa:1"})


class World:
    """What the story may look at beside the API."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.bucket, self.account = stage, Bucket(), Account()
        self.user = stage.user

    def start(self) -> Any:
        releases = WithProvider()
        settings = Settings(image="registry.example/hypershift:1")
        clusters = hosted_cluster.Environment(settings, releases, documents=self.bucket)
        planes = controlplane.Environment(
            controlplane.Settings(),
            releases,
            catalog,
            check=reachable,
            resolve=resolvable,
            issue=issue,
            defragmenter=NoDefragmenter(),
            disks=DiskWatch(silent),
            accounts=Accounts(make=lambda _: self.account),
        )
        return self.stage.manage(
            hosted_cluster.controller(clusters), controlplane.controller(planes)
        )

    async def create(self, **aws: Any) -> None:
        section = {"region": "us-east-1", "rolesRef": ROLES, **aws}
        section.setdefault("cloudProviderConfig", {"vpc": "vpc-1"})
        issuer = "https://docs.s3.us-east-1.amazonaws.com/demo-abcde"
        wanted = a_cluster(
            "demo",
            platform={"type": "AWS", "aws": section},
            services=SERVICES,
            infraID="demo-abcde",
            issuerURL=issuer,
        )
        await self.user.create(wanted)
        await asyncio.sleep(UP)

    async def cluster(self) -> Manifest:
        return await self.user.get(kinds.HOSTED_CLUSTER, "demo", HOME)

    async def told(self, kind: str) -> tuple[str, str]:
        found = condition_of(await self.cluster(), kind) or {}
        return found.get("status", ""), found.get("message", "")

    async def delete(self) -> None:
        marks = {"metadata": {"annotations": {annotations.CLEANUP_CLOUD_RESOURCES: "true"}}}
        await self.user.patch(kinds.HOSTED_CLUSTER, "demo", marks, HOME)
        await self.user.delete(kinds.HOSTED_CLUSTER, "demo", HOME)
        await asyncio.sleep(30)
        # No operator runs inside the hosted cluster that would say so.
        plane = await self.user.get(kinds.HOSTED_CONTROL_PLANE, "demo", PLACE)
        gone = {
            "type": "CloudResourcesDestroyed",
            "status": "True",
            "reason": "CloudResourcesDestroyed",
            "message": "",
            "lastTransitionTime": plane["metadata"]["deletionTimestamp"],
        }
        status = {"status": {"conditions": [*plane["status"]["conditions"], gone]}}
        place = (kinds.HOSTED_CONTROL_PLANE, "demo", status, PLACE)
        await self.user.patch(*place, subresource="status")


def staged(story: Callable[[World], Awaitable[None]]) -> None:
    async def whole(stage: Stage) -> None:
        stage.server.catalog.add(AWS_CLUSTER)
        await prepare(stage.user)
        workloads = asyncio.create_task(Workloads(stage.user).run())
        world = World(stage)
        world.start()
        try:
            await story(world)
        finally:
            workloads.cancel()

    play(whole)


def test_a_cluster_comes_up_with_its_ground_and_goes_without_a_trace() -> None:
    async def story(world: World) -> None:
        await world.create()
        assert (await world.told("SupportedHostedCluster"))[0] == "True"
        assert (await world.told("Available"))[0] == "True"
        for kind in ("PlatformCredentialsFound", "ValidOIDCConfiguration"):
            assert (await world.told(kind))[0] == "True", kind
        assert (await world.told("ValidAWSIdentityProvider"))[0] == "True"
        infra = await world.user.get(AWS_CLUSTER, "demo", PLACE)
        assert infra["spec"]["network"] == {"vpc": {"id": "vpc-1"}}
        assert infra["status"] == {"ready": True}
        provider = await world.user.get(kinds.DEPLOYMENT, "capi-provider", PLACE)
        names = [each["name"] for each in provider["spec"]["template"]["spec"]["containers"]]
        assert names == ["manager", "token-minter"]
        assert await world.user.find(kinds.SECRET, "capi-webhooks-tls", PLACE)
        found = await world.cluster()
        group = {"aws": {"defaultWorkerSecurityGroupID": "sg-demo-abcde"}}
        assert found["status"]["platform"] == group
        assert sorted(world.bucket.objects) == DOCUMENTS
        assert "hypershift.io/aws-oidc-discovery" in found["metadata"]["finalizers"]

        before, writes = len(world.stage.writes), world.bucket.writes
        await asyncio.sleep(UP)
        assert world.stage.writes[before:] == []
        assert world.bucket.writes == writes

        await world.delete()
        await asyncio.sleep(UP)
        assert await world.user.find(kinds.HOSTED_CLUSTER, "demo", HOME) is None
        assert await world.user.find(kinds.NAMESPACE, PLACE) is None
        assert world.bucket.objects == {}
        assert world.account.group == ""

    staged(story)


def test_a_bucket_that_refuses_is_told_without_its_noise_and_keeps_no_cluster_from_serving() -> (
    None
):
    async def story(world: World) -> None:
        world.bucket.trouble = "AccessDenied"
        await world.create()
        status, message = await world.told("ValidOIDCConfiguration")
        assert (status, message.rpartition(": ")[2]) == ("False", "403 AccessDenied")
        assert (await world.told("Available"))[0] == "True"
        world.bucket.trouble = ""
        await asyncio.sleep(UP)
        assert (await world.told("ValidOIDCConfiguration"))[0] == "True"
        world.bucket.trouble = "AccessDenied"
        await world.delete()
        await asyncio.sleep(UP)
        status, message = await world.told("HostedClusterDestroyed")
        assert status == "False"
        assert "documents of the token issuer in docs" in message
        world.bucket.trouble = ""
        await asyncio.sleep(UP)
        assert await world.user.find(kinds.HOSTED_CLUSTER, "demo", HOME) is None
        assert world.bucket.objects == {}

    staged(story)


def test_a_group_in_use_is_waited_for_but_not_for_ever() -> None:
    async def story(world: World) -> None:
        await world.create()
        world.account.held = True
        await world.delete()
        await asyncio.sleep(300)
        plane = await world.user.get(kinds.HOSTED_CONTROL_PLANE, "demo", PLACE)
        said = condition_of(plane, "AWSDefaultSecurityGroupDeleted") or {}
        assert (said["status"], said["message"]) == ("False", "in use")
        await asyncio.sleep(UP)
        assert await world.user.find(kinds.HOSTED_CLUSTER, "demo", HOME) is None
        assert world.account.group == "sg-demo-abcde"

    staged(story)
