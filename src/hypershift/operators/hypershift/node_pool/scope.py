"""What one pass over a NodePool knows, and what every pass may use."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.api import HostedCluster, NodePool, read, replace
from hypershift.api.defaults import zeroed
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.node_pool import NodePoolSpec, NodePoolStatus
from hypershift.api.values import UpgradeType
from hypershift.kit import Key, Manifest, Secret, annotations_of, deep_merge, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules.configuration import PoolConfig
from hypershift.operators.hypershift.operator_image import OperatorImage, OperatorImages
from hypershift.operators.hypershift.ownership import is_of_pool
from hypershift.operators.hypershift.reach import OwnClient, Reach
from hypershift.platforms import PLATFORMS, PoolFacts, Pools, platform_named
from hypershift.release import Capability, Lookup, Release
from hypershift.runtime import Scope


async def resolves(name: str) -> str:
    """Ask the system's resolver."""
    try:
        await asyncio.get_running_loop().getaddrinfo(name, None)
    except OSError as error:
        return str(error)
    return ""


DESCRIBED = frozenset(
    name for name, each in PLATFORMS.items() if each.pools.describes_absent_machines
)


@dataclass(frozen=True, slots=True)
class Environment:
    """What the controller was given when the operator started."""

    releases: Lookup
    #: Platforms for which this operator publishes what an absent machine would offer.
    scale_from_zero: frozenset[str] = DESCRIBED
    #: What clusters' own operators can do.
    operators: OperatorImages = field(default_factory=OperatorImages)
    #: Whether machines may boot another stream of CoreOS than the oldest.
    os_streams: bool = True
    #: Where the management cluster reads images from instead.
    registry_overrides: Mapping[str, str] = field(default_factory=dict)
    #: The image of the ingress that all clusters of a managed service share.
    shared_ingress_image: str = ""
    #: The configuration that each pool's machines shall have, as its last pass found it.
    targets: dict[Key, str] = field(default_factory=dict)
    #: Returns why a name cannot be resolved; empty when it can.
    resolve: Callable[[str], Awaitable[str]] = resolves


