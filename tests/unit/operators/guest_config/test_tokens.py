"""Tokens that Secrets keep are signed anew before their key is dropped, and never go missing."""

from base64 import b64encode
from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import a_scope
from tests.unit.pki.test_succession import FIRST, Objects, advance, begin, follow
from tests.unit.pki.test_token_keys import state

from hypershift.api.conditions import holds
from hypershift.kit import Manifest, data_of
from hypershift.kube import Conflict, Resource, kinds
from hypershift.operators.guest_config import tokens
from hypershift.operators.guest_config.rules import succession
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.pki import Part, Stage, key_from_pem, secret_data
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET
from hypershift.pki.token_keys import KEY, Kept, is_of, kept_token

PLACE = "shop"


def renewing(only: str = Part.TOKEN_KEYS) -> Objects:
    objects = follow(begin(FIRST, only=only))
    while state(objects).stage is not Stage.RENEW:
        objects = follow(advance(objects))
    return objects


RENEWING = renewing()


def signing(objects: Objects) -> Any:
    return key_from_pem(secret_data(objects, SERVICE_ACCOUNT_SECRET)[KEY])


def account(name: str = "robot") -> Manifest:
    metadata = {"name": name, "namespace": PLACE, "uid": f"uid-of-{name}"}
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}


def keeping(name: str = "robot", uid: str = "", objects: Objects = FIRST) -> Manifest:
    """A Secret with a token as the controller manager made it with the key of then."""
    marks = {tokens.ACCOUNT: name, tokens.UID: uid or f"uid-of-{name}"}
    kept = Kept(PLACE, f"{name}-token", name, marks[tokens.UID])
    token = kept_token(signing(objects), kept).encode()
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": kept.secret, "namespace": PLACE, "annotations": marks},
        "type": "kubernetes.io/service-account-token",
        "data": {"token": b64encode(token).decode(), "ca.crt": "Q0E="},
    }


async def after_a_pass(guest: MemoryClient, objects: Objects = RENEWING) -> GuestScope:
    scope = a_scope(MemoryClient(*objects.values()), guest)
    await tokens.renew_tokens(scope)
    return scope


def told(scope: GuestScope) -> Manifest:
    return scope.conditions.get(succession.CONDITION) or {}


async def token_of(guest: MemoryClient, name: str = "robot") -> str:
    return data_of(await guest.get(kinds.SECRET, f"{name}-token", PLACE), "token").decode()


async def test_a_token_of_the_old_key_is_signed_by_the_new_one_and_that_is_reported() -> None:
    guest = MemoryClient(account(), keeping())
    scope = await after_a_pass(guest)
    assert is_of(await token_of(guest), signing(RENEWING))
    kept = await guest.get(kinds.SECRET, "robot-token", PLACE)
    assert kept["data"]["ca.crt"] == "Q0E="
    assert holds(told(scope))
    assert state(RENEWING).word in told(scope)["message"].split()
    assert [verb for verb, _, _ in guest.writes] == ["patch"]


async def test_a_second_pass_writes_nothing() -> None:
    guest = MemoryClient(account(), keeping())
    await after_a_pass(guest)
    scope = await after_a_pass(guest)
    assert len(guest.writes) == 1
    assert holds(told(scope))


async def test_what_the_new_key_signed_is_left_as_it_is() -> None:
    guest = MemoryClient(account(), keeping(objects=RENEWING))
    assert holds(told(await after_a_pass(guest)))
    assert guest.writes == []


@pytest.mark.parametrize("account_there", [True, False])
async def test_there_is_no_token_for_an_account_that_is_gone_or_another_one(
    *, account_there: bool
) -> None:
    found = [keeping(uid="of-an-earlier-robot")] + ([account()] if account_there else [])
    guest = MemoryClient(*found)
    assert holds(told(await after_a_pass(guest)))
    assert guest.writes == []


async def test_a_secret_claims_no_other_account_than_one_of_its_namespace() -> None:
    elsewhere = account("admin")
    elsewhere["metadata"]["namespace"] = "kube-system"
    guest = MemoryClient(elsewhere, keeping("admin"))
    await after_a_pass(guest)
    assert guest.writes == []


async def test_many_are_signed_in_several_passes_and_reported_in_the_end() -> None:
    names = [f"robot-{number}" for number in range(tokens.MOST + 1)]
    guest = MemoryClient(*map(account, names), *map(keeping, names))
    assert not holds(told(await after_a_pass(guest)))
    assert len(guest.writes) == tokens.MOST
    assert holds(told(await after_a_pass(guest)))


class Contested(MemoryClient):
    """A guest in which somebody else writes the Secret at the same time."""

    async def patch(self, resource: Resource, name: str, *_: Any, **__: Any) -> Manifest:
        raise Conflict(409, "Conflict", f"{resource.kind} {name}")


async def test_a_secret_that_changed_meanwhile_is_looked_at_again() -> None:
    assert not holds(told(await after_a_pass(Contested(account(), keeping()))))


async def test_a_cache_that_shows_the_old_key_is_waited_for() -> None:
    key = ("Secret", SERVICE_ACCOUNT_SECRET)
    guest = MemoryClient(account(), keeping())
    scope = await after_a_pass(guest, RENEWING | {key: FIRST[key]})
    assert not holds(told(scope))
    assert guest.writes == []


@pytest.mark.parametrize("stage", [Stage.TRUST, Stage.REISSUE])
async def test_tokens_stay_as_long_as_users_may_replace_them_themselves(stage: Stage) -> None:
    objects = follow(begin(FIRST, only=Part.TOKEN_KEYS))
    if stage is Stage.REISSUE:
        objects = follow(advance(objects))
    guest = MemoryClient(account(), keeping())
    scope = await after_a_pass(guest, objects)
    assert guest.writes == []
    assert told(scope) == {}


async def test_with_the_authorities_nodes_and_software_come_first() -> None:
    everything = renewing("")
    guest = MemoryClient(account(), keeping())
    scope = await after_a_pass(guest, everything)
    assert guest.writes == []
    scope.conditions.set(succession.followed(state(everything).mark))
    await tokens.renew_tokens(scope)
    assert state(everything).word in told(scope)["message"].split()
    assert len(guest.writes) == 1
