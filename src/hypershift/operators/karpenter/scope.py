"""What one pass over a control plane's classes of nodes knows, and what every pass may use."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from hypershift.api import HostedControlPlane, OpenshiftEC2NodeClass, annotations, read
from hypershift.kit import HypershiftError, Manifest, TransientError, annotations_of
from hypershift.kube import Client
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.rules.status import MOST_CLASSES, Resolved
from hypershift.release import Lookup, Release
from hypershift.runtime import Context, Scope


def raise_together(failures: Sequence[HypershiftError]) -> None:
    """Raise what went wrong with some classes as one error, after all had their turn."""
    if failures:
        raise TransientError("; ".join(map(str, failures))[:1000])


class Publish(Protocol):
    """Keeps what machines boot with, by the configuration of a NodePool."""

    async def __call__(
        self, context: Context, cluster: Manifest, pool: Manifest, current: str
    ) -> str:
        """The hash that names token and user data; `current` is the one so far."""
        ...


#: Classes beyond the budget that say so; a flood of them is not answered one by one.
MOST_TOLD: Final = 100

#: Finds the image of a version in a channel.
Resolve = Callable[[str, str], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Environment:
    """What the controllers were given when their process started."""

    releases: Lookup
    publish: Publish
    resolve: Resolve
    ignition_endpoint: str = ""
    image: str = ""  # of the control plane operator, whose helpers run beside Karpenter
    groups: frozenset[str] = frozenset()  # optional API groups that the management cluster serves
    proxy: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class ClassState:
    """A class of nodes, and what a pass found and made for it."""

    manifest: Manifest
    node_class: OpenshiftEC2NodeClass
    resolved: Resolved = field(default_factory=Resolved)
    hash: str = ""  # of its nodes' configuration, once that is published
    problem: str = ""  # why its nodes cannot be configured
    ec2_class: Manifest | None = None

    @property
    def name(self) -> str:
        """The name of the class, of the pool in memory and of Karpenter's class."""
        return self.node_class.metadata.name

    @property
    def age(self) -> tuple[str, str]:
        """What orders classes by their age; the name decides within a second."""
        return str(self.manifest["metadata"].get("creationTimestamp", "")), self.name

    @property
    def is_going(self) -> bool:
        """Whether the class is being deleted."""
        return bool(self.manifest["metadata"].get("deletionTimestamp"))

    @property
    def kubelet(self) -> Manifest:
        """The settings of kubelets as they were given, with those that only a newer API knows."""
        given: Manifest = self.manifest["spec"].get("kubelet") or {}
        return given


@dataclass(slots=True)
class KarpenterScope(Scope):
    """One pass over a HostedControlPlane whose nodes Karpenter makes."""

    environment: Environment
    guest: Client | None = None
    release: Release | None = None
    classes: list[ClassState] = field(default_factory=list)
    pools: list[Manifest] = field(default_factory=list)
    claims: list[Manifest] = field(default_factory=list)
    nodes: list[Manifest] = field(default_factory=list)
    _plane: HostedControlPlane | None = field(default=None, init=False, repr=False)

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def plane(self) -> HostedControlPlane:
        """The HostedControlPlane of this pass, decoded once."""
        if self._plane is None:
            self._plane = read(HostedControlPlane, self.object)
        return self._plane

    @property
    def inside(self) -> Client:
        """The hosted cluster; phases after `connect` rely on it."""
        if self.guest is None:
            raise RuntimeError("the hosted cluster is connected before it is used")
        return self.guest

    @property
    def is_left_to_tests(self) -> bool:
        """Whether tests of the Karpenter project write the classes themselves."""
        return annotations_of(self.object).get(annotations.KARPENTER_CORE_E2E_OVERRIDE) == "true"

    @property
    def kept(self) -> list[ClassState]:
        """The classes that are not being deleted: the default, and others within the budget."""
        default = [each for each in self.classes if each.name == names.DEFAULT]
        return [each for each in default if not each.is_going] + self._others[:MOST_CLASSES]

    @property
    def held(self) -> list[ClassState]:
        """The classes that we write and finish ourselves: none that tests write instead."""
        return [] if self.is_left_to_tests else self.kept

    @property
    def surplus(self) -> list[ClassState]:
        """The classes beyond the budget, as many as say so."""
        return self._others[MOST_CLASSES : MOST_CLASSES + MOST_TOLD]

    @property
    def _others(self) -> list[ClassState]:
        """The classes of users by age: a new one takes no older one's place."""
        users = (each for each in self.classes if each.name != names.DEFAULT)
        return sorted((each for each in users if not each.is_going), key=lambda each: each.age)
