"""What a cloud's clusters hold inside for it: credentials, and settings of two operators."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.api.hosted_control_plane import HostedControlPlane, HostedControlPlaneSpec
from hypershift.api.values import Capability
from hypershift.kit import InvalidSpec, Manifest, data_of

Section = dict[str, Any]
#: Where a program inside finds the token by which it takes on an identity of the cloud.
TOKEN_FILE = "/var/run/secrets/openshift/serviceaccount/token"  # noqa: S105 - a path


@dataclass(frozen=True, slots=True)
class Credential:
    """A Secret by which an operator inside acts in the cloud."""

    namespace: str
    name: str
    data: Mapping[str, bytes] = field(repr=False)
    #: The optional part of the product that the operator belongs to.
    capability: Capability | None = None


@dataclass(frozen=True, slots=True)
class GuestFacts:
    """A control plane, and the objects of its namespace that the cloud asked for."""

    plane: HostedControlPlane = field(repr=False)
    #: By kind and name; one that is not there is absent.
    objects: Mapping[tuple[str, str], Manifest] = field(default_factory=dict, repr=False)

    @property
    def spec(self) -> HostedControlPlaneSpec:
        return self.plane.spec

    def secret(self, name: str, described: str) -> Manifest:
        """A Secret of the control plane namespace; `InvalidSpec` when it is not there."""
        found = self.objects.get(("Secret", name))
        if found is None:
            raise InvalidSpec(f"failed to get {described} {name} from hcp namespace")
        if found["metadata"].get("ownerReferences"):
            # The user chose the name, and what it holds goes inside: copies of theirs have no
            # owner, while keys and certificates of the control plane belong to it.
            raise InvalidSpec(f"{described} {name} is an object of the control plane's own")
        return found

    def secret_data(self, name: str, described: str) -> dict[str, bytes]:
        """Everything that a Secret holds."""
        found = self.secret(name, described)
        return {key: data_of(found, key) for key in found.get("data") or {}}

    def text(self, name: str, key: str) -> str:
        """A value of a ConfigMap of the control plane namespace; empty when it is not there."""
        found = self.objects.get(("ConfigMap", name)) or {}
        return str((found.get("data") or {}).get(key, ""))


def _no_credentials(facts: GuestFacts) -> Iterator[Credential]:
    del facts
    yield from ()


def _no_names(spec: HostedControlPlaneSpec) -> tuple[tuple[str, str], ...]:
    del spec
    return ()


def _no_settings(live: Section, spec: HostedControlPlaneSpec) -> Section:
    del live, spec
    return {}


def _no_config(facts: GuestFacts) -> Iterator[Manifest]:
    del facts
    yield from ()


def balanced(spec: HostedControlPlaneSpec, scope: str) -> Section:
    """A load balancer of the cloud before the default ingress."""
    del spec
    return {"type": "LoadBalancerService", "loadBalancer": {"scope": scope}}


def _on_nodes(spec: HostedControlPlaneSpec, scope: str) -> Section:
    del spec, scope
    return {"type": "HostNetwork"}


def _external(spec: HostedControlPlaneSpec) -> bool:
    del spec
    return False


@dataclass(frozen=True, slots=True)
class GuestSide:
    """What guest configuration asks of a cloud; defaults are the usual answer."""

    #: Objects of the control plane namespace that the others need, by kind and name.
    reads: Callable[[HostedControlPlaneSpec], tuple[tuple[str, str], ...]] = _no_names
    #: Secrets of operators inside.
    credentials: Callable[[GuestFacts], Iterator[Credential]] = _no_credentials
    #: The cloud's configuration, where programs inside read it.
    cloud_config: Callable[[GuestFacts], Iterator[Manifest]] = _no_config
    #: How the default ingress is published, by the scope of its load balancer.
    publishing: Callable[[HostedControlPlaneSpec, str], Section] = balanced
    #: Whether that load balancer is inside the cluster's own network.
    is_internal: Callable[[HostedControlPlaneSpec], bool] = _external
    #: Whether the default ingress has the certificate of the control plane's own authority.
    own_ingress_certificate: bool = True
    #: Taints that pods of the default ingress tolerate.
    ingress_tolerations: tuple[Mapping[str, str], ...] = ()
    #: The default network's settings where they differ from the network operator's own, given
    #: those that the cluster has: most cannot be changed later.
    network: Callable[[Section, HostedControlPlaneSpec], Section] = _no_settings
    #: The image, and the asset, of the part of the cloud's controller that runs on nodes.
    node_manager: str = ""
    #: Whether nobody inside may switch the image registry off.
    keeps_registry: bool = False


#: Machines of no cloud: their ingress listens on the nodes themselves.
WITHOUT_CLOUD = GuestSide(publishing=_on_nodes)
