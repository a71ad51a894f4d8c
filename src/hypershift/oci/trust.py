"""Which registries may be asked, and which addresses a request may reach.

Users choose image references, so that a registry is a server of another party: it must not lead
us to services that only we can reach. Hosts that the operator's settings name are trusted to be
anywhere; other registries may be on private networks, but not on this host or on link-local
addresses; and a registry on the public network leads to public addresses only.
"""

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import Any

from hypershift.oci.errors import RegistryDenied
from hypershift.oci.reference import Reference

#: Token services of registries whose names differ from their registry's.
_TOKEN_HOSTS = {"nvcr.io": "authn.nvidia.com"}
#: An IPv6 range in which IPv4 addresses are hidden (RFC 6052).
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[Any, ...]]


class Reach(IntEnum):
    """How far a request may go; each step allows what the one before allows."""

    #: Addresses of the public network.
    PUBLIC = 1
    #: Private networks too, where companies have their registries.
    PRIVATE = 2
    #: Every address, this host's own too.
    ANYWHERE = 3


@dataclass(frozen=True, slots=True)
class Trust:
    """What the operator's settings say about registries."""

    #: Patterns of `host/repository` that may be used; none means all.
    allowed: tuple[str, ...] = ()
    #: Hosts that settings name: mirrors, and what overrides lead to.
    hosts: frozenset[str] = frozenset()
    #: Whether `localhost` is a registry by plain HTTP: for commands that people run by hand.
    loopback: bool = False

    def check(self, reference: Reference) -> None:
        """Refuse a registry that is not allowed."""
        if self.allowed and not any(_covers(pattern, reference) for pattern in self.allowed):
            raise RegistryDenied(
                f"{reference.name} is in no registry that this operator allows "
                f"(--allowed-registries)"
            )

    def naming(self, hosts: Iterable[str]) -> "Trust":
        """The same trust, with more hosts that settings name."""
        return replace(self, hosts=self.hosts | frozenset(hosts))

    def unrestricted(self, hosts: Iterable[str] = ()) -> "Trust":
        """The trust of requests whose reference was checked as the user wrote it."""
        return replace(self, allowed=(), hosts=self._named() | frozenset(hosts))

    def names(self, host: str) -> bool:
        """Whether settings name a host itself, by whatever port."""
        return bare(host) in self._named()

    def reach(self, host: str) -> Reach:
        """How far requests to a registry of that host may go."""
        if self.names(host) or (self.loopback and is_local_name(host)):
            return Reach.ANYWHERE
        return Reach.PRIVATE

    def gives_tokens(self, registry: str, realm: str) -> bool:
        """Whether a registry may send its clients to a host for tokens.

        The host is the registry's own or of the domain that the registry is in (`auth.docker.io`
        for `registry-1.docker.io`), or the operator names it.
        """
        registry, realm = bare(registry), bare(realm)
        if registry == realm or _TOKEN_HOSTS.get(registry) == realm or self.names(realm):
            return True
        if _is_address(registry) or _is_address(realm):
            return False
        domain = registry.partition(".")[2]
        owned = domain if "." in domain else registry
        return f".{realm}".endswith(f".{owned}")

    def _named(self) -> frozenset[str]:
        patterns = (pattern.partition("/")[0] for pattern in self.allowed)
        exact = (bare(host) for host in patterns if not set(host) & set("*?["))
        return frozenset((*map(bare, self.hosts), *exact))


def _covers(pattern: str, reference: Reference) -> bool:
    """`quay.io` and `quay.io/team` cover what is below; `*.example.com/team/*` matches as globs."""
    pattern = pattern.rstrip("/")
    host, _, path = pattern.partition("/")
    if not fnmatchcase(reference.host.lower(), host.lower()):
        return False
    below = f"{path}/*"
    return not path or any(fnmatchcase(reference.repository, each) for each in (path, below))


def bare(host: str) -> str:
    """A host without its port and in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return (host.partition(":")[0] if host.count(":") <= 1 else host).lower().rstrip(".")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def literal_reach(host: str) -> Reach:
    """How far a request to a host goes, judged by its spelling: names may be anywhere."""
    name = bare(host)
    if _is_address(name):
        return reach_of(name)
    return Reach.ANYWHERE if is_local_name(name) else Reach.PUBLIC


def is_local_name(host: str) -> bool:
    """Whether a host names this machine, without asking DNS."""
    name = bare(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    return _is_address(name) and ipaddress.ip_address(name).is_loopback


def reach_of(address: str) -> Reach:
    """How far a request must be allowed to go to get to an address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        hidden = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            hidden = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if hidden is not None:
            return reach_of(str(hidden))
    special = found.is_loopback or found.is_link_local or found.is_unspecified
    if special or found.is_multicast or (found.version == 4 and found.is_reserved):  # noqa: PLR2004
        return Reach.ANYWHERE
    return Reach.PUBLIC if found.is_global else Reach.PRIVATE


class Guard:
    """Makes sockets for a client, and refuses addresses beyond its reach.

    It sees the very address that is connected to: neither a name that resolves to something else
    the second time nor an unusual spelling of an address leads past it.
    """

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        #: The farthest address that was connected to.
        self.farthest = Reach.PUBLIC
        self.refused = False

    def __call__(self, info: AddressInfo) -> socket.socket:
        family, kind, protocol, _, address = info
        needed = reach_of(str(address[0]))
        if needed > self.reach:
            self.refused = True
            raise OSError("this address is not allowed for this registry")
        self.farthest = max(self.farthest, needed)
        made = socket.socket(family, kind, protocol)
        made.setblocking(False)  # noqa: FBT003 - its only parameter
        return made


def hosts_of(addresses: Iterable[str]) -> frozenset[str]:
    """The hosts of addresses or of image references, as settings have them."""
    plain = (address.partition("://")[2] or address for address in addresses)
    return frozenset(bare(each.partition("/")[0]) for each in plain)
