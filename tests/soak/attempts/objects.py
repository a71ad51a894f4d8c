"""Objects of a tenant that name what is another's, or cost more than they may."""

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.e2e.embedded import Manifest, until
from tests.soak.attempts.network import OPERATOR
from tests.soak.party import Party

#: Nine levels of nine: a document of this size that unfolds to gigabytes.
BOMB = "\n".join(
    ["a: &a [x,x,x,x,x,x,x,x,x]"]
    + [
        f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]"
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ]
)


def orders_machines_for_the_other(me: Party, other: Party) -> str:
    """A pool in the own namespace names the other's cluster, grows, and is deleted again."""
    before = _machines_of(other)
    pool = copy.deepcopy(me.management.get("nodepool", me.pool, "-n", me.cluster.namespace))
    pool["metadata"] = {"name": "foreign", "namespace": me.cluster.namespace}
    pool.pop("status", None)
    pool["spec"] |= {"clusterName": other.cluster.name, "replicas": 3}
    done = me.kubectl("create", "-f", "-", feed=json.dumps(pool))
    assert done.returncode == 0, done.stderr
    with suppress(AssertionError):  # it may be left without a word
        until(lambda: me.conditions("foreign"), 20)
    me.kubectl("delete", "nodepool", "foreign", "-n", me.cluster.namespace, "--timeout=120s")
    after = _machines_of(other)
    return "" if after == before else f"{before} became {after}"


def _machines_of(party: Party) -> list[str]:
    found = party.management.get("machines.cluster.x-k8s.io", "-n", party.cluster.plane)
    return sorted(each["metadata"]["uid"] for each in found)


def borrows_a_config_map(me: Party, other: Party) -> str:
    """A pool refers to a ConfigMap by the name that it has next door."""
    name = f"of-{other.cluster.name}"  # each direction has its own: the other's stays there
    there: Manifest = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": other.cluster.namespace},
        "data": {"config": "kind: KubeletConfiguration"},
    }
    me.management.apply(there)
    with configured(me, name) as message:
        return "" if "not found" in message else message or "no condition"


def sends_a_bomb(me: Party, _: Party) -> str:
    """A pool's configuration unfolds to gigabytes; the operator must live on."""
    restarts = _restarts(me)
    bomb: Manifest = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "bomb", "namespace": me.cluster.namespace},
        "data": {"config": BOMB},
    }
    done = me.kubectl("apply", "-f", "-", feed=json.dumps(bomb))
    assert done.returncode == 0, done.stderr
    with configured(me, "bomb") as message:
        gained = "" if message else "no condition"
    return gained if _restarts(me) == restarts else "the operator started again"


@contextmanager
def configured(me: Party, name: str) -> Iterator[str]:
    """What the own pool says when the consumer gives it a configuration."""
    words = ("patch", "nodepool", me.pool, "-n", me.cluster.namespace, "--type=merge", "-p")

    def refused() -> str:
        found = me.conditions(me.pool).get("ValidMachineConfig", {})
        return str(found.get("message")) if found.get("status") == "False" else ""

    done = me.kubectl(*words, json.dumps({"spec": {"config": [{"name": name}]}}))
    assert done.returncode == 0, done.stderr
    try:
        yield until(refused, 60)
    finally:
        me.kubectl(*words, json.dumps({"spec": {"config": None}}))
        until(lambda: not refused(), 60)


def _restarts(me: Party) -> dict[str, int]:
    return {
        pod["metadata"]["name"]: sum(
            each["restartCount"] for each in pod["status"].get("containerStatuses", [])
        )
        for pod in me.management.get("pods", "-n", OPERATOR)
    }


def has_a_kubeconfig_copied(me: Party, _: Party) -> str:
    """A reference of the configuration takes the name of the operator's own kubeconfig."""
    words = ("secret", "hcco-kubeconfig", "-n", me.cluster.plane)
    before = me.management.try_kubectl("get", *words, "-o", "jsonpath={.data}").stdout
    evil = {"apiVersion": "v1", "kind": "Config", "clusters": [], "users": []}
    secret: Manifest = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "hcco-kubeconfig", "namespace": me.cluster.namespace},
        "stringData": {"kubeconfig": json.dumps(evil), "login.html": "x"},
    }
    assert me.kubectl("apply", "-f", "-", feed=json.dumps(secret)).returncode == 0
    named = {"names": ["evil.example.org"], "servingCertificate": {"name": "hcco-kubeconfig"}}
    serving = {"apiServer": {"servingCerts": {"namedCertificates": [named]}}}
    patch = (
        "patch",
        "hostedcluster",
        me.cluster.name,
        "-n",
        me.cluster.namespace,
        "--type=merge",
        "-p",
    )
    done = me.kubectl(*patch, json.dumps({"spec": {"configuration": serving}}))
    try:
        if done.returncode == 0:
            until(lambda: _says(me, "hcco-kubeconfig"), 60)
    finally:
        me.kubectl(*patch, json.dumps({"spec": {"configuration": None}}))
        until(lambda: not _says(me, "hcco-kubeconfig"), 60)
    after = me.management.try_kubectl("get", *words, "-o", "jsonpath={.data}").stdout
    return "" if after == before else "the copy was written"


def _says(me: Party, word: str) -> bool:
    found = me.cluster.conditions().values()
    return any(each["status"] == "False" and word in each["message"] for each in found)
