"""A new key is read by all replicas before any of them writes with it."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

import yaml
from tests.unit.component.clusters import a_view

from hypershift.component import View, render
from hypershift.controlplane import kube_apiserver
from hypershift.controlplane.kube_apiserver.encryption import SECRET, configuration
from hypershift.kit import Manifest


def secret(letter: str) -> Manifest:
    return {"kind": "Secret", "data": {"key": b64encode(letter.encode() * 32).decode()}}


KEYS = {("Secret", f"key-{letter}"): secret(letter) for letter in "abc"}


def a_cluster(active: str, objects: dict[tuple[str, str], Manifest] | None = None) -> View:
    wish = {"type": "aescbc", "aescbc": {"activeKey": {"name": f"key-{active}"}}}
    return a_view(secretEncryption=wish, objects={**KEYS, **(objects or {})})


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
