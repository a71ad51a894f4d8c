"""The shared ingress's HAProxy configuration, from HostedClusters, their Routes and Services."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hypershift.api import HostedCluster, labels
from hypershift.api.publishing import is_private, uses_shared_ingress
from hypershift.api.well_known import API_PORT, HTTPS_PORT, KONNECTIVITY_PORT, KUBE_APISERVER
from hypershift.api.well_known import OAUTH_PORT as LOGIN_PORT
from hypershift.component.haproxy import BEGINNING, HEALTH, READ_HELLO, Backend, lines
from hypershift.kit import Manifest, labels_of
from hypershift.operators.hypershift.shared_ingress.rules import claims

#: Back ends by the name of their Route; internal and private routes are not for the world.
BACKENDS: dict[str, tuple[str, int]] = {
    "ignition-server": ("ignition", HTTPS_PORT),
    "konnectivity-server": ("konnectivity", KONNECTIVITY_PORT),
    "kube-apiserver": ("apiserver", API_PORT),
    "metrics-proxy": ("metrics-proxy", HTTPS_PORT),
    "oauth": ("oauth", LOGIN_PORT),
}
_SERVED = '%ci:%cp -> %fi:%fp [%t] %ft %b/%s %Tw/%Tc/%Tt %B %ts %ac/%fc/%bc/%sc/%rc %sq/%bq"'
#: In-cluster traffic of guests: no name of ours in it, so the node's proxy says which cluster.
NODES = f"""
# Frontends for the KAS SVCs to support traffic coming from the data plane via kubernetes.svc.
frontend dataplane-kas-svc
  bind :::6443 v4v6 accept-proxy
  tcp-request inspect-delay 5s

  # fc_pp_tlv(0x20) extracts and decodes the custom tlv proxy header sent from the data-pane \
HAProxy which contains the clusterID.
  tcp-request content set-var(sess.cluster_id) fc_pp_tlv(0x20)
  tcp-request content accept if {{ req_ssl_hello_type 1 }}

  # example output: cluster_id = "4954e6da-fc87-4e74-9861-05895fe9549d", "169.254.169.1":38984 -> \
"172.20.0.1":6443 [10/Jul/2024:14:02:09.943] "dataplane-kas-svc" "<backend_name>"/"<server_name>" \
11/8/90052 3373 -- 25/7/2/2/0 0/0
  # see https://www.haproxy.com/blog/introduction-to-haproxy-logging
  log-format "%{{+Q}}o\\ cluster_id = %[var(sess.cluster_id)], {_SERVED}
"""
NAMES = f"""
# Frontends support any traffic coming from external DNS.
frontend external-dns
  bind :::8443 v4v6
{READ_HELLO}
  tcp-request content set-var(sess.src_ip) src

  log-format "%{{+Q}}o\\ src_ip = %[var(sess.src_ip)], {_SERVED.replace(" ->", " / %si:%sp ->", 1)}
"""
NO_MATCH = "\n  default_backend no-match\n"
NODE_BACKENDS = """
# Backends for the KAS SVCs to support traffic coming form the data plane via kubernetes.svc.
"""
NAME_BACKENDS = """
# Backends support any traffic coming from external DNS.
"""
REJECT = """
backend no-match
  tcp-request content reject
