"""Namespaces of others: a tenant's cluster takes, changes or deletes none of them (C2)."""

import asyncio
from typing import Any

import pytest
from tests.adversary.tenants import (
    GONE,
    UP,
    a_cluster,
    a_namespace,
    a_secret,
    a_tenant,
    content,
    forged,
    is_available,
    staged,
    told,
)
from tests.lib.stage import Stage

from hypershift.api import annotations, labels
from hypershift.kit import Key, annotations_of, deep_merge, key_of
from hypershift.kube import kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.ownership import CLUSTER_UID, Owner


@pytest.mark.parametrize(
    ("namespace", "name"), [("team", "red"), ("kube", "system"), ("cert", "a.b")]
)
def test_a_namespace_of_others_is_neither_changed_nor_deleted(namespace: str, name: str) -> None:
    async def story(stage: Stage) -> None:
        user, victim = stage.user, f"{namespace}-{name.replace('.', '-')}"
        await a_tenant(user, victim)
        await a_tenant(user, namespace)
        await user.create(a_secret("precious", victim, key=b"value"))
        before = content(stage, victim)
        await user.create(a_cluster(namespace, name))
        await asyncio.sleep(UP)
        assert content(stage, victim) == before
        refused = await told(user, Key(namespace, name))
        assert (refused["status"], refused["reason"]) == ("False", "InvalidConfiguration")
        assert f"{victim!r} exists already and was not made for" in refused["message"]
        assert "choose another name" in refused["message"]
        await user.delete(kinds.HOSTED_CLUSTER, name, namespace)
        await asyncio.sleep(GONE)
        assert content(stage, victim) == before
        assert not await user.find(kinds.HOSTED_CLUSTER, name, namespace)

    staged(story)


def test_a_running_cluster_in_the_namespace_of_the_victim_survives() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        for namespace in ("team-red", "team"):
            await a_tenant(user, namespace)
        await user.create(a_cluster("team-red", "web"))
        await asyncio.sleep(UP)
        await user.create(a_cluster("team", "red"))
        await asyncio.sleep(UP)
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")
        assert await is_available(user, "team-red", "web")
        assert await user.find(kinds.NAMESPACE, "team-red-web")

    staged(story)


@pytest.mark.parametrize(
    "metadata",
    [
        forged("team/red"),
        forged("team/red", **{CLUSTER_UID: "another"}),
        {"annotations": {annotations.CLUSTER: "team/red"}},
        {"labels": {labels.HOSTED_CONTROL_PLANE: "true"}},
        forged("team/red/"),
        forged("team-red"),
    ],
)
def test_a_mark_that_does_not_prove_this_very_cluster_is_not_enough(metadata: Any) -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await a_tenant(user, "team")
        await user.create(a_namespace("team-red", **metadata))
        await a_tenant(user, "team-red")
        before = content(stage, "team-red")
        await user.create(a_cluster("team", "red"))
        await asyncio.sleep(UP)
        assert (await told(user, Key("team", "red")))["status"] == "False"
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert content(stage, "team-red") == before
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")

    staged(story)


def test_of_two_clusters_that_mean_the_same_namespace_one_wins_and_the_other_takes_nothing() -> (
    None
):
    async def story(stage: Stage) -> None:
        user = stage.user
        for namespace in ("a", "a-b"):
            await a_tenant(user, namespace)
        rivals = (a_cluster("a", "b-c"), a_cluster("a-b", "c"), a_cluster("a", "b.c"))
        await asyncio.gather(*(user.create(one) for one in rivals))
        await asyncio.sleep(UP)
        up = [one for one in rivals if await is_available(user, *key_of(one))]
        assert len(up) == 1
        before = await user.get(kinds.NAMESPACE, "a-b-c")
        assert ownership.cluster_of(before) == key_of(up[0])
        for loser in (one for one in rivals if one not in up):
            refused = await told(user, key_of(loser))
            assert f"belongs to hosted cluster {key_of(up[0])}" in refused["message"]
            await user.delete(kinds.HOSTED_CLUSTER, *reversed(key_of(loser)))
        await asyncio.sleep(GONE)
        assert [key_of(one) for one in await user.list(kinds.HOSTED_CLUSTER)] == [key_of(up[0])]
        assert await is_available(user, *key_of(up[0]))
        after = await user.get(kinds.NAMESPACE, "a-b-c")
        assert after["metadata"]["uid"] == before["metadata"]["uid"]

    staged(story)


def test_a_namespace_with_the_mark_alone_is_finished_after_a_crash() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await a_tenant(user, "team")
        made = await user.create(a_cluster("team", "red", pausedUntil="true"))
        mark = ownership.mark(Owner(key_of(made), made["metadata"]["uid"]))
        await user.create(a_namespace("team-red", annotations=mark))
        await user.patch(kinds.HOSTED_CLUSTER, "red", {"spec": {"pausedUntil": None}}, "team")
        await asyncio.sleep(UP)
        assert await is_available(user, "team", "red")

    staged(story)


def test_a_namespace_that_an_older_operator_made_is_kept_marked_and_deleted() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await a_tenant(user, "team")
        made = await user.create(a_cluster("team", "red"))
        await asyncio.sleep(UP)
        unmarked = {"metadata": {"annotations": {CLUSTER_UID: None}}}
        await user.patch(kinds.NAMESPACE, "team-red", unmarked)
        await asyncio.sleep(UP)
        found = await user.get(kinds.NAMESPACE, "team-red")
        assert annotations_of(found)[CLUSTER_UID] == made["metadata"]["uid"]
        assert await is_available(user, "team", "red")
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.NAMESPACE, "team-red")

    staged(story)


def test_a_later_cluster_of_the_same_name_waits_for_an_administrator() -> None:
    async def story(stage: Stage) -> None:
        user, key = stage.user, Key("team", "red")
        await a_tenant(user, "team")
        kept = {"metadata": {"annotations": {annotations.SKIP_NAMESPACE_DELETION: "true"}}}
        await user.create(deep_merge(a_cluster(*key), kept))
        await asyncio.sleep(UP)
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")
        before = content(stage, "team-red")
        made = await user.create(a_cluster(*key))
        await asyncio.sleep(UP)
        uid = made["metadata"]["uid"]
        refused = await told(user, key)
        assert "belongs to an earlier hosted cluster team/red" in refused["message"]
        assert f"{CLUSTER_UID}={uid}" in refused["message"]
        assert content(stage, "team-red") == before
        confirmed = {"metadata": {"annotations": {CLUSTER_UID: uid}}}
        await user.patch(kinds.NAMESPACE, "team-red", confirmed)
        await asyncio.sleep(UP)
        assert await is_available(user, *key)

    staged(story)


def test_an_unbuilt_platform_is_the_cause_that_is_named() -> None:
    async def story(stage: Stage) -> None:
        user, key = stage.user, Key("team", "red")
        await a_tenant(user, "team")
        none = {"image": "registry.example/none:1"}
        await user.create(a_cluster(*key, platform={"type": "Moon"}, release=none))
        await asyncio.sleep(UP)
        for kind in ("Progressing", "Available"):
            assert "SupportedHostedCluster" in (await told(user, key, kind))["message"]
        assert (await told(user, key, "IgnitionEndpointAvailable"))["status"] == "False"
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")

    staged(story)
