"""However keys change and however slowly replicas roll, each reads what another wrote."""

from base64 import b64encode
from typing import Any

import yaml
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.unit.component.clusters import a_view

from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.encryption import SECRET, mark, text
from hypershift.kit import Manifest

LETTERS = "abcd"
PLAIN = "plain"
REPLICAS = 3
KEYS = {
    ("Secret", f"key-{letter}"): {"data": {"key": b64encode(letter.encode() * 32).decode()}}
    for letter in LETTERS
}


def providers(content: str) -> list[str]:
    """The keys of a configuration in order: the first one writes, all of them read."""
    found: list[str] = []
    for one in yaml.safe_load(content)["resources"][0]["providers"]:
        found += [key["name"] for key in (one.get("aescbc") or {}).get("keys", ())]
        found += [PLAIN] if "identity" in one else []
    return found


NO_ENCRYPTION = "resources: [{providers: [{identity: {}}]}]"


class Keys(RuleBasedStateMachine):
    """An API server of three replicas, its operator, and a user who changes keys."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = ""  # the user's key; none at first
        self.config = ""  # the live Secret
        self.template = NO_ENCRYPTION  # what the Deployment asks for
        self.replicas = [NO_ENCRYPTION] * REPLICAS
        self.ending: list[str] = []  # replicas that still serve their last requests
        self.stored = {PLAIN}  # every key that something in etcd is written with

    def view(self) -> View:
        done = all(one == self.template for one in self.replicas)
        counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
        deployment: Manifest = {
            "kind": "Deployment",
            "metadata": {"name": "kube-apiserver"},
            "spec": {"replicas": REPLICAS, "template": {"metadata": {}, "spec": {}}},
            "status": dict.fromkeys(counts, REPLICAS if done else 1),
        }
        deployment = edit.change_pod(
            deployment, lambda pod: edit.annotate(pod, mark(self.template))
        )
        objects: dict[tuple[str, str], Any] = {**KEYS, ("Deployment", "kube-apiserver"): deployment}
        if self.config:
            data = {"config.yaml": b64encode(self.config.encode()).decode()}
            objects["Secret", SECRET] = {"data": data}
        for number, _ in enumerate(self.ending):
            metadata = {"labels": {"app": "kube-apiserver"}, "deletionTimestamp": "now"}
            objects["Pod", f"ending-{number}"] = {"kind": "Pod", "metadata": metadata}
        wish = {"type": "aescbc", "aescbc": {"activeKey": {"name": f"key-{self.wanted}"}}}
        return a_view(secretEncryption=wish, objects=objects)

    @rule(letter=st.sampled_from(LETTERS))
    def change_the_key(self, letter: str) -> None:
        self.wanted = letter

    @rule()
    def reconcile(self) -> None:
        if self.wanted:
            self.config = self.template = text(self.view())

    @rule()
    def reconcile_and_die_after_the_secret(self) -> None:
        if self.wanted:
            self.config = text(self.view())

    @rule(index=st.integers(0, REPLICAS - 1))
    def roll_a_replica(self, index: int) -> None:
        # A pod mounts what the Secret holds now, whatever its template was made for.
        if self.replicas[index] != self.template:
            self.ending.append(self.replicas[index])
            self.replicas[index] = self.config

    @rule()
    def roll_them_all(self) -> None:
        for index in range(REPLICAS):
            self.roll_a_replica(index)

    @rule(index=st.integers(0, REPLICAS - 1))
    def crash_a_replica(self, index: int) -> None:
        if self.replicas[index] != NO_ENCRYPTION:
            self.replicas[index] = self.config

    @rule()
    def let_go(self) -> None:
        self.ending.clear()

    @rule(index=st.integers(0, REPLICAS - 1))
    def write(self, index: int) -> None:
        self.stored.add(providers(self.replicas[index])[0])

    @invariant()
    def everyone_reads_what_is_stored(self) -> None:
        for config in (*self.replicas, *self.ending):
            assert self.stored <= set(providers(config)), (self.stored, config)


TestKeys = Keys.TestCase
TestKeys.settings = settings(max_examples=40, stateful_step_count=30)
