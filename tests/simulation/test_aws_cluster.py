"""A HostedCluster on AWS in a simulated world: from nothing to its machines' ground, and back."""

import asyncio

import pytest
from tests.lib.aws_cluster import DOCUMENTS, HOME, PLACE, UP, World, staged

from hypershift.api import annotations
from hypershift.kube import kinds
from hypershift.operators.controlplane import succession
from hypershift.pki import Part
from hypershift.platforms.aws.cluster import RESOURCE as AWS_CLUSTER
from hypershift.runtime import condition_of


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


def test_another_key_signs_tokens_once_the_documents_list_it_and_as_long_as_they_do() -> None:
    async def story(world: World) -> None:
        await world.create()
        reading = asyncio.create_task(world.readers.live())
        (before,) = world.readers.listed()
        world.bucket.trouble = "AccessDenied"
        marks = {
            annotations.ROTATE_AUTHORITIES: "first",
            annotations.ROTATE_AUTHORITIES_ONLY: Part.TOKEN_KEYS,
            annotations.ROTATE_AUTHORITIES_GRACE: "0s",
            annotations.ROTATE_AUTHORITIES_TOKEN_LIFETIME: "30s",
        }
        patch = {"metadata": {"annotations": marks}}
        await world.user.patch(kinds.HOSTED_CLUSTER, "demo", patch, HOME)
        await asyncio.sleep(90)
        status, message = await world.told("AuthoritiesRotated")
        assert status == "False"
        assert "the documents of the token issuer" in message
        assert world.readers.listed() == {before}
        world.bucket.trouble = ""
        await asyncio.sleep(UP / 2)
        assert (await world.told("AuthoritiesRotated"))[0] == "True"
        reading.cancel()
        assert (await world.told("ValidOIDCConfiguration"))[0] == "True"
        (after,) = world.readers.listed()
        assert after != before
        assert world.readers.complaints == []
        writes, stored = len(world.stage.writes), world.bucket.writes
        await asyncio.sleep(UP)
        assert (world.stage.writes[writes:], world.bucket.writes) == ([], stored)

    staged(story)


def test_a_key_that_signs_before_the_documents_list_it_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(succession, "_is_published", lambda _: True)

    async def story(world: World) -> None:
        await world.create()
        world.bucket.trouble = "AccessDenied"
        marks = {
            annotations.ROTATE_AUTHORITIES: "first",
            annotations.ROTATE_AUTHORITIES_ONLY: Part.TOKEN_KEYS,
        }
        patch = {"metadata": {"annotations": marks}}
        await world.user.patch(kinds.HOSTED_CLUSTER, "demo", patch, HOME)
        reading = asyncio.create_task(world.readers.live())
        await asyncio.sleep(90)
        reading.cancel()
        assert any("no document lists" in text for text in world.readers.complaints)

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
