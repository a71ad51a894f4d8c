"""How far a change of key is: told from what the API servers run."""

from base64 import b64encode
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.lib.memory import MemoryClient

from hypershift.api import read
from hypershift.api.encryption import SecretEncryption
from hypershift.controlplane.kube_apiserver.encryption import KeySpec, fingerprint
from hypershift.kit import Manifest
from hypershift.kube import Forbidden, NotFound, Resource, Unavailable
from hypershift.kube.client import Listing
from hypershift.operators.guest_config.reencryption import rewriting
from hypershift.operators.guest_config.reencryption.rewriting import Rewriter
from hypershift.operators.guest_config.reencryption.rules.plan import Plan, Servers, completed, plan

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)
MATERIAL = {f"key-{letter}": letter.encode() * 32 for letter in "abc"}


def spec(letter: str, **held: bytes) -> KeySpec:
    """A spec that asks for a key; `held` says what Secrets hold by now."""
    section = {"type": "aescbc", "aescbc": {"activeKey": {"name": f"key-{letter}"}}}
    content = MATERIAL | {name.replace("_", "-"): value for name, value in held.items()}
    return KeySpec(read(SecretEncryption, section), lambda name: content.get(name, b""))


def key(letter: str) -> Manifest:
    found = spec(letter).wanted
    assert found is not None
    return found


def servers(letters: str, *, converged: bool = True) -> Servers:
    """API servers with these keys, the one that writes first; `-` is plain text."""
    providers: list[Manifest] = []
    keys = [
        {"name": f"name-of-{one}", "secret": b64encode(MATERIAL[f"key-{one}"]).decode()}
        for one in letters.replace("-", "")
    ]
    providers = [{"aescbc": {"keys": keys}}, {"identity": {}}]
    if letters.startswith("-"):
        providers.reverse()
    return Servers(providers, converged)


def state(found: Plan) -> str:
    return str(found.status["history"][0]["state"])


def begun() -> Manifest:
    return plan({"activeKey": key("a")}, spec("b"), servers("a"), NOW).status


def test_what_is_stored_is_not_known_before_it_was_rewritten() -> None:
    found = plan({}, spec("a"), servers("a"), NOW)
    assert (found.status, found.rewrite) == ({}, key("a"))
    assert found.condition.status == "False"
    done = completed(found.status, key("a"), NOW)
    assert done == {"activeKey": key("a")}
    assert plan(done, spec("a"), servers("a"), NOW).steady


@pytest.mark.parametrize("letters", ["-a", "ba", "b"], ids=["plain", "reading", "another"])
def test_nothing_is_rewritten_before_the_servers_write_with_the_key(letters: str) -> None:
    assert plan({}, spec("a"), servers(letters), NOW).rewrite is None


def test_nothing_is_rewritten_while_a_server_may_write_with_another_key() -> None:
    found = plan({}, spec("a"), servers("a", converged=False), NOW)
    assert found.rewrite is None
    assert found.condition.reason == "ReEncryptionWaitingForKASConvergence"


def test_another_key_in_the_spec_becomes_the_target() -> None:
    status = begun()
    assert status["targetKey"] == key("b")
    assert status["activeKey"] == key("a")
    (entry,) = status["history"]
    assert entry["from"] == {"provider": "AESCBC", "fingerprint": fingerprint(key("a"))}
    assert entry["startedTime"] == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("letters", "converged", "reason", "where"),
    [
        ("a", True, "ReadOnlyRolloutInProgress", "ReadOnlyDeploy"),
        ("ab", False, "ReadOnlyRolloutInProgress", "ReadOnlyDeploy"),
        ("ab", True, "WritePromotionInProgress", "WritePromote"),
        ("ba", False, "ReEncryptionWaitingForKASConvergence", "WritePromote"),
        ("ba", True, "ReEncryptionInProgress", "Migrating"),
    ],
)
def test_the_state_follows_what_the_servers_run(
    letters: str, *, converged: bool, reason: str, where: str
) -> None:
    found = plan(begun(), spec("b"), servers(letters, converged=converged), LATER)
    assert (found.condition.reason, state(found)) == (reason, where)
    assert (found.rewrite is not None) == (where == "Migrating")
    assert found.status["activeKey"] == key("a"), "the old key is not let go of"


def test_a_finished_change_is_told_once() -> None:
    status = completed(begun(), key("b"), LATER)
    assert status["activeKey"] == key("b")
    assert "targetKey" not in status
    assert status["history"][0]["state"] == "Completed"
    assert status["history"][0]["completionTime"] == "2026-01-01T00:05:00Z"
    assert completed(status, key("b"), LATER + timedelta(hours=1)) == status


