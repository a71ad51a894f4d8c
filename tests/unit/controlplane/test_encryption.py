"""A new key is read by all replicas before any of them writes with it."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest
import yaml
from tests.unit.component.clusters import a_view

from hypershift.component import View, render
from hypershift.controlplane import kube_apiserver
from hypershift.controlplane.kube_apiserver.encryption import SECRET, configuration
from hypershift.controlplane.kube_apiserver.encryption.aescbc import data_hash
from hypershift.kit import InvalidSpec, Manifest


def secret(letter: str) -> Manifest:
    return {"kind": "Secret", "data": {"key": b64encode(letter.encode() * 32).decode()}}


KEYS = {("Secret", f"key-{letter}"): secret(letter) for letter in "abc"}


def a_cluster(
    active: str, objects: dict[tuple[str, str], Manifest] | None = None, **told: str
) -> View:
    """A cluster that asks for a key; `told` is what its status says, by letter."""
    wish = {"type": "aescbc", "aescbc": {"activeKey": {"name": f"key-{active}"}}}
    status = {"secretEncryption": {field: key_of(letter) for field, letter in told.items()}}
    return a_view(
        secretEncryption=wish, objects={**KEYS, **(objects or {})}, status=status if told else None
    )


def key_of(letter: str) -> Manifest:
    """A key as a status tells it."""
    told = {"dataHash": data_hash(letter.encode() * 32), "secret": {"name": f"key-{letter}"}}
    return {"provider": "AESCBC", "aescbc": told}


def order(view: View) -> str:
    """The keys in the order of the configuration, `-` for plain text."""
    letters = {secret(letter)["data"]["key"]: letter for letter in "abc"}
    found = ""
    for provider in configuration(view)["resources"][0]["providers"]:
        if "identity" in provider:
            found += "-"
        for key in provider.get("aescbc", {}).get("keys", ()):
            found += letters[key["secret"]]
    return found


def applied(view: View, *, done: bool) -> dict[tuple[str, str], Manifest]:
    """What a pass leaves in the namespace, and whether its rollout came to an end."""
    found = {(m["kind"], m["metadata"]["name"]): m for m in render(kube_apiserver.KUBERNETES, view)}
    deployment = found["Deployment", "kube-apiserver"]
    counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
    status: dict[str, Any] = dict.fromkeys(counts, deployment["spec"]["replicas"] if done else 0)
    found["Deployment", "kube-apiserver"] = {**deployment, "status": status}
    return found


def test_a_new_cluster_writes_with_its_key_at_once() -> None:
    assert order(a_cluster("a")) == "a-"


def test_nothing_changes_while_the_key_stays() -> None:
    settled = applied(a_cluster("a"), done=True)
    assert order(a_cluster("a", settled)) == "a-"


def test_a_key_is_changed_in_two_steps() -> None:
    objects = applied(a_cluster("a"), done=True)
    wish = a_cluster("b", objects)
    assert order(wish) == "ab-"
    rolling = {**objects, **applied(wish, done=False)}
    assert order(a_cluster("b", rolling)) == "ab-"
    rolled = {**objects, **applied(wish, done=True)}
    assert order(a_cluster("b", rolled)) == "ba-"
    written = {**rolled, **applied(a_cluster("b", rolled), done=True)}
    assert order(a_cluster("b", written)) == "ba-"


def test_a_rollout_of_something_else_does_not_promote_a_key() -> None:
    objects = applied(a_cluster("a"), done=True)
    wish = a_cluster("b", objects)
    staged = applied(wish, done=True)
    mixed = {**objects, ("Secret", SECRET): staged["Secret", SECRET]}
    assert order(a_cluster("b", mixed)) == "ab-"


def test_a_user_who_changes_their_mind_goes_back() -> None:
    objects = applied(a_cluster("a"), done=True)
    staged = {**objects, **applied(a_cluster("b", objects), done=False)}
    assert order(a_cluster("a", staged)) == "ab-"


def test_encryption_of_a_running_cluster_begins_with_reading() -> None:
    plain = applied(a_view(objects=KEYS), done=True)
    wish = a_cluster("a", plain)
    assert order(wish) == "-a"
    rolled = {**plain, **applied(wish, done=True)}
    assert order(a_cluster("a", rolled)) == "a-"


def test_old_keys_stay_readable_even_when_their_secrets_are_gone() -> None:
    objects = applied(a_cluster("a"), done=True)
    objects |= applied(a_cluster("b", objects), done=True)
    objects |= applied(a_cluster("b", objects), done=True)
    gone = a_cluster("b", objects)
    left = {key: value for key, value in gone.objects.items() if key != ("Secret", "key-a")}
    assert order(replace(gone, objects=left)) == "ba-"


def test_the_pods_carry_the_hash_of_their_configuration() -> None:
    found = applied(a_cluster("a"), done=True)
    template = found["Deployment", "kube-apiserver"]["spec"]["template"]
    marks = {name.rpartition("/")[2] for name in template["metadata"]["annotations"]}
    assert "encryption-config-hash" in marks


def test_a_key_in_use_keeps_the_name_that_stored_data_carries() -> None:
    objects = applied(a_cluster("a"), done=True)
    written = yaml.safe_dump(configuration(a_cluster("a"))).replace("key-", "named-by-another-")
    data = {"config.yaml": b64encode(written.encode()).decode()}
    renamed = {**objects, ("Secret", SECRET): {**objects["Secret", SECRET], "data": data}}
    assert yaml.safe_dump(configuration(a_cluster("a", renamed))) == written
    changed = yaml.safe_dump(configuration(a_cluster("b", renamed)))
    assert order(a_cluster("b", renamed)) == "ab-"
    assert "named-by-another-" in changed


def changed() -> dict[tuple[str, str], Manifest]:
    """A namespace in which every server writes with b and reads with a."""
    objects = applied(a_cluster("a"), done=True)
    for _ in range(2):
        objects |= applied(a_cluster("b", objects, activeKey="a", targetKey="b"), done=True)
    assert order(a_cluster("b", objects, activeKey="a", targetKey="b")) == "ba-"
    return objects


def test_a_key_in_the_spec_waits_until_the_status_names_it() -> None:
    objects = applied(a_cluster("a"), done=True)
    assert order(a_cluster("b", objects, activeKey="a")) == "a-"
    assert order(a_cluster("b", objects, activeKey="a", targetKey="b")) == "ab-"


def test_the_old_key_goes_when_everything_is_known_to_be_rewritten() -> None:
    assert order(a_cluster("b", changed(), activeKey="b")) == "b-"


def test_the_old_key_stays_while_a_server_may_still_start_from_something_older() -> None:
    objects = changed()
    objects["Deployment", "kube-apiserver"]["status"]["readyReplicas"] = 0
    assert order(a_cluster("b", objects, activeKey="b")) == "ba-"


def test_a_status_that_contradicts_the_servers_drops_no_key() -> None:
    """Such as one that is older than the configuration: what was written with b must stay."""
    assert order(a_cluster("a", changed(), activeKey="a")) == "ba-"


def test_a_user_who_goes_back_meanwhile_waits_for_the_change_under_way() -> None:
    assert order(a_cluster("a", changed(), activeKey="a", targetKey="b")) == "ba-"


def test_a_key_whose_secret_holds_another_by_now_is_taken_from_where_it_is_in_use() -> None:
    objects = changed()
    objects["Secret", "key-a"] = secret("c")
    view = a_cluster("b", objects, activeKey="a", targetKey="b")
    assert order(view) == "ba-"


def test_a_configuration_that_somebody_deleted_comes_back_with_the_known_key() -> None:
    objects = changed()
    del objects["Secret", SECRET]
    assert order(a_cluster("b", objects, activeKey="b")) == "b-"
    assert order(a_cluster("b", objects, activeKey="a", targetKey="b")) == "ab-"


def test_keys_do_not_move_to_another_keeper() -> None:
    wish = {"provider": "AWS", "aws": {"region": "r", "activeKey": {"arn": "arn:aws:kms:x"}}}
    view = a_view(secretEncryption={"type": "kms", "kms": wish}, objects=changed())
    with pytest.raises(InvalidSpec, match="AESCBC: it cannot change to AWS"):
        configuration(view)
