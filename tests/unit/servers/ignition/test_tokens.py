"""The life of the ignition server's tokens."""

import base64
import json
from datetime import timedelta

import pytest
from tests.unit.servers.ignition.world import HASH, NOW, TOKEN, a_token, a_world, scope_of

from hypershift.ignition import token
from hypershift.kit import Key, rfc3339
from hypershift.kube import kinds
from hypershift.runtime import Wait
from hypershift.servers.ignition import tokens


async def test_a_good_configuration_is_reported_once() -> None:
    kube = a_world(a_token())
    secret = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    scope = scope_of(kube, secret)
    await tokens.check_payload(scope)
    await tokens.check_payload(scope)
    assert [verb for verb, kind, _ in kube.writes if kind == "Secret"] == ["patch"]
    assert base64.b64decode(scope.object["data"][token.REASON]) == b"AsExpected"
    assert token.PAYLOAD not in scope.object["data"]


async def test_a_bad_configuration_is_reported_with_its_reason() -> None:
    secret = a_token()
    bad = json.dumps(
        {
            "apiVersion": "machineconfiguration.openshift.io/v1",
            "kind": "MachineConfig",
            "metadata": {"name": "x"},
            "spec": {"fips": True},
        }
    )
    secret["data"]["config"] = base64.b64encode(token.packed(bad.encode())).decode()
    kube = a_world(secret)
    scope = scope_of(
        kube, await kube.get(kinds.SECRET, secret["metadata"]["name"], "clusters-demo")
    )
    await tokens.check_payload(scope)
    assert base64.b64decode(scope.object["data"][token.REASON]) == b"InvalidConfig"
    assert b"fips cannot be honoured" in base64.b64decode(scope.object["data"][token.MESSAGE])


async def test_a_payload_is_stored_for_machines_that_upgrade_in_place() -> None:
    kube = a_world(a_token(**{token.UPGRADE_TYPE: "InPlace"}))
    secret = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    scope = scope_of(kube, secret)
    await tokens.check_payload(scope)
    stored = base64.b64decode(scope.object["data"][token.PAYLOAD])
    assert b'"version":"3.2.0"' in token.unpacked(stored)


async def test_a_token_turns_at_half_life_and_the_old_one_stays() -> None:
    old = rfc3339(NOW - timedelta(hours=5, minutes=31))
    kube = a_world(a_token(**{token.GENERATED_AT: old}))
    secret = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    scope = scope_of(kube, secret)
    assert await tokens.rotate(scope) == Wait("TokenYoung", after=timedelta(hours=5, minutes=30))
    assert base64.b64decode(scope.object["data"][token.OLD_TOKEN]).decode() == TOKEN
    assert base64.b64decode(scope.object["data"][token.TOKEN]).decode() != TOKEN
    assert await tokens.rotate(scope) == Wait("TokenYoung", after=timedelta(hours=5, minutes=30))


@pytest.mark.parametrize("expiry", [rfc3339(NOW - timedelta(seconds=1)), "not a time"])
async def test_an_expired_token_is_deleted(expiry: str) -> None:
    kube = a_world(a_token(**{token.EXPIRES_AT: expiry}))
    secret = await kube.get(kinds.SECRET, token.token_name("workers", HASH), "clusters-demo")
    await tokens.delete_expired(scope_of(kube, secret))
    assert kube.writes == [("delete", "Secret", Key("clusters-demo", secret["metadata"]["name"]))]