@dataclass(slots=True)
class PoolScope(Scope):
    """One pass over a NodePool; phases read it and add to it."""

    environment: Environment
    hosted_cluster: Manifest = field(default_factory=dict)
    machines: list[Manifest] = field(default_factory=list)
    pull_secret: Secret[bytes] = field(default_factory=lambda: Secret(b""))
    trust_bundle: str = ""
    release: Release | None = None
    operator: OperatorImage = field(default_factory=OperatorImage)
    config: PoolConfig | None = None
    stream: str = ""
    cloud_config_hash: str = ""
    ignition_ca: bytes = b""
    token_secret: Manifest | None = None
    template: Manifest | None = None
    reach: Reach = field(init=False)
    _pool: NodePool | None = field(default=None, init=False, repr=False)
    #: The cluster as it was decoded, with the manifest that it was decoded from.
    _cluster: tuple[Manifest, HostedCluster] | None = field(default=None, init=False, repr=False)
    _kube: Client = field(init=False)

    def __post_init__(self) -> None:
        Scope.__post_init__(self)
        # A pool's cluster is always in the pool's own namespace.
        cluster = Key(self.key.namespace, self.wanted.cluster_name)
        self.reach = Reach(self.context.kube, self.context.live, cluster, None)
        self._kube = OwnClient(self.context.kube, self.reach, self.context.rng)

    @property
    def kube(self) -> Client:
        """The API within the reach of the pool's cluster."""
        return self._kube

    def made_for_pool(self, manifest: Manifest | None) -> bool:
        """Whether an object beside the control plane is there and was made for this pool."""
        return manifest is not None and is_of_pool(manifest, self.key)

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return control_plane_namespace(key_of(self.hosted_cluster))

    @property
    def annotations(self) -> dict[str, str]:
        """The pool's annotations."""
        return annotations_of(self.object)

    @property
    def pool(self) -> NodePool:
        """The NodePool, decoded once and again after `change`; its status is the last pass's."""
        if self._pool is None:
            self._pool = read(NodePool, self.object)
        return self._pool

    @property
    def wanted(self) -> NodePoolSpec:
        """What the pool should be."""
        return self.pool.spec

    @property
    def cluster(self) -> HostedCluster:
        """The HostedCluster of this pass, decoded once."""
        if self._cluster is None or self._cluster[0] is not self.hosted_cluster:
            self._cluster = self.hosted_cluster, read(HostedCluster, self.hosted_cluster)
        return self._cluster[1]

    @property
    def wanted_cluster(self) -> HostedClusterSpec:
        """What the hosted cluster should be."""
        return self.cluster.spec

    @property
    def configuration(self) -> Manifest | None:
        """The cluster's `spec.configuration` as it was given: `go_json` reads it field by field."""
        given: Manifest | None = self.hosted_cluster["spec"].get("configuration")
        return given

    @property
    def cluster_name(self) -> str:
        """The hosted cluster's name."""
        name: str = self.hosted_cluster["metadata"]["name"]
        return name

    @property
    def infra_id(self) -> str:
        """The id that ties everything made for the cluster together."""
        return self.wanted_cluster.infra_id or ""

    @property
    def platform(self) -> str:
        """The cloud that the pool's machines are on."""
        return self.wanted.platform.type

    @property
    def pools(self) -> Pools:
        """What the pool's cloud answers about its machines."""
        return platform_named(self.platform).pools

    @property
    def in_place(self) -> bool:
        """Whether nodes are upgraded on their machines instead of being replaced."""
        return self.wanted.management.upgrade_type == UpgradeType.IN_PLACE

    @property
    def wanted_release(self) -> Release:
        """The release of this pass; phases after its lookup rely on it."""
        if self.release is None:
            raise RuntimeError("the release is looked up before it is used")
        return self.release

    @property
    def wanted_config(self) -> PoolConfig:
        """The configuration of this pass; phases after its generation rely on it."""
        if self.config is None:
            raise RuntimeError("the configuration is generated before it is used")
        return self.config

    @property
    def secret_labels(self) -> dict[str, str]:
        """Labels of the pool's Secrets; those of a pool have none."""
        return {}

    @property
    def user_data_labels(self) -> dict[str, str]:
        """Labels of the pool's user data."""
        return self.secret_labels

    def can(self, capability: Capability) -> bool:
        """Whether the cluster's control plane operator has a capability."""
        return self.operator.can(capability)

    def facts(self, infra_cluster: Manifest | None = None) -> PoolFacts:
        """What a cloud may know of the pool and its cluster."""
        return PoolFacts(
            cluster=self.cluster,
            wanted=replace(self.pool, status=read(NodePoolStatus, self.status)),
            given=read(NodePool, zeroed(NodePool, self.object)),
            namespace=self.namespace,
            release=self.wanted_release,
            stream=self.stream,
            default_security_group=self.can(Capability.CREATES_SECURITY_GROUP),
            infra_cluster=infra_cluster,
        )

    async def annotate(self, annotations: Mapping[str, str | None]) -> None:
        """Set or remove annotations of the pool; those that are right already cost nothing."""
        known = self.annotations
        changed = {name: value for name, value in annotations.items() if known.get(name) != value}
        if changed:
            await self.change({"metadata": {"annotations": changed}})

    async def change(self, patch: dict[str, Any]) -> None:
        """Change the pool itself; the rest of the pass uses the result."""
        key = self.key
        patched = await self.kube.patch(kinds.NODE_POOL, key.name, patch, key.namespace)
        self.object["metadata"] |= patched["metadata"]
        self.object["spec"] = patched["spec"]
        self._pool = None


@dataclass(slots=True)
class OnDemandScope(PoolScope):
    """One pass over a pool that is in memory alone, and whose machines another program makes.

    Its HostedCluster is made of the HostedControlPlane, in the control plane namespace: all that
    it refers to is there, and nothing outside is read.
    """

    def __post_init__(self) -> None:
        Scope.__post_init__(self)
        self._kube = self.context.kube

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def secret_labels(self) -> dict[str, str]:
        """Labels that keep the janitor from deleting the Secrets as those of a deleted pool."""
        return {names.KARPENTER: "true"}

    @property
    def user_data_labels(self) -> dict[str, str]:
        """The images that machines may boot, by processor."""
        images = self.pools.boot_images(self.facts())
        return self.secret_labels | {names.ami_label(arch): one for arch, one in images.items()}

    async def change(self, patch: dict[str, Any]) -> None:
        """Remember a change; there is no object to write it to."""
        self.object = deep_merge(self.object, patch)
        self._pool = None
