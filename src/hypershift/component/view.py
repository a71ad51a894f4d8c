"""One immutable picture of a cluster, from which everything about its components follows."""

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hypershift.component.features import feature_gates
from hypershift.component.infra import Infra, Management
from hypershift.component.tls import TlsProfile, tls_profile
from hypershift.kit import Manifest, annotations_of, cidrs
from hypershift.release import Product, Release

PREFIX = "hypershift.openshift.io/"

API_PORT = 6443
IBM_API_PORT = 2040
DEFAULT_ADVERTISE = "172.20.0.1"
DEFAULT_ADVERTISE_V6 = "fd00::1"
ARO = "ARO-HCP"
DEFAULT_ISSUER = "https://kubernetes.default.svc"

Objects = Mapping[tuple[str, str], Manifest]


@dataclass(frozen=True)
class View:
    """What a pass over a HostedControlPlane knows; adapters read it and nothing else."""

    hcp: Manifest = field(repr=False)
    #: The control plane's release, with registry overrides; the guest's, without.
    release: Release
    user_release: Release
    infra: Infra = field(default_factory=Infra)
    management: Management = field(default_factory=Management)
    #: Objects of the control plane namespace by kind and name: Secrets, ConfigMaps, workloads,
    #: Services, ControlPlaneComponents.
    objects: Objects = field(default_factory=dict, repr=False)

    @property
    def spec(self) -> Manifest:
        spec: Manifest = self.hcp["spec"]
        return spec

    @property
    def name(self) -> str:
        return str(self.hcp["metadata"]["name"])

    @property
    def namespace(self) -> str:
        return str(self.hcp["metadata"]["namespace"])

    @property
    def product(self) -> Product:
        return self.release.product

    @property
    def openshift(self) -> bool:
        return self.release.openshift

    @property
    def platform(self) -> str:
        return str(self.spec.get("platform", {}).get("type", ""))

    @property
    def self_managed_azure(self) -> bool:
        """Whether the cluster is on Azure, with identities that no managed service gives it."""
        azure = self.spec.get("platform", {}).get("azure") or {}
        auth = azure.get("azureAuthenticationConfig") or {}
        given = auth.get("azureAuthenticationConfigType") == "ManagedIdentities"
        served = given or self.management.managed_service == ARO
        return self.platform == "Azure" and not served

    @property
    def infra_id(self) -> str:
        return str(self.spec.get("infraID") or "")

    @property
    def single_replica(self) -> bool:
        """Whether one replica of everything is enough; unset means highly available."""
        return self.availability == "SingleReplica"

    @property
    def availability(self) -> str:
        return str(self.spec.get("controllerAvailabilityPolicy") or "")

    def annotation(self, name: str) -> str:
        """An annotation of ours on the HostedControlPlane, by its last part; empty when unset."""
        return annotations_of(self.hcp).get(PREFIX + name, "")

    def annotated(self, name: str) -> bool:
        """Whether an annotation of ours is there, whatever it says."""
        return PREFIX + name in annotations_of(self.hcp)

    def profiling_disabled(self, component: str) -> bool:
        """Whether the cluster's annotation names this component."""
        names = self.annotation("disable-profiling").split(",")
        return component in {name.strip() for name in names}

    @property
    def owner_reference(self) -> Manifest:
        """What makes the HostedControlPlane the owner of an object."""
        return {
            "apiVersion": self.hcp["apiVersion"],
            "kind": self.hcp["kind"],
            "name": self.name,
            "uid": self.hcp["metadata"].get("uid", ""),
            "controller": True,
            "blockOwnerDeletion": True,
        }

    @property
    def metrics_set(self) -> str:
        """How much of the metrics is scraped: Telemetry, SRE or All; unset scrapes all."""
        return self.management.metrics_set

    # Configuration

    def configured(self, section: str) -> Manifest:
        """A section of `spec.configuration`: apiServer, featureGate, scheduler ..."""
        found: Manifest = (self.spec.get("configuration") or {}).get(section) or {}
        return found

    @cached_property
    def tls(self) -> TlsProfile:
        return tls_profile(self.configured("apiServer").get("tlsSecurityProfile") or {})

    @cached_property
    def feature_gates(self) -> dict[str, bool]:
        """Feature gates by name, in the order that the flags have."""
        return feature_gates(self.product, self.configured("featureGate"), self.text)

    # Networking

    @property
    def networking(self) -> Manifest:
        found: Manifest = self.spec.get("networking") or {}
        return found

    @property
    def cluster_cidrs(self) -> tuple[str, ...]:
        return cidrs(self.networking, "clusterNetwork")

    @property
    def service_cidrs(self) -> tuple[str, ...]:
        return cidrs(self.networking, "serviceNetwork")

    @property
    def ipv6(self) -> bool:
        """Whether the first pod range is IPv6."""
        return ":" in next(iter(self.cluster_cidrs), "")

    @property
    def advertise_address(self) -> str:
        """The address under which pods of the guest find its API: of its services' family."""
        wanted = (self.networking.get("apiServer") or {}).get("advertiseAddress")
        ipv6 = ":" in next(iter(self.service_cidrs), "")
        return str(wanted or (DEFAULT_ADVERTISE_V6 if ipv6 else DEFAULT_ADVERTISE))

    @property
    def api_pod_port(self) -> int:
        """The port that the API server's pods listen on; never a privileged one."""
        port = int((self.networking.get("apiServer") or {}).get("port") or API_PORT)
        return API_PORT if port == 443 else port  # noqa: PLR2004 - the port of https

    @property
    def api_service_port(self) -> int:
        return IBM_API_PORT if self.platform == "IBMCloud" else API_PORT

    @property
    def api_url(self) -> str:
        """Where pods of the control plane namespace find the API server."""
        return f"https://kube-apiserver:{self.api_service_port}"

    @property
    def issuer_url(self) -> str:
        return str(self.spec.get("issuerURL") or DEFAULT_ISSUER)

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
