"""Where a name of the hosted network leads: Services by its API, other names by a DNS server."""

import asyncio
import ipaddress
import socket
from dataclasses import dataclass

from hypershift.helpers.konnectivity import dns
from hypershift.helpers.konnectivity.tunnel import Tunnel, is_cloud

#: The DNS Service of a hosted cluster, by product.
DNS_SERVICES = (("openshift-dns", "dns-default"), ("kube-system", "kube-dns"))
_SERVICE_LABELS = 3


class NotResolved(OSError):
    """A name without an address."""


@dataclass(frozen=True, slots=True)
class Place:
    """An address, or a name that the other end of the tunnel resolves."""

    address: str
    #: True if it lies in the management cluster, so that no tunnel leads there.
    management: bool = False


@dataclass(frozen=True, slots=True)
class Resolver:
    """Resolves names as the flags say."""

    tunnel: Tunnel
    guest: bool = False
    management: bool = False
    disabled: bool = False
    prefer_ipv4: bool = False

    async def resolve(self, host: str) -> Place:
        """The place of a host; NotResolved if no server knows it."""
        if self.disabled or is_cloud(host) or _is_address(host):
            return Place(host)
        if (service := service_of(host)) and (address := await _cluster_address(*service)):
            return Place(address)
        if not self.guest:
            return Place(await self._locally(host))
        try:
            return Place(await self._in_guest(host))
        except OSError:
            if not self.management:
                raise
            return Place(await self._locally(host), management=True)

    async def _in_guest(self, host: str) -> str:
        """Ask the hosted cluster's DNS server, through the tunnel."""
        for service in DNS_SERVICES:
            if server := await _cluster_address(*service):
                stream = await self.tunnel.open(server, dns.PORT)
                found = await dns.lookup(stream, host)
                if found:
                    return found[0]
        raise NotResolved(f"the hosted cluster's DNS does not know {host}")

    async def _locally(self, host: str) -> str:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        chosen = sorted(found, key=lambda one: self.prefer_ipv4 and one[0] != socket.AF_INET)
        return str(chosen[0][4][0])


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def service_of(host: str) -> tuple[str, str] | None:
    """Namespace and name of a Service, from `name.namespace.svc[.domain]`."""
    labels = host.rstrip(".").split(".")
    if len(labels) < _SERVICE_LABELS or labels[2] != "svc":
        return None
    return labels[1], labels[0]


async def _cluster_address(namespace: str, name: str) -> str:
    """The cluster address of a Service of the hosted cluster ($KUBECONFIG); empty if none."""
    from hypershift.kube import ApiError, Client, kinds  # noqa: PLC0415 - only those who ask pay

    try:
        async with Client.connect() as client:
            service = await client.find(kinds.SERVICE, name, namespace)
    except ApiError as error:
        raise NotResolved(f"Service {namespace}/{name}: {error}") from error
    address = ((service or {}).get("spec") or {}).get("clusterIP", "")
    return "" if address == "None" else str(address)
