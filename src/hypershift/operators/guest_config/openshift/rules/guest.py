"""What the objects inside an OpenShift cluster follow."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field

from hypershift.api import HostedControlPlane
from hypershift.api.configuration.authentication import Authentication
from hypershift.api.configuration.cluster import ClusterConfiguration
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.networking import ClusterNetworking
from hypershift.api.values import (
    AuthenticationType,
    AvailabilityPolicy,
    Capability,
    OLMCatalogPlacement,
)
from hypershift.kit import Manifest
from hypershift.platforms import GuestFacts, GuestSide, platform_of
from hypershift.release import Version

GROUP = "config.openshift.io"
VERSION = f"{GROUP}/v1"
#: The name of every object of configuration.
CLUSTER = "cluster"
CONFIG, CONFIG_MANAGED = "openshift-config", "openshift-config-managed"


@dataclass(frozen=True, slots=True)
class Guest:
    """One hosted control plane and what its namespace holds for the inside of its cluster."""

    plane: HostedControlPlane = field(repr=False)
    release_version: str
    #: Versions of the release's components, Kubernetes among them.
    components: Mapping[str, str]
    images: Mapping[str, str] = field(repr=False)
    #: Addresses of Services of the control plane namespace, by name; those without are left out.
    addresses: Mapping[str, str]
    #: What the user's configuration and the cloud refer to, by kind and name.
    objects: Mapping[tuple[str, str], Manifest] = field(default_factory=dict, repr=False)
    #: The version by which the release's indexes of operators are chosen.
    labelled: Version = field(default_factory=lambda: Version(0, 0, 0))
    root_ca: str = ""
    #: What clients of the OAuth server trust.
    oauth_ca: str = ""
    user_ca: str = ""
    #: What certificates of kubelets, and those for kubelets, are signed by.
    signer_ca: str = ""
    pull_secret: bytes = field(default=b"", repr=False)
    ingress_cert: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    oauth_url: str = ""
    #: The first administrator's password, and its hash where one was made already.
    password: bytes = field(default=b"", repr=False)
    password_hash: str = field(default="", repr=False)
    #: What the image registry's replicas share, for one that is made in this pass.
    registry_secret: str = field(default="", repr=False)

    @property
    def spec(self) -> HostedControlPlaneSpec:
        return self.plane.spec

    @property
    def name(self) -> str:
        return self.plane.metadata.name

    @property
    def configuration(self) -> ClusterConfiguration:
        return self.spec.configuration or ClusterConfiguration()

    @property
    def networking(self) -> ClusterNetworking:
        return self.spec.networking or ClusterNetworking(network_type="")

    @property
    def oauth_enabled(self) -> bool:
        """Whether OpenShift's own OAuth server is where users log in."""
        authentication = self.configuration.authentication or Authentication()
        return authentication.type != AuthenticationType.OIDC

    @property
    def annotations(self) -> Mapping[str, str]:
        """The HostedControlPlane's annotations."""
        return self.plane.metadata.annotations or {}

    @property
    def side(self) -> GuestSide:
        """What the cloud has to say."""
        return platform_of(self.spec).guest

    @property
    def facts(self) -> GuestFacts:
        """What the cloud's objects are made of."""
        return GuestFacts(self.plane, self.objects)

    @property
    def single(self) -> bool:
        """Whether the cluster's own software has one replica, which is also the default."""
        wanted = self.spec.infrastructure_availability_policy
        return wanted != AvailabilityPolicy.HIGHLY_AVAILABLE

    @property
    def catalogs_beside(self) -> bool:
        """Whether the default catalogs of operators run beside the control plane."""
        return self.spec.olm_catalog_placement == OLMCatalogPlacement.MANAGEMENT

    def has_capability(self, capability: Capability) -> bool:
        """Whether the cluster has an optional part of the product."""
        said = self.spec.capabilities
        return said is None or capability not in said.disabled


def config(kind: str, spec: Manifest, **more: Manifest) -> Manifest:
    """An object of configuration: there is one of each kind."""
    return {
        "apiVersion": VERSION,
        "kind": kind,
        "metadata": {"name": CLUSTER},
        "spec": spec,
        **more,
    }


def config_map(name: str, namespace: str, data: Mapping[str, str]) -> Manifest:
    """A ConfigMap."""
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": dict(data)}


def secret(name: str, namespace: str, data: Mapping[str, bytes], kind: str = "Opaque") -> Manifest:
    """A Secret."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "type": kind,
        "data": {key: b64encode(value).decode() for key, value in data.items()},
    }
