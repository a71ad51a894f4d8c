"""Two clusters with the same `infraID`: the documents of a token issuer are the first one's alone.

A cloud account trusts the keys that those documents name, so who writes them has its roles.
"""

import asyncio
from typing import Any

from tests.lib import planes
from tests.lib.aws import ROLES, routed
from tests.lib.aws_cluster import DOCUMENTS, HOME, UP, World, staged

from hypershift.kit import Manifest, deep_merge
from hypershift.kube import kinds

ID, FINALIZER = "demo-abcde", "hypershift.io/aws-oidc-discovery"
EVIL = "evil"


async def an_attacker(world: World, **metadata: Any) -> Manifest:
    """A cluster of another tenant that calls itself by the victim's name in the cloud."""
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": EVIL}}
    await world.user.create(space)
    secret = planes.a_secret("pull", **{".dockerconfigjson": b"{}"})
    await world.user.create(deep_merge(secret, {"metadata": {"namespace": EVIL}}))
    hosts = [
        deep_merge(
            each, {"servicePublishingStrategy": {"route": {"hostname": f"{number}.evil.example"}}}
        )
        for number, each in enumerate(routed("demo"))
    ]
    section = {"region": "us-east-1", "rolesRef": ROLES, "cloudProviderConfig": {"vpc": "vpc-1"}}
    wanted = planes.a_cluster(
        "x",
        platform={"type": "AWS", "aws": section},
        services=hosts,
        infraID=ID,
        issuerURL=f"https://docs.s3.us-east-1.amazonaws.com/{ID}",
    )
    changed = {"metadata": {"namespace": EVIL, **metadata}}
    made: Manifest = await world.user.create(deep_merge(wanted, changed))
    return made


def test_nobody_replaces_the_keys_that_another_clusters_account_trusts() -> None:
    async def story(world: World) -> None:
        await world.create()
        assert sorted(world.bucket.objects) == DOCUMENTS
        before, writes = dict(world.bucket.objects), world.bucket.writes
        await an_attacker(world)
        await asyncio.sleep(UP)
        assert world.bucket.writes == writes
        refused = await world.user.get(kinds.HOSTED_CLUSTER, "x", EVIL)
        told = {one["type"]: one for one in refused["status"]["conditions"]}
        assert told["ValidConfiguration"]["status"] == "False"
        assert f"spec.infraID {ID} is another cluster's" in told["ValidConfiguration"]["message"]
        assert (await world.told("Available"))[0] == "True"
        await world.user.delete(kinds.HOSTED_CLUSTER, "x", EVIL)
        await asyncio.sleep(UP)
        assert world.bucket.objects == before

    staged(story)


def test_a_finalizer_written_by_a_user_deletes_no_documents_of_another() -> None:
    async def story(world: World) -> None:
        await world.create()
        before = dict(world.bucket.objects)
        await an_attacker(world, finalizers=[FINALIZER])
        await asyncio.sleep(60)
        await world.user.delete(kinds.HOSTED_CLUSTER, "x", EVIL)
        await asyncio.sleep(UP)
        assert world.bucket.objects == before
        assert await world.user.find(kinds.HOSTED_CLUSTER, "x", EVIL) is None
        assert await world.user.find(kinds.HOSTED_CLUSTER, "demo", HOME) is not None

    staged(story)
