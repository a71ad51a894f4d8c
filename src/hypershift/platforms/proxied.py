"""The proxy of a hosted cluster, with every address that must never go through it."""

from dataclasses import dataclass

from hypershift.api.cluster_domain import DEFAULT
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.kit import canonical_cidr
from hypershift.platforms.registry import platform_named

_LOCAL_NAMES = ("127.0.0.1", "localhost", ".svc", ".local", ".cluster.local")


@dataclass(frozen=True, slots=True)
class ClusterProxy:
    """What a cluster's proxy settings come to; empty where there is no proxy."""

    http: str = ""
    https: str = ""
    exempt: str = ""

    def __bool__(self) -> bool:
        return bool(self.http or self.https)

    @property
    def fields(self) -> dict[str, str]:
        """As the status of OpenShift's Proxy spells it."""
        return _filled(httpProxy=self.http, httpsProxy=self.https, noProxy=self.exempt)

    @property
    def variables(self) -> dict[str, str]:
        """As programs read it from their environment."""
        return _filled(HTTP_PROXY=self.http, HTTPS_PROXY=self.https, NO_PROXY=self.exempt)


def cluster_proxy(
    spec: HostedClusterSpec | HostedControlPlaneSpec, domain: str = DEFAULT
) -> ClusterProxy:
    """The proxy of a cluster's nodes: what the user asked for, and the cluster's own ranges."""
    proxy = spec.configuration and spec.configuration.proxy
    if not proxy or not (proxy.http_proxy or proxy.https_proxy):
        return ClusterProxy()
    exempt = ",".join(sorted({*exemptions(spec, proxy.no_proxy or ""), f".{domain}"}))
    return ClusterProxy(proxy.http_proxy or "", proxy.https_proxy or "", exempt)


def exemptions(spec: HostedClusterSpec | HostedControlPlaneSpec, extra: str) -> set[str]:
    """Names and ranges that are reached directly."""
    of_cloud = platform_named(spec.platform.type).pools.direct_hosts(spec.platform)
    ranges: set[str] = set()
    if networking := spec.networking:
        ranges = {
            *(canonical_cidr(each.cidr) for each in networking.machine_network or ()),
            *(canonical_cidr(each.cidr) for each in networking.cluster_network or ()),
            *(canonical_cidr(each.cidr) for each in networking.service_network or ()),
        }
    return {*_LOCAL_NAMES, *of_cloud, *ranges, *filter(None, extra.split(","))}


def _filled(**values: str) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
