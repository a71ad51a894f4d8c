"""An additional pull secret reaches every node, and leaves no trace when it goes."""

import json
from base64 import b64encode
from dataclasses import replace

import pytest
from tests.unit.operators.guest_config.scopes import VALUES, named

from hypershift.kit import InvalidSpec, Manifest, labels_of
from hypershift.kube import kinds
from hypershift.operators.guest_config.rules import catalog, pull_secret
from hypershift.operators.guest_config.rules.pull_secret import decided, hash_of, merged

AUTH = b64encode(b"user:secret").decode()
OTHER = b64encode(b"other:words").decode()
ORIGINAL = json.dumps({"auths": {"quay.example": {"auth": AUTH}}}).encode()


def a_document(auths: dict[str, object]) -> bytes:
    return json.dumps({"auths": auths}).encode()


def an_addition(content: bytes, **metadata: object) -> Manifest:
    data = {".dockerconfigjson": b64encode(content).decode()}
    return {"metadata": {"name": "additional-pull-secret", **metadata}, "data": data}


def a_syncer(content: bytes, *, ready: bool) -> Manifest:
    template = {"metadata": {"labels": {pull_secret.HASH: hash_of(content)}}}
    status = {
        "observedGeneration": 3,
        "desiredNumberScheduled": 2,
        "updatedNumberScheduled": 2,
        "numberAvailable": 2 if ready else 1,
    }
    return {
        "kind": "DaemonSet",
        "metadata": {"name": pull_secret.SYNCER, "generation": 3},
        "spec": {"template": template},
        "status": status,
    }


def test_both_are_one_and_the_providers_entry_holds() -> None:
    both = a_document({"quay.example": {"auth": OTHER}, "registry.example/team": {"auth": OTHER}})
    assert json.loads(merged(ORIGINAL, both)) == {
        "auths": {"quay.example": {"auth": AUTH}, "registry.example/team": {"auth": OTHER}}
    }


def test_without_a_pull_secret_of_the_provider_the_addition_is_everything() -> None:
    alone = a_document({"a": {"auth": AUTH}})
    assert json.loads(merged(b"", alone)) == json.loads(alone)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "no map"),
        (b'{"auths": []}', "no map"),
        (b'{"auths": {"a": {}}}', "the entry of a"),
        (b'{"auths": {"a": 7}}', "the entry of a"),
        (b'{"auths": {"a": {"auth": "!"}}}', "the entry of a"),
        (b'{"auths": {"a": {"auth": "bm9jb2xvbg=="}}}', "the entry of a"),
        (b'{"auths": {"a": {"auth": "OnB3"}}}', "the entry of a"),
    ],
)
def test_a_bad_addition_is_refused_and_nodes_keep_what_they_have(content: bytes, why: str) -> None:
    with pytest.raises(InvalidSpec, match=why):
        merged(ORIGINAL, content)
    found = decided(ORIGINAL, an_addition(content), a_syncer(b"before", ready=True), 2)
    assert why in found.problem
    assert not found.merged
    assert kinds.DAEMON_SET not in [resource for resource, _ in pull_secret.unwanted(found)]


def test_what_is_wrong_is_said_without_the_secret() -> None:
    content = a_document({"a": {"auth": b64encode(b"hidden-word").decode()}})
    found = decided(ORIGINAL, an_addition(content), None, 2)
    assert found.problem
    assert "hidden" not in f"{found!r} {found.problem}"


def test_without_an_addition_there_is_the_copy_alone() -> None:
    values = replace(VALUES, credentials=decided(ORIGINAL, None, None, 2), image="i:1")
    names = {one["metadata"]["name"] for one in catalog.manifests(values)}
    assert pull_secret.ORIGINAL in names
    assert not names & {pull_secret.GLOBAL, pull_secret.SYNCER}


def test_another_content_replaces_the_pods_that_write_it() -> None:
    hashes = set()
    for auth in (AUTH, OTHER):
        addition = an_addition(a_document({"b": {"auth": auth}}))
        found = decided(ORIGINAL, addition, None, 2)
        made = catalog.manifests(replace(VALUES, credentials=found, image="i:1"))
        syncer = named(made, "DaemonSet", pull_secret.SYNCER)
        hashes.add(labels_of(syncer["spec"]["template"])[pull_secret.HASH])
        assert named(made, "Secret", pull_secret.GLOBAL)["type"] == pull_secret.KIND
    assert len(hashes) == 2


def test_when_the_addition_goes_nodes_get_the_original_first() -> None:
    addition = merged(ORIGINAL, a_document({"b": {"auth": AUTH}}))
    for syncer in (a_syncer(addition, ready=True), a_syncer(ORIGINAL, ready=False)):
        found = decided(ORIGINAL, None, syncer, 2)
        assert (found.merged, found.over) == (ORIGINAL, False)
    found = decided(ORIGINAL, None, a_syncer(ORIGINAL, ready=True), 2)
    assert found.over
    gone = {name for _, name in pull_secret.unwanted(found)}
    assert gone == {pull_secret.SYNCER, pull_secret.GLOBAL}


def test_an_addition_that_is_being_deleted_is_none() -> None:
    ending = an_addition(
        a_document({"b": {"auth": AUTH}}), deletionTimestamp="2026-01-01T00:00:00Z"
    )
    assert decided(ORIGINAL, ending, None, 2) == pull_secret.PullSecret(ORIGINAL)
