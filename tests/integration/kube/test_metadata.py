"""Metadata alone, and acting as somebody else: what only a real API server can show."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.lib.server import RealServer

from hypershift.kit import Key
from hypershift.kube import Client, Forbidden, Impersonation, kinds
from hypershift.kube.config import from_dict
from hypershift.kube.informers import Informers
from hypershift.kube.reflector import Selection

pytestmark = pytest.mark.integration

REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews"


async def until(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not what():  # noqa: ASYNC110 (a cache has no event for each change)
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("watch_list", [True, False])
async def test_a_metadata_only_watch_follows_names_and_labels_without_content(
    server: RealServer, *, watch_list: bool
) -> None:
    async with server.client() as client, Informers(client, watch_list=watch_list) as informers:
        await client.create(a_config_map("early"))
        informer = informers.acquire(Selection(kinds.CONFIG_MAP, "default", metadata_only=True))
        await informer.wait()
        await client.create(a_config_map("late"))
        key = Key("default", "late")
        await until(lambda: informer.cache.peek(key) is not None)
        for name in ("early", "late"):
            found = informer.cache.get(Key("default", name))
            assert found is not None
            assert (found["kind"], found["apiVersion"]) == ("ConfigMap", "v1")
            assert found["metadata"]["labels"] == {"shop": "bakery"}
            assert "data" not in found
        await client.patch(
            kinds.CONFIG_MAP, "late", {"metadata": {"labels": {"shop": "books"}}}, "default"
        )
        await until(lambda: _label(informers, key) == "books")
        await client.delete(kinds.CONFIG_MAP, "late", "default")
        await until(lambda: informer.cache.peek(key) is None)
        assert informer.reflector.relists == 1


def _label(informers: Informers, key: Key) -> str:
    (informer,) = informers
    found = informer.cache.peek(key) or {"metadata": {"labels": {}}}
    return str(found["metadata"]["labels"].get("shop"))


def a_config_map(name: str) -> dict[str, object]:
    metadata = {"name": name, "namespace": "default", "labels": {"shop": "bakery"}}
    data = {"content": "x" * 1000}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


async def test_impersonation_is_what_the_server_sees(server: RealServer) -> None:
    bob = Impersonation("bob", ("bakers",), "17", (("reason", "support"),))
    async with acting_as(server, bob) as client:
        review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
        seen = json.loads(await client.raw("POST", REVIEWS, body=review))["status"]["userInfo"]
        assert (seen["username"], seen["uid"]) == ("bob", "17")
        assert "bakers" in seen["groups"]
        assert seen["extra"] == {"reason": ["support"]}
        with pytest.raises(Forbidden, match="bob"):
            await client.list(kinds.SECRET)
    async with acting_as(server, Impersonation("bob", ("system:masters",))) as client:
        assert await client.list(kinds.SECRET) == []


def acting_as(server: RealServer, somebody: Impersonation) -> Client:
    return Client.from_config(replace(from_dict(server.kubeconfig), impersonate=somebody))
