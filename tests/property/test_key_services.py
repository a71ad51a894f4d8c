"""However the keys of a key service change, every replica decrypts what another stored.

A replica is a configuration and the sidecars of its pod. One that is restarted in its pod reads
the newest configuration and keeps the sidecars of before; behind a socket there is one key alone.
"""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import yaml
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.unit.component.clusters import a_view

from hypershift.api import read
from hypershift.api.encryption import AWSKMSKey, SecretEncryption
from hypershift.component import Management, View, edit
from hypershift.controlplane.kube_apiserver.encryption import (
    SECRET,
    KeySpec,
    all_run,
    mark,
    providers_of,
    text,
)
from hypershift.controlplane.kube_apiserver.encryption.aws import key_name
from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.guest_config.reencryption.rules.plan import Servers, completed, plan
from hypershift.release import Product

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LETTERS = "abc"
REPLICAS = 2
ARNS = {letter: f"arn:aws:kms:eu-west-1:1:key/{letter}" for letter in LETTERS}
NAMES = {key_name(AWSKMSKey(arn=arn)): letter for letter, arn in ARNS.items()}


@dataclass(frozen=True)
class Pod:
    """What a replica runs: the file that it read, and the keys behind the sockets beside it."""

    template: str  # the configuration that its Deployment was written for
    config: str

    @property
    def sidecars(self) -> dict[str, str]:
        """The key behind each socket: those of the template, as long as the pod lives."""
        return {one["endpoint"]: NAMES[one["name"]] for one in services(self.template)}

    @property
    def writes(self) -> tuple[str, str] | None:
        """The name that data gets and the key that really encrypts it; None when it cannot."""
        first = services(self.config)[0]
        key = self.sidecars.get(first["endpoint"])
        return (first["name"], key) if key else None

    def reads(self, name: str, key: str) -> bool:
        """Whether it decrypts what was stored under a name with a key."""
        return any(
            one["name"] == name and self.sidecars.get(one["endpoint"]) == key
            for one in services(self.config)
        )


def services(config: str) -> list[Manifest]:
    return [one["kms"] for one in providers_of(config.encode()) if "kms" in one]


class Services(RuleBasedStateMachine):
    """An API server of two replicas, both of its operators, and a user who changes keys."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = "a"
        self.status: Manifest = {}
        self.config = self.template = text(self.view(live=False))
        self.replicas = [Pod(self.template, self.config)] * REPLICAS
        self.ending: list[Pod] = []
        self.stored: set[tuple[str, str]] = set()

    @property
    def section(self) -> Manifest:
        key = {"region": "eu-west-1", "activeKey": {"arn": ARNS[self.wanted]}}
        return {"type": "kms", "kms": {"provider": "AWS", "aws": key}}

    def deployment(self) -> Manifest:
        done = all(one.template == self.template for one in self.replicas)
        counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
        found: Manifest = {
            "kind": "Deployment",
            "metadata": {"name": "kube-apiserver"},
            "spec": {"replicas": REPLICAS, "template": {"metadata": {}, "spec": {}}},
            "status": dict.fromkeys(counts, REPLICAS if done else 1),
        }
        return edit.change_pod(found, lambda pod: edit.annotate(pod, mark(self.template)))

    def pods(self) -> Iterator[Manifest]:
        for number, _ in enumerate(self.ending):
            metadata = {
                "name": f"ending-{number}",
                "labels": {"app": "kube-apiserver"},
                "deletionTimestamp": "now",
            }
            yield {"kind": "Pod", "metadata": metadata}

    def view(self, *, live: bool = True) -> View:
        objects: dict[tuple[str, str], Any] = {}
        if live:
            data = {"config.yaml": b64encode(self.config.encode()).decode()}
            objects["Secret", SECRET] = {"data": data}
            objects["Deployment", "kube-apiserver"] = self.deployment()
            objects |= {("Pod", pod["metadata"]["name"]): pod for pod in self.pods()}
        return a_view(
            product=Product.OPENSHIFT,
            management=Management(),
            platform={"type": "AWS", "aws": {"region": "eu-west-1"}},
            secretEncryption=self.section,
            status={"secretEncryption": self.status} if self.status else None,
            objects=objects,
        )

    @rule(letter=st.sampled_from(LETTERS))
    def change_the_key(self, letter: str) -> None:
        self.wanted = letter

    @rule(dies=st.booleans())
    def reconcile(self, *, dies: bool) -> None:
        """The control plane operator; it may die between the Secret and the Deployment."""
        try:
            self.config = text(self.view())
        except InvalidSpec:
            return  # a key in use that nobody names: refused, nothing changes
        if not dies:
            self.template = self.config

    @rule(index=st.integers(0, REPLICAS - 1))
    def roll_a_replica(self, index: int) -> None:
        if self.replicas[index].template != self.template:
            self.ending.append(self.replicas[index])
            self.replicas[index] = Pod(self.template, self.config)

    @rule()
    def roll_them_all(self) -> None:
        for index in range(REPLICAS):
            self.roll_a_replica(index)

    @rule(index=st.integers(0, REPLICAS - 1))
    def restart_a_replica_in_its_pod(self, index: int) -> None:
        self.replicas[index] = Pod(self.replicas[index].template, self.config)

    @rule()
    def let_go(self) -> None:
        self.ending.clear()

    @rule(index=st.integers(0, REPLICAS - 1))
    def write(self, index: int) -> None:
        if written := self.replicas[index].writes:
            self.stored.add(written)

    @rule(index=st.integers(0, REPLICAS - 1))
    def follow(self, index: int) -> None:
        """The guest configuration: it rewrites everything when it may, through some replica."""
        content = self.config.encode()
        converged = all_run(self.deployment(), self.pods(), content)
        keys = KeySpec(read(SecretEncryption, self.section), lambda _: b"")
        found = plan(self.status, keys, Servers(providers_of(content), converged), NOW)
        self.status = found.status
        if found.rewrite is None or (written := self.replicas[index].writes) is None:
            return
        if self.stored:
            self.stored = {written}
        self.status = completed(found.status, found.rewrite, NOW)

    @rule(index=st.integers(0, REPLICAS - 1))
    def let_time_pass(self, index: int) -> None:
        """One whole step of a change, with nothing in its way."""
        self.write(index)
        self.reconcile(dies=False)
        self.roll_them_all()
        self.let_go()
        self.follow(index)

    @invariant()
    def everyone_reads_what_is_stored(self) -> None:
        for pod in (*self.replicas, *self.ending):
            for name, key in self.stored:
                assert pod.reads(name, key), (NAMES[name], key, yaml.safe_load(pod.config), pod)


TestServices = Services.TestCase
TestServices.settings = settings(max_examples=50, stateful_step_count=40)
