"""What one pass over a HostedCluster knows, and what every pass may use."""

import asyncio
from base64 import b64decode
from dataclasses import dataclass, field
from typing import Any

from hypershift.api import HostedCluster, HostedControlPlane, read
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.hosted_control_plane import HostedControlPlaneStatus
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.cloud.stores import Documents
from hypershift.kit import Manifest, Secret, annotations_of, labels_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy import Ranges
from hypershift.operators.hypershift.operator_image import (
    Images,
    OperatorImage,
    mode_of,
    watch_labels,
)
from hypershift.operators.hypershift.reach import OwnClient, Reach
from hypershift.operators.hypershift.settings import Mode, Settings
from hypershift.platforms import ClusterFacts, ClusterSide, Platform, platform_of
from hypershift.release import Lookup, Release
from hypershift.runtime import Scope


@dataclass(frozen=True)
class Environment:
    """What the controller was given when the operator started."""

    settings: Settings
    releases: Lookup
    openshift: bool = False  # the management cluster has OpenShift's APIs
    routes: bool = False  # it has Routes
    images: Images | None = None  # where the labels of images are read
    documents: Documents | None = None  # where token issuers publish
    ranges: Ranges = field(default_factory=Ranges)  # of the management cluster's nodes
    uids: asyncio.Lock = field(default_factory=asyncio.Lock)  # one allocation at a time


@dataclass(slots=True)
class ClusterScope(Scope):
    """One pass over a HostedCluster; phases read it and add to it."""

    environment: Environment
    platform: ClusterSide | None = None
    control_plane: Manifest | None = None
    pools: list[Manifest] = field(default_factory=list)
    pull_secret: Manifest | None = None
    release: Release | None = None  # of the control plane
    data_plane_release: Release | None = None
    operator: OperatorImage = field(default_factory=OperatorImage)
    no_release: str = ""  # why the release cannot be read
    refused: str = ""  # why the release may not be rolled out
    #: What the platform asked to read, by kind and name.
    read_for_platform: dict[str, dict[str, Manifest]] = field(default_factory=dict, repr=False)
    reach: Reach = field(init=False)
    _cluster: HostedCluster | None = field(default=None, init=False, repr=False)
    _plane: tuple[Manifest, HostedControlPlane] | None = field(default=None, init=False, repr=False)
    _kube: Client = field(init=False)
    _live: Client = field(init=False)

    def __post_init__(self) -> None:
        Scope.__post_init__(self)
        kube, live, rng = self.context.kube, self.context.live, self.context.rng
        self.reach = Reach(kube, live, self.key, self.object)
        self._kube, self._live = (OwnClient(one, self.reach, rng) for one in (kube, live))

    @property
    def cluster(self) -> HostedCluster:
        """The HostedCluster of this pass, decoded once."""
        if self._cluster is None:
            self._cluster = read(HostedCluster, self.object)
        return self._cluster

    @property
    def wanted(self) -> HostedClusterSpec:
        """What the cluster should be."""
        return self.cluster.spec

    @property
    def control_plane_status(self) -> HostedControlPlaneStatus:
        """What the control plane reports; nothing while there is none."""
        return (self.plane and self.plane.status) or HostedControlPlaneStatus()

    @property
    def plane(self) -> HostedControlPlane | None:
        """The control plane as a phase last read or wrote it, decoded once."""
        manifest = self.control_plane
        if manifest is None:
            return None
        if self._plane is None or self._plane[0] is not manifest:
            self._plane = (manifest, read(HostedControlPlane, manifest))
        return self._plane[1]

    @property
    def kube(self) -> Client:
        """The API within this cluster's reach; reads come from the cache where one runs."""
        return self._kube

    @property
    def live(self) -> Client:
        """The same without a cache, for the read that must not be old."""
        return self._live

    @property
    def namespace_object(self) -> Manifest | None:
        """The control plane namespace as `reach` last saw it, whosever it is."""
        return self.reach.namespace

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return control_plane_namespace(self.key)

    @property
    def annotations(self) -> dict[str, str]:
        """The HostedCluster's annotations."""
        return annotations_of(self.object)

    @property
    def settings(self) -> Settings:
        """The operator's settings."""
        return self.environment.settings

    @property
    def mode(self) -> Mode:
        """Where the cluster's own roles run: its annotation, else the operator's flag."""
        return mode_of(self.object, self.settings)

    @property
    def watch_labels(self) -> dict[str, str]:
        """Labels that choose the Cluster API manager of the cluster's objects."""
        return watch_labels(self.object, self.settings)

    @property
    def generation(self) -> int:
        """The generation of the spec that this pass is about."""
        generation: int = self.object["metadata"].get("generation", 1)
        return generation

    @property
    def control_plane_image(self) -> str:
        """The release that the management side of the cluster runs."""
        return (self.wanted.control_plane_release or self.wanted.release).image

    @property
    def manages_machines(self) -> bool:
        """Whether Cluster API makes machines for this cluster."""
        return names.DISABLE_MACHINE_MANAGEMENT not in self.annotations

    @property
    def has_been_available(self) -> bool:
        """Whether the cluster was available once."""
        return self.annotations.get(names.HAS_BEEN_AVAILABLE) == "true"

    def docker_config(self) -> Secret[bytes]:
        """The credentials for image registries."""
        data = (self.pull_secret or {}).get("data") or {}
        return Secret(b64decode(data.get(DOCKER_CONFIG, "")))

    @property
    def cloud(self) -> Platform:
        """The cloud that the cluster runs on, whether or not we can host it there."""
        return platform_of(self.wanted)

    def facts(self) -> ClusterFacts:
        """What a platform may know of the cluster."""
        endpoint = self.control_plane_status.control_plane_endpoint
        overrides = self.settings.registry_overrides
        return ClusterFacts(
            cluster=self.cluster,
            namespace=self.namespace,
            endpoint=(endpoint.host, endpoint.port) if endpoint and endpoint.host else None,
            ignition_endpoint=str(self.status.get("ignitionEndpoint") or ""),
            release=self.release and self.release.with_registry_overrides(overrides),
            operator_image=self.settings.image,
            secrets=self.read_for_platform.get(kinds.SECRET.kind, {}),
            config_maps=self.read_for_platform.get(kinds.CONFIG_MAP.kind, {}),
        )

    def owner_reference(self) -> Manifest:
        """What makes an object of the user's namespace go with the cluster."""
        return {
            "apiVersion": kinds.HOSTED_CLUSTER.api_version,
            "kind": kinds.HOSTED_CLUSTER.kind,
            "name": self.key.name,
            "uid": self.object["metadata"]["uid"],
        }

    def marked(self, manifest: Manifest) -> Manifest:
        """The manifest, marked as belonging to this cluster."""
        metadata: dict[str, Any] = dict(manifest["metadata"])
        marks = names.cluster_annotation(self.key)
        if not metadata.get("namespace"):
            marks = ownership.mark(
                self.reach.owner
            )  # inside a namespace, the namespace has the uid
        metadata["annotations"] = (metadata.get("annotations") or {}) | marks
        return manifest | {"metadata": metadata}

    def owned_label(self) -> dict[str, str]:
        """Labels by which cluster-scoped objects of this cluster are found and deleted."""
        return {names.OWNER_NAMESPACE: self.key.namespace, names.OWNER_NAME: self.key.name}


def belongs_to_infra(secret: Manifest, infra_id: str) -> bool:
    """Whether a Secret was made for this cluster alone and may go with it."""
    labels = labels_of(secret)
    return (
        labels.get(names.SAFE_TO_DELETE) == "true"
        and labels.get(names.AUTO_CREATED_FOR) == infra_id
    )
