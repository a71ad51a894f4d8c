"""One HostedCluster on AWS on a stage, with its account and the bucket of its token issuer."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from tests.lib.aws import ROLES, WithProvider, routed
from tests.lib.parties import Files, Parties
from tests.lib.planes import Releases, a_cluster, controllers, furnish
from tests.lib.stage import Stage, play

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, Reason, false, true
from hypershift.cloud.stores import StoreFailed
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.controlplane.accounts import Accounts
from hypershift.operators.hypershift import Settings
from hypershift.platforms import AccountFacts, Cleaned, Kept
from hypershift.platforms.aws.cluster import RESOURCE as AWS_CLUSTER
from hypershift.runtime import Manager, condition_of

HOME, PLACE = "clusters", "clusters-demo"
UP = 600.0
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


class Readers(Parties):
    """Replicas, and those who check what they sign by the documents in the bucket."""

    bucket: Bucket | None = None

    def listed(self) -> set[str]:
        """The keys that the document lists."""
        found = self.bucket.objects.get(DOCUMENTS[1], b"") if self.bucket else b""
        return {one["kid"] for one in json.loads(found)["keys"]} if found else set()

    def _unaccepted(self, parties: list[tuple[str, Files]]) -> Iterator[str]:
        yield from super()._unaccepted(parties)
        if listed := self.listed():
            signers = {files.signs for name, files in parties if name == "kube-apiserver"}
            yield from (f"no document lists {key}, which signs" for key in signers - listed)


class World:
    """What the story may look at beside the API."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.bucket, self.account = stage, Bucket(), Account()
        self.user = stage.user
        self.readers = Readers(stage.user, stage.rng, PLACE)
        self.readers.bucket = self.bucket

    def start(self) -> Manager:
        settings = Settings(image="registry.example/hypershift:1")
        made = controllers(
            settings,
            releases=WithProvider(Releases()),
            documents=self.bucket,
            accounts=Accounts(make=lambda _: self.account),
        )
        return self.stage.manage(*made)

    async def create(self, **aws: Any) -> None:
        section = {"region": "us-east-1", "rolesRef": ROLES, **aws}
        section.setdefault("cloudProviderConfig", {"vpc": "vpc-1"})
        issuer = "https://docs.s3.us-east-1.amazonaws.com/demo-abcde"
        wanted = a_cluster(
            "demo",
            platform={"type": "AWS", "aws": section},
            services=routed("demo"),
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
        world = World(stage)
        await furnish(stage, world.readers)
        world.start()
        await story(world)

    play(whole)
