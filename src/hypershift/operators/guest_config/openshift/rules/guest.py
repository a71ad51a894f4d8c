"""What the objects inside an OpenShift cluster follow."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypershift.api import HostedControlPlane
from hypershift.api.configuration.authentication import Authentication
from hypershift.api.configuration.cluster import ClusterConfiguration
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.networking import ClusterNetworking
from hypershift.api.values import AuthenticationType, Capability, OLMCatalogPlacement
from hypershift.kit import Manifest

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
    root_ca: str = ""
    #: What clients of the OAuth server trust.
    oauth_ca: str = ""
    user_ca: str = ""
    proxy_ca: str = ""
    kubelet_client_ca: str = ""
    kubelet_serving_ca: str = ""
    pull_secret: bytes = field(default=b"", repr=False)
    ingress_cert: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    oauth_url: str = ""

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
