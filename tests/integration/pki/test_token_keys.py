"""The key that signs tokens is replaced under real programs: nobody's token ends before its time.

API servers are restarted one after the other in each stage, as a rollout does, and the controller
manager with them. After each restart both servers must accept what either signs, old tokens while
the old key is accepted, and the token that a Secret keeps, which is signed anew in the end.
"""

import asyncio
import json
import subprocess
from base64 import urlsafe_b64decode

import pytest
import yaml
from tests.integration.pki.test_succession import (
    ADMIN,
    SERVERS,
    Plane,
    await_open,
    credentials,
    first,
    plane,
    root,
    start_controller_manager,
)
from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import a_scope
from tests.unit.pki.test_succession import NOW, Objects, advance, begin, follow
from tests.unit.pki.test_token_keys import state

from hypershift import parts
from hypershift.kit import Manifest, data_of
from hypershift.kube import Client, kinds
from hypershift.kube.errors import Unauthorized
from hypershift.kube.tokens import mint
from hypershift.operators.guest_config import tokens
from hypershift.operators.guest_config.rules import succession
from hypershift.pki import Part, Stage, kubeconfig

pytestmark = pytest.mark.integration

__all__ = ["plane"]
ISSUER = "https://kubernetes.default.svc"
PLACE, ROBOT, KEPT = "default", "robot", "robot-token"
REVIEW = {
    "apiVersion": "authentication.k8s.io/v1",
    "kind": "SelfSubjectReview",
    "metadata": {},
}
#: Seconds for which an API server remembers that it knew a token, and some more.
REMEMBERED = 30


def admin(at: Plane, objects: Objects, server: str) -> Client:
    config = yaml.safe_load(credentials(at, objects, server, ADMIN))
    return Client.from_kubeconfig_dict(config, manager="test")


async def who(at: Plane, objects: Objects, server: str, token: str) -> str:
    """Whom a server takes the token's bearer for; empty when it refuses the token."""
    address = f"https://127.0.0.1:{at.ports[server]}"
    config = kubeconfig(address, root(objects), token=token)
    async with Client.from_kubeconfig_dict(config, manager="test") as client:
        try:
            answer = await client.create(dict(REVIEW))
        except Unauthorized:
            return ""
    return str(answer["status"]["userInfo"]["username"])


async def minted(at: Plane, objects: Objects, server: str) -> str:
    async with admin(at, objects, server) as client:
        return str((await mint(client, PLACE, ROBOT, ISSUER))["token"])


async def kept(at: Plane, objects: Objects) -> str:
    """The token that a Secret keeps, once the controller manager made it."""
    async with admin(at, objects, "one") as client:
        for _ in range(120):
            found = await client.get(kinds.SECRET, KEPT, PLACE)
            if token := data_of(found, "token").decode():
                return token
            await asyncio.sleep(0.5)
    raise AssertionError("the controller manager made no token")


def key_ids(at: Plane, objects: Objects, server: str) -> set[str]:
    """The keys that a server's own document lists."""
    path = at.folder / "jwks.kubeconfig"
    path.write_bytes(credentials(at, objects, server, ADMIN))
    words = [str(parts.path("kubectl")), f"--kubeconfig={path}", "get", "--raw", "/openid/v1/jwks"]
    answer = subprocess.run(words, capture_output=True, text=True, check=True)
    return {one["kid"] for one in json.loads(answer.stdout)["keys"]}


def key_id(token: str) -> str:
    return str(json.loads(urlsafe_b64decode(token.partition(".")[0] + "=="))["kid"])


async def every_token_is_good(at: Plane, objects: Objects, others: list[str]) -> None:
    fresh = [await minted(at, objects, server) for server in SERVERS]
    for server in SERVERS:
        for token in (*fresh, *others):
            assert await who(at, objects, server, token) == f"system:serviceaccount:{PLACE}:{ROBOT}"
        assert {key_id(token) for token in fresh} <= key_ids(at, objects, server)


async def make_a_robot(at: Plane, objects: Objects) -> None:
    async with admin(at, objects, "one") as client:
        account: Manifest = {"apiVersion": "v1", "kind": "ServiceAccount"}
        await client.create(account | {"metadata": {"name": ROBOT, "namespace": PLACE}})
        marks = {tokens.ACCOUNT: ROBOT}
        metadata = {"name": KEPT, "namespace": PLACE, "annotations": marks}
        secret: Manifest = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}
        await client.create(secret | {"type": tokens.TYPE.partition("=")[2]})


async def renew(at: Plane, objects: Objects) -> str:
    """The hosted cluster's part, by the product's own phase; what it reports."""
    scope = a_scope(MemoryClient(*objects.values()), MemoryClient())
    async with admin(at, objects, "two") as guest:
        scope.guest = guest
        await tokens.renew_tokens(scope)
    told: Manifest = scope.conditions.get(succession.CONDITION) or {}
    return str(told.get("message", ""))


async def is_refused(at: Plane, objects: Objects, server: str, token: str) -> bool:
    for _ in range(REMEMBERED):
        if not await who(at, objects, server, token):
            return True
        await asyncio.sleep(1)
    return False


@pytest.mark.timeout(600)
async def test_a_token_of_the_old_key_is_good_until_the_end_and_a_new_one_throughout(
    plane: Plane,
) -> None:
    objects = first()
    for name in ("etcd", *SERVERS):
        plane.restart(name, objects)
    for server in SERVERS:
        await_open(plane, credentials(plane, objects, server, ADMIN))
    await make_a_robot(plane, objects)
    start_controller_manager(plane, objects)
    old, secret = await minted(plane, objects, "one"), await kept(plane, objects)
    await every_token_is_good(plane, objects, [old, secret])
    for stage in (Stage.TRUST, Stage.REISSUE):
        made = begin(objects, NOW, Part.TOKEN_KEYS) if stage is Stage.TRUST else advance(objects)
        objects = follow(made, NOW)
        assert state(objects).stage is stage
        for server in SERVERS:
            plane.restart(server, objects)
            await_open(plane, credentials(plane, objects, server, ADMIN))
            await every_token_is_good(plane, objects, [old, secret])
        start_controller_manager(plane, objects)
    objects = follow(advance(objects), NOW)
    assert state(objects).word in (await renew(plane, objects)).split()
    assert await is_refused(plane, objects, "one", secret)
    secret = await kept(plane, objects)
    new = await minted(plane, objects, "one")
    assert key_id(secret) == key_id(new) != key_id(old)
    await every_token_is_good(plane, objects, [old, new, secret])
    objects = follow(advance(objects), NOW)
    for index, server in enumerate(SERVERS):
        plane.restart(server, objects)
        await_open(plane, credentials(plane, objects, server, ADMIN))
        await every_token_is_good(plane, objects, [new, secret])
        answers = [await who(plane, objects, each, old) for each in SERVERS]
        assert [bool(answer) for answer in answers] == [False, index == 0]
    assert key_ids(plane, objects, "one") == {key_id(new)}
