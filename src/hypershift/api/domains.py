"""The domains of a cluster: its own, and the one of its applications."""

from typing import Protocol

from hypershift.api.configuration.cluster import ClusterConfiguration
from hypershift.api.configuration.ingress import Ingress
from hypershift.api.networking import DNS
from hypershift.api.platforms.platform import Platform
from hypershift.api.values import PlatformType


class Named(Protocol):
    """What these readers need of a spec."""

    @property
    def platform(self) -> Platform:
        """The infrastructure."""

    @property
    def dns(self) -> DNS:
        """The base domain and its prefix."""

    @property
    def configuration(self) -> ClusterConfiguration | None:
        """What the user configures inside the cluster."""


def base_domain(spec: Named, name: str) -> str:
    """The domain under which the cluster's own routes live."""
    if spec.platform.type == PlatformType.IBMCLOUD:
        return spec.dns.base_domain
    return named_domain(spec, name)


def named_domain(spec: Named, name: str) -> str:
    """The base domain below which the cluster's name or the chosen prefix stands."""
    domain, prefix = spec.dns.base_domain, spec.dns.base_domain_prefix
    if prefix is None:
        return f"{name}.{domain}"
    return f"{prefix}.{domain}" if prefix else domain


def ingress_domain(spec: Named, name: str) -> str:
    """The domain under which the cluster's applications are reached."""
    configured = (spec.configuration.ingress if spec.configuration else None) or Ingress()
    return configured.apps_domain or configured.domain or f"apps.{named_domain(spec, name)}"
