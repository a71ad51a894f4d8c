"""What a seed breaks, and when: pure, so that a seed replays its faults."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

T = TypeVar("T")


class Action(StrEnum):
    """How something is broken."""

    KILL = "kill"
    FREEZE = "freeze"
    SLOW = "slow"
    CUT = "cut"
    LOSE = "lose packets of"
    DELETE = "delete"
    EDIT = "edit"


class Target(StrEnum):
    """What is broken."""

    OPERATOR = "operator"
    CLUSTER_API = "Cluster API manager"
    HOSTED_ETCD = "hosted etcd member"
    HOSTED_API = "hosted API server"
    HOSTED_CONTROLLERS = "hosted controller manager"
    HOSTED_SCHEDULER = "hosted scheduler"
    MANAGEMENT_ETCD = "management etcd"
    MANAGEMENT_API = "management API server"
    MANAGEMENT_CONTROLLERS = "management controller manager"
    MANAGEMENT_SCHEDULER = "management scheduler"
    SUPERVISOR = "supervisor"
    GUARDIAN = "guardian of the supervisor"
    MANAGEMENT_KUBELET = "management kubelet"
    MANAGEMENT_CONTAINERD = "management containerd"
    WORKER_KUBELET = "worker kubelet"
    WORKER_CONTAINERD = "worker containerd"
    MANAGEMENT_NODE = "management node"
    WORKER = "worker"
    WORKLOAD = "workload object of a control plane"
    POLICY = "policy of a control plane"
    LEAF = "leaf certificate of a control plane"


PROCESSES = (
    Target.OPERATOR,
    Target.CLUSTER_API,
    Target.HOSTED_ETCD,
    Target.HOSTED_API,
    Target.HOSTED_CONTROLLERS,
    Target.HOSTED_SCHEDULER,
    Target.MANAGEMENT_ETCD,
    Target.MANAGEMENT_API,
    Target.MANAGEMENT_CONTROLLERS,
    Target.MANAGEMENT_SCHEDULER,
    Target.SUPERVISOR,
    Target.GUARDIAN,
    Target.MANAGEMENT_KUBELET,
    Target.MANAGEMENT_CONTAINERD,
    Target.WORKER_KUBELET,
    Target.WORKER_CONTAINERD,
)
NETWORKS = (Target.MANAGEMENT_NODE, Target.WORKER)
#: Every pair that can happen; each is as likely as another.
FAULTS: tuple[tuple[Action, Target], ...] = (
    *((action, one) for action in (Action.KILL, Action.FREEZE, Action.SLOW) for one in PROCESSES),
    *((action, one) for action in (Action.CUT, Action.LOSE) for one in NETWORKS),
    *((Action.DELETE, one) for one in (Target.WORKLOAD, Target.POLICY, Target.LEAF)),
    *((Action.EDIT, one) for one in (Target.WORKLOAD, Target.POLICY)),
)
#: Seconds that a fault lasts, and that pass before the next one begins.
LASTS = (1.0, 20.0)
PAUSES = (3.0, 25.0)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: which of several candidates is hit follows from a number of the seed."""

    action: Action
    target: Target
    seconds: float
    pause: float
    choice: int

    def __str__(self) -> str:
        return f"{self.action} {self.target}"

    def chosen(self, candidates: list[T]) -> T:
        """The candidate that is hit, of a list whose order does not depend on chance."""
        return candidates[self.choice % len(candidates)]


def faults(seed: int) -> Iterator[Fault]:
    """Yield the faults of a seed without end; those that last a moment have no length."""
    rng = random.Random(seed)  # noqa: S311 - a test's chance, not a secret
    while True:
        # a shuffled round hits every pair once before it hits one twice
        for action, target in rng.sample(FAULTS, len(FAULTS)):
            lasts = (
                0.0 if action in (Action.KILL, Action.DELETE, Action.EDIT) else rng.uniform(*LASTS)
            )
            yield Fault(action, target, lasts, rng.uniform(*PAUSES), rng.randrange(1 << 30))
