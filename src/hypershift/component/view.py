"""One immutable picture of a cluster, from which everything about its components follows."""

from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hypershift.api import annotations
from hypershift.api.configuration.api_server import APIServer
from hypershift.api.configuration.authentication import Authentication
from hypershift.api.configuration.cluster import ClusterConfiguration
from hypershift.api.configuration.feature_gate import FeatureGate
from hypershift.api.configuration.network import Network
from hypershift.api.configuration.scheduler import Scheduler
from hypershift.api.hosted_control_plane import (
    HostedControlPlane,
    HostedControlPlaneSpec,
    HostedControlPlaneStatus,
)
from hypershift.api.networking import (
    APIServerNetworking,
    CIDREntry,
    ClusterNetworkEntry,
    ClusterNetworking,
)
from hypershift.api.platforms.traits import CloudIdentity, PlatformTraits, traits_of
from hypershift.api.publishing import is_aro
from hypershift.api.values import (
    AuthenticationType,
    AvailabilityPolicy,
    ConditionStatus,
)
from hypershift.api.well_known import (
    API_PORT,
    DEFAULT_ISSUER,
    HTTPS_PORT,
    KUBE_APISERVER,
    advertised_address,
)
from hypershift.component.features import feature_gates
from hypershift.component.infra import Infra, Management
from hypershift.component.tls import TlsProfile, tls_profile
from hypershift.kit import Manifest, canonical_cidr
from hypershift.release import Product, Release

ARO = "ARO-HCP"
#: The mode in which the operators of the whole fleet do the work of a cluster's own.
SHARED = "Shared"

Objects = Mapping[tuple[str, str], Manifest]