"""


@dataclass(frozen=True)
class Member:
    """A cluster that may use the shared ingress, and what its namespace holds."""

    cluster: HostedCluster
    routes: tuple[Manifest, ...] = ()
    #: Services by name.
    services: Mapping[str, Manifest] = field(default_factory=dict)
    #: Names and ids of this cluster that another one has already.
    refused: frozenset[str] = frozenset()

    @property
    def namespace(self) -> str:
        # As the original builds it here: a dot in the cluster's name stays.
        return f"{self.cluster.metadata.namespace}-{self.cluster.metadata.name}"

    @property
    def takes_part(self) -> bool:
        """Whether the ingress serves the cluster: not one that is deleted or lacks a service."""
        deleted = bool(self.cluster.metadata.deletion_timestamp)
        chosen = uses_shared_ingress(self.cluster.spec, self.cluster.metadata.annotations)
        return not deleted and chosen and not self.missing

    @property
    def missing(self) -> tuple[str, ...]:
        """Services that something leads to and that do not exist; they cost only this cluster."""
        targets = [KUBE_APISERVER, *(route["spec"]["to"]["name"] for route in self._ours)]
        return tuple(sorted(set(targets) - set(self.services)))

    @property
    def _ours(self) -> list[Manifest]:
        ours = (route for route in self.routes if labels.HOSTED_CONTROL_PLANE in labels_of(route))
        return sorted(ours, key=lambda route: str(route["metadata"]["name"]))

    @property
    def _allowed(self) -> tuple[str, ...]:
        api = self.cluster.spec.networking.api_server
        return tuple(block for block in (api.allowed_cidr_blocks if api else None) or () if block)

    @property
    def age(self) -> tuple[str, str]:
        """What orders clusters that claim the same name: the older one has it."""
        metadata = self.cluster.metadata
        return metadata.creation_timestamp or "", f"{metadata.namespace}/{metadata.name}"

    def backends(self) -> Iterator[Backend]:
        """Everything that leads to this cluster."""
        yield from self.by_cluster_id()
        yield from self.by_name()

    def _address(self, service: str) -> str:
        return str(self.services[service]["spec"].get("clusterIP", ""))

    def by_cluster_id(self) -> Iterator[Backend]:
        """The API server, for the proxies on the cluster's nodes; private ones have another way."""
        identity = self.cluster.spec.cluster_id or ""
        private = is_private(self.cluster.spec, self.cluster.metadata.annotations)
        if private or identity in self.refused:
            return
        yield Backend(
            f"{self.namespace}-{KUBE_APISERVER}",
            self._address(KUBE_APISERVER),
            self.services[KUBE_APISERVER]["spec"]["ports"][0]["port"],
            allowed=self._allowed,
            cluster_id=identity,
        )

    def by_name(self) -> Iterator[Backend]:
        """What is published under a host name."""
        for route in self._ours:
            if known := BACKENDS.get(route["metadata"]["name"]):
                suffix, port = known
                address = self._address(route["spec"]["to"]["name"])
                host = route["spec"].get("host") or ""
                yield from self._served(suffix, address, port, host)
        custom = self.cluster.spec.kube_api_server_dns_name or ""
        yield from self._served("apiserver-custom", self._address(KUBE_APISERVER), API_PORT, custom)

    def _served(self, suffix: str, address: str, port: int, host: str) -> Iterator[Backend]:
        """Yield the back end of a name that is this cluster's own."""
        if host and host.lower() not in self.refused:
            yield self._named(suffix, address, port, host)

    def _named(self, suffix: str, address: str, port: int, host: str) -> Backend:
        name = f"{self.namespace}-{suffix}"
        return Backend(name, address, port, host=host, allowed=self._allowed)


def configuration(members: Iterable[Member]) -> str:
    """The text of haproxy.cfg; a cluster that cannot be served never disturbs the others."""
    every = _taking_part(members)
    return _text(every, claims.served((one.age, tuple(one.backends())) for one in every))


def undisputed(members: Iterable[Member]) -> str:
    """The text for clusters of which none has a name of another, as the original writes it."""
    every = _taking_part(members)
    return _text(every, frozenset(each for one in every for each in one.backends()))


def _taking_part(members: Iterable[Member]) -> list[Member]:
    return sorted((one for one in members if one.takes_part), key=lambda one: one.namespace)


def _text(taking_part: list[Member], served: frozenset[Backend]) -> str:
    by_id = [each for member in taking_part for each in member.by_cluster_id() if each in served]
    by_name = [each for member in taking_part for each in member.by_name() if each in served]
    parts = [
        *(BEGINNING, NODES, lines(_rules(by_id)), NO_MATCH),
        *(NAMES, lines(_rules(by_name)), NO_MATCH, "\n", HEALTH),
        *(NODE_BACKENDS, *(backend.section for backend in by_id)),
        *(NAME_BACKENDS, *(backend.section for backend in by_name), REJECT),
    ]
    return "".join(parts)


def _rules(backends: list[Backend]) -> Iterator[str]:
    for one in backends:
        named = f"req_ssl_sni -i {one.host}"
        identified = f"var(sess.cluster_id) -m str {one.cluster_id}"
        yield f"acl is_{one.name} {identified if one.cluster_id else named}"
        ranges = filter(claims.is_range, one.allowed)
        yield from (f"acl is_{one.name}_request_allowed fc_src {cidr}" for cidr in ranges)
    for one in backends:
        also = f" is_{one.name}_request_allowed" if one.allowed else ""
        yield f"use_backend {one.name} if is_{one.name}{also}"