def test_a_newer_wish_waits_for_the_change_under_way() -> None:
    found = plan(begun(), spec("c"), servers("ba"), NOW)
    assert found.rewrite == key("b")
    after = plan(completed(found.status, key("b"), NOW), spec("c"), servers("ba"), LATER)
    assert after.status["targetKey"] == key("c")
    assert [one["state"] for one in after.status["history"]] == ["ReadOnlyDeploy", "Completed"]


def test_a_key_that_was_overwritten_before_it_was_used_is_given_up() -> None:
    found = plan(begun(), spec("b", key_b=MATERIAL["key-c"]), servers("a"), LATER)
    assert found.status["targetKey"]["aescbc"]["dataHash"] == fingerprint(key("c"))
    assert [one["state"] for one in found.status["history"]] == ["ReadOnlyDeploy", "Interrupted"]


def test_a_key_in_use_is_followed_to_the_end_although_its_secret_holds_another() -> None:
    found = plan(begun(), spec("b", key_b=MATERIAL["key-c"]), servers("ba"), LATER)
    assert found.rewrite == key("b")


def test_a_secret_without_a_key_is_named_and_changes_nothing() -> None:
    status = {"activeKey": key("a")}
    found = plan(status, spec("b", key_b=b"short"), servers("a"), NOW)
    assert found.status == status
    assert found.condition.reason == "ReEncryptionFailed"


def test_a_status_that_contradicts_the_servers_is_not_believed() -> None:
    found = plan({"activeKey": key("a")}, spec("b"), servers("ba"), NOW)
    assert "activeKey" not in found.status
    assert found.rewrite == key("b")


def test_the_history_keeps_five_changes() -> None:
    status: Manifest = {"activeKey": key("a")}
    for old, new in ("ab", "ba", "ab", "ba", "ab", "ba", "ab"):
        status = plan(status, spec(new), servers(old), NOW).status
        status = completed(status, key(new), NOW)
    assert len(status["history"]) == 5


def test_keys_of_a_service_are_told_by_their_names() -> None:
    section = {"type": "kms", "kms": {"provider": "AWS", "aws": {"activeKey": {"arn": "arn:b"}}}}
    aws = KeySpec(read(SecretEncryption, section), lambda _: b"")
    assert aws.wanted == {"provider": "AWS", "aws": {"arn": "arn:b"}}
    old = {"provider": "AWS", "aws": {"arn": "arn:a"}}
    assert len({fingerprint(old), fingerprint(aws.wanted)}) == 2
    assert aws.name_in([], old) == ""


class Guest(MemoryClient):
    """A hosted cluster that counts what is stored anew, and refuses some of it."""

    def __init__(self, *objects: Manifest, refuses: str = "") -> None:
        super().__init__(*objects)
        self.refuses, self.rewritten = refuses, 0

    async def listing(self, resource: Resource, *_: Any, **__: Any) -> Any:
        if resource.group:
            raise NotFound(404, "NotFound", "not served")
        return Listing(await self.list(resource), "1")

    async def patch(
        self, resource: Resource, name: str, patch: Any, namespace: str = "", **_: Any
    ) -> Manifest:
        assert patch == {}, "the content is nobody's business"
        if name == self.refuses:
            raise Forbidden(403, "Forbidden", "by a webhook of the user's")
        self.rewritten += 1
        return await self.get(resource, name, namespace)


def many(count: int) -> Iterable[Manifest]:
    for number in range(count):
        yield {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": f"s{number}", "namespace": "default"},
        }


KINDS = ("secrets", "routes.route.openshift.io")


async def test_many_objects_take_several_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewriting, "IN_A_PASS", 16)
    guest, rewriter = Guest(*many(40)), Rewriter()
    left = [len((await rewriter.step("c", "b", guest, KINDS)).todo) for _ in range(3)]
    assert left == [24, 8, 0]
    assert guest.rewritten == 40


async def test_another_key_begins_anew() -> None:
    guest, rewriter = Guest(*many(3)), Rewriter()
    await rewriter.step("c", "b", guest, KINDS)
    await rewriter.step("c", "a", guest, KINDS)
    assert guest.rewritten == 6


async def test_what_is_refused_is_named_and_tried_again() -> None:
    guest, rewriter = Guest(*many(3), refuses="s1"), Rewriter()
    work = await rewriter.step("c", "b", guest, KINDS)
    assert not work.done
    assert "1 of 3 objects are refused, first secrets default/s1" in work.problem
    guest.refuses = ""
    assert (await rewriter.step("c", "b", guest, KINDS)).done


async def test_a_server_that_is_away_is_an_error_of_the_listing() -> None:
    class Away(Guest):
        async def listing(self, *_: Any, **__: Any) -> Any:
            raise Unavailable(503, "ServiceUnavailable", "away")

    with pytest.raises(Unavailable):
        await Rewriter().step("c", "b", Away(), KINDS)