@dataclass(frozen=True)
class View:
    """What a pass over a HostedControlPlane knows; adapters read it and nothing else."""

    plane: HostedControlPlane = field(repr=False)
    #: The control plane's release, with registry overrides; the guest's, without.
    release: Release
    user_release: Release
    infra: Infra = field(default_factory=Infra)
    management: Management = field(default_factory=Management)
    #: Objects of the control plane namespace by kind and name: Secrets, ConfigMaps, workloads,
    #: Services, ControlPlaneComponents.
    objects: Objects = field(default_factory=dict, repr=False)

    @property
    def spec(self) -> HostedControlPlaneSpec:
        return self.plane.spec

    @property
    def status(self) -> HostedControlPlaneStatus:
        """What was reported last; an empty status before the first report."""
        return self.plane.status or HostedControlPlaneStatus()

    def has_condition(self, kind: str) -> bool:
        """Whether the status reported that a condition is true."""
        true = ConditionStatus.TRUE
        return any(each.type == kind and each.status == true for each in self.status.conditions)

    @property
    def name(self) -> str:
        return self.plane.metadata.name

    @property
    def namespace(self) -> str:
        return self.plane.metadata.namespace

    @property
    def uid(self) -> str:
        return self.plane.metadata.uid

    @property
    def product(self) -> Product:
        return self.release.product

    @property
    def openshift(self) -> bool:
        return self.release.openshift

    @property
    def platform(self) -> str:
        return self.spec.platform.type

    @property
    def cloud(self) -> PlatformTraits:
        """What components ask of the cloud instead of comparing its name."""
        return traits_of(self.platform)

    @property
    def managed_azure(self) -> bool:
        """Whether the cluster is on Azure, with identities that a managed service gives it."""
        return is_aro(self.spec)

    @property
    def self_managed_azure(self) -> bool:
        """Whether the cluster is on Azure, with identities that no managed service gives it."""
        served = is_aro(self.spec) or self.management.managed_service == ARO
        return self.cloud.identity is CloudIdentity.VAULT and not served

    @property
    def infra_id(self) -> str:
        return self.spec.infra_id

    @property
    def single_replica(self) -> bool:
        """Whether one replica of everything is enough; unset means highly available."""
        return self.availability == AvailabilityPolicy.SINGLE_REPLICA

    @property
    def availability(self) -> str:
        return self.spec.controller_availability_policy

    def annotation(self, name: str) -> str:
        """An annotation of the HostedControlPlane; empty when unset."""
        return self.annotations.get(name, "")

    @property
    def annotations(self) -> Mapping[str, str]:
        """The HostedControlPlane's annotations."""
        return self.plane.metadata.annotations or {}

    @property
    def publishing_annotations(self) -> Mapping[str, str]:
        """The annotations that say how the cluster is published.

        One stood for a field of the API, and a managed service alone still reads it.
        """
        if self.management.managed_service == ARO:
            return self.annotations
        stood_in = annotations.SWIFT_POD_NETWORK_INSTANCE
        return {name: value for name, value in self.annotations.items() if name != stood_in}

    def annotated(self, name: str) -> bool:
        """Whether the HostedControlPlane has an annotation, with any value."""
        return name in self.annotations

    @property
    def served_by_fleet(self) -> bool:
        """Whether the operators of the whole fleet do the work of the cluster's own."""
        return self.annotation(annotations.MODE) == SHARED

    def profiling_disabled(self, component: str) -> bool:
        """Whether the cluster's annotation names this component."""
        names = self.annotation(annotations.DISABLE_PROFILING).split(",")
        return component in {name.strip() for name in names}

    @property
    def owner_reference(self) -> Manifest:
        """What makes the HostedControlPlane the owner of an object."""
        return {
            "apiVersion": self.plane.api_version,
            "kind": self.plane.kind,
            "name": self.name,
            "uid": self.uid,
            "controller": True,
            "blockOwnerDeletion": True,
        }

    @property
    def metrics_set(self) -> str:
        """How much of the metrics is scraped: Telemetry, SRE or All; unset scrapes all."""
        return self.management.metrics_set

    # Configuration: a section that the cluster does not have reads like an empty one.

    @property
    def configuration(self) -> ClusterConfiguration:
        return self.spec.configuration or ClusterConfiguration()

    @property
    def api_server(self) -> APIServer:
        return self.configuration.api_server or APIServer()

    @property
    def authentication(self) -> Authentication:
        return self.configuration.authentication or Authentication()

    @property
    def feature_gate(self) -> FeatureGate:
        return self.configuration.feature_gate or FeatureGate()

    @property
    def network(self) -> Network:
        return self.configuration.network or Network()

    @property
    def oauth_enabled(self) -> bool:
        """Whether OpenShift's own OAuth server is where users log in."""
        return self.authentication.type != AuthenticationType.OIDC

    def has_capability(self, capability: str) -> bool:
        """Whether the cluster has an optional part of the product."""
        capabilities = self.spec.capabilities
        return capabilities is None or capability not in capabilities.disabled

    @property
    def scheduler(self) -> Scheduler:
        return self.configuration.scheduler or Scheduler()

    @property
    def external_ip_range(self) -> str:
        """The first range from which services get outside addresses by themselves."""
        outside = self.network.external_ip
        return next(iter(outside.auto_assign_cidrs), "") if outside else ""

    @cached_property
    def tls(self) -> TlsProfile:
        return tls_profile(self.api_server.tls_security_profile)

    @property
    def gates(self) -> list[str]:
        """Feature gates as flags and configuration files spell them."""
        return [f"{name}={str(on).lower()}" for name, on in self.feature_gates.items()]

    @cached_property
    def feature_gates(self) -> dict[str, bool]:
        """Feature gates by name, in the order that the flags have."""
        return feature_gates(self.product, self.feature_gate, self.text)

    # Networking

    @property
    def networking(self) -> ClusterNetworking:
        return self.spec.networking or ClusterNetworking()

    @property
    def api_networking(self) -> APIServerNetworking:
        return self.networking.api_server or APIServerNetworking()

    @property
    def cluster_cidrs(self) -> tuple[str, ...]:
        return _ranges(self.networking.cluster_network)

    @property
    def service_cidrs(self) -> tuple[str, ...]:
        return _ranges(self.networking.service_network)

    @property
    def ipv6(self) -> bool:
        """Whether the first pod range is IPv6."""
        return ":" in next(iter(self.cluster_cidrs), "")

    @property
    def advertise_address(self) -> str:
        """The address under which pods of the guest find its API: of its services' family."""
        return advertised_address(self.api_networking.advertise_address, self.service_cidrs)

    @property
    def api_pod_port(self) -> int:
        """The port that the API server's pods listen on; never a privileged one."""
        port = self.api_networking.port or API_PORT
        return API_PORT if port == HTTPS_PORT else port

    @property
    def api_service_port(self) -> int:
        """The port of the API server's Service inside the control plane namespace."""
        return self.cloud.api_port

    @property
    def api_url(self) -> str:
        """Where pods of the control plane namespace find the API server."""
        return f"https://{KUBE_APISERVER}:{self.api_service_port}"

    @property
    def issuer_url(self) -> str:
        return self.spec.issuer_url or DEFAULT_ISSUER

    @property
    def federated(self) -> bool:
        """Whether others may check this cluster's tokens: the issuer is not the cluster itself."""
        return self.openshift or self.issuer_url != DEFAULT_ISSUER

    # What exists in the namespace

    def find(self, kind: str, name: str) -> Manifest | None:
        return self.objects.get((kind, name))

    def secret(self, name: str, key: str) -> bytes:
        """A value of a Secret, decoded; empty when it is not there."""
        data: Mapping[str, str] = (self.find("Secret", name) or {}).get("data") or {}
        return b64decode(data.get(key, ""))

    def text(self, name: str, key: str) -> str:
        """A value of a ConfigMap; empty when it is not there."""
        data: Mapping[str, Any] = (self.find("ConfigMap", name) or {}).get("data") or {}
        return str(data.get(key, ""))


def _ranges(entries: Iterable[ClusterNetworkEntry | CIDREntry] | None) -> tuple[str, ...]:
    return tuple(canonical_cidr(entry.cidr) for entry in entries or ())
