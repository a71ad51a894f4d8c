"""What a node pool's controller asks of a cloud: the pool side of a `Platform`.

Each field is one question, and its default is the answer of a cloud that is not special. Questions
that depend on the object take its `spec.platform`, here called the section.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from hypershift.api.conditions import (
    ConditionReason,
    ConditionType,
    NodePoolConditionType,
    NodePoolReason,
)
from hypershift.api.node_pool import NodePoolPlatform, NodePoolPlatformStatus
from hypershift.api.platforms.kubevirt import InfraKubeconfigSecret
from hypershift.api.platforms.platform import Platform as Section
from hypershift.kit import Manifest
from hypershift.kube import Resource
from hypershift.platforms.machines import Machines, PoolFacts
from hypershift.release import Version


def never(section: NodePoolPlatform) -> bool:
    """Answer no, whatever the section says."""
    del section
    return False


def always(section: Section | NodePoolPlatform) -> bool:
    """Answer yes, whatever the section says."""
    del section
    return True


def _no_hosts(section: Section) -> frozenset[str]:
    del section
    return frozenset()


def _no_demand(section: NodePoolPlatform) -> "Demand | None":
    del section
    return None


def _no_images(facts: PoolFacts) -> Mapping[str, str]:
    del facts
    return {}


class UnknownCpus(Exception):
    """Nobody can say how many CPUs a machine has; the message is one of a few reasons."""


#: The data of a ConfigMap of the management cluster, by namespace and name.
FindData = Callable[[str, str], Mapping[str, str] | None]


def _unknown_cpus(section: NodePoolPlatform, data: FindData) -> int:
    del section, data
    raise UnknownCpus("unsupported platform")


@dataclass(frozen=True, slots=True)
class Demand:
    """Something that a pool asks of its cloud and that older control planes do not know."""

    #: The releases that do not know it, as `major.minor`.
    unknown_to: frozenset[str]
    reason: ConditionReason
    message: str


@dataclass(frozen=True, slots=True)
class Retag:
    """A map in the spec of infrastructure machines that changes without replacing machines."""

    resource: Resource
    field: str
    wanted: Callable[[PoolFacts], dict[str, str]]


@dataclass(frozen=True, slots=True)
class MachineSummary:
    """A condition of all infrastructure machines of a cluster that the pool repeats as one."""

    resource: Resource
    theirs: ConditionType
    ours: NodePoolConditionType
    #: What machines are when the condition holds, for the message.
    word: str


@dataclass(frozen=True, slots=True)
class CachedImage:
    """One copy of a boot image, which all machines of a pool are clones of."""

    digest: str
    namespace: str
    #: The name of the copy, once it is known.
    volume: str
    #: By which the copies of the pool are found.
    labels: Mapping[str, str]
    #: What makes a new copy.
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class KeptImage:
    """A copy of a boot image that was made; without a namespace it is beside the control plane."""

    name: str
    namespace: str = ""
    kubeconfig: InfraKubeconfigSecret | None = None


class ImageCache(Protocol):
    """How a cloud keeps copies of boot images; they may lie in another cluster."""

    @property
    def resource(self) -> Resource:
        """The kind of a copy."""
        ...

    @property
    def digest_annotation(self) -> str:
        """The annotation of a copy that names the image it was made of."""
        ...

    @property
    def section(self) -> str:
        """The field of the pool's `status.platform` that names the copy."""
        ...

    def wanted(self, facts: PoolFacts) -> CachedImage | None:
        """The copy that the pool asks for; None when it asks for none."""
        ...

    def kubeconfig(self, section: Section) -> InfraKubeconfigSecret | None:
        """The kubeconfig of another cluster that the copies are in, by a cluster's section."""
        ...

    def kept(self, status: NodePoolPlatformStatus | None) -> KeptImage | None:
        """The copy that a pool's status names; None if it names none."""
        ...


class Instance(Protocol):
    """What a cloud knows of a machine: what its kubelet may claim to be."""

    @property
    def private_name(self) -> str:
        """The name that the cloud gave the machine, by which its node is called."""
        ...

    @property
    def names(self) -> frozenset[str]:
        """All of its names."""
        ...

    @property
    def addresses(self) -> frozenset[str]:
        """All of its addresses."""
        ...


class Instances(Protocol):
    """Asks a cloud about machines by their ids; those that are gone are left out."""

    async def __call__(self, section: Section, ids: Collection[str]) -> Mapping[str, Instance]:
        """What it knows of them, by id; the credentials are those of this process."""
        ...


async def _no_instances(section: Section, ids: Collection[str]) -> Mapping[str, Instance]:
    del section, ids
    return {}


@dataclass(frozen=True, slots=True)
class Pools:
    """A cloud's machines and how they behave."""

    #: Templates of machines; None where Cluster API makes no machines.
    machines: Machines | None = None
    #: Whether the user makes and joins the machines of a pool.
    made_elsewhere: Callable[[NodePoolPlatform], bool] = never
    #: The processors that machines may have.
    architectures: tuple[str, ...] = ()
    #: Whether a pool may shrink to nothing and grow again.
    scales_from_zero: bool = False
    #: Whether this operator writes for the autoscaler what an absent machine would offer.
    describes_absent_machines: bool = False
    #: What a pool asks for that its control plane may be too old for.
    demand: Callable[[NodePoolPlatform], Demand | None] = _no_demand
    #: The reason of ValidMachineTemplate=False; None where it is no condition.
    invalid_template: NodePoolReason | None = None
    #: The infrastructure CR of the cluster, where it owns what machines need.
    infra_cluster: Resource | None = None
    #: Copies of boot images.
    image_cache: ImageCache | None = None
    #: What existing machines receive when the pool changes.
    retag: Retag | None = None
    #: What machines of the cloud say beside Cluster API's conditions.
    summary: MachineSummary | None = None
    #: Whether running nodes may be given more pull secrets.
    takes_global_pull_secret: bool = False
    #: Whether machines are given more time to come back before they are replaced.
    slow_to_return: bool = False

    #: Conditions of a pool that are True when all is well, beside those of every pool.
    expected: tuple[NodePoolConditionType, ...] = ()
    #: The images that machines without a pool boot, by processor; `InvalidSpec` where it has none.
    boot_images: Callable[[PoolFacts], Mapping[str, str]] = _no_images
    #: What the cloud knows of them.
    instances: Instances = _no_instances
    #: How many virtual CPUs a machine of the pool has; `UnknownCpus` where it is unknown.
    cpus: Callable[[NodePoolPlatform, FindData], int] = _unknown_cpus

    #: Whether running machines still read the user data that they booted with...
    keeps_user_data: bool = False
    #: ...and the release since when control planes may delete it nevertheless.
    deletes_user_data_since: Version | None = None
    #: The ConfigMap by which controllers and kubelets know how to talk to the cloud.
    cloud_config: str = ""
    #: Whether the name of a public ignition endpoint must resolve before machines boot.
    waits_for_dns: bool = False
    #: Names and addresses that nodes never reach through a proxy.
    direct_hosts: Callable[[Section], frozenset[str]] = _no_hosts
    #: Whether nodes leave their own network on the way to the API server.
    leaves_network: Callable[[Section], bool] = always
    #: What the proxy on each node asks the API server to learn whether it is healthy.
    health_path: str = "/version"
    #: The oldest minor of OpenShift on the cloud, where it is supported for longer than elsewhere.
    oldest_openshift: str = ""
    #: Whether OpenShiftSDN is the network of releases after 4.10 as well.
    keeps_openshift_sdn: bool = False
