"""Which addresses a hosted API server may call on behalf of its users.

A webhook with a `url` is called from the kube-apiserver pod itself (egress selector `controlplane`
is Direct), so its name is resolved and its address routed in the management cluster. A webhook or
APIService with a Service, and the proxies of pods, services and nodes, go through the konnectivity
tunnel (egress selector `cluster`) and reach what the tenant's own machines reach. Network policy
is the boundary; this rule removes what no honest user means, as the original does.
"""

import ipaddress
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

#: Sidecars of the kube-apiserver pod that the original itself registers as webhooks.
SIDECARS: Final = frozenset(
    {"https://127.0.0.1:4443/mutate", "https://127.0.0.1:9443/mutate-v1-pod"}
)
_CLUSTER: Final = ".cluster.local"
#: Names that end so are of the management cluster or of the network that it runs in.
_INSIDE: Final = frozenset({"svc", "pod", "default", "internal", "local", "localhost"})
_TRANSLATED: Final = ipaddress.ip_network("64:ff9b::/96")
#: Full stops of other scripts, which divide a name as well.
_STOPS: Final = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))
#: Signs that names are mapped without: of format, and marks that choose a form.
_UNSEEN: Final = frozenset({"Cf", "Mn", "Me"})


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is near a hosted API server: the Services beside it and other management addresses."""

    namespace: str
    #: By name: True if the Service allows webhooks of guests.
    services: Mapping[str, bool] = field(default_factory=dict)
    addresses: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()


def why_refused(url: str, near: Surroundings) -> str:
    """Return why a URL must not be called; empty if it may be."""
    if url in SIDECARS:
        return ""
    try:
        host = _spelled_out(urlsplit(url).hostname or "")
    except ValueError:
        return "the URL cannot be read"
    if not host:
        return "the URL has no host"
    address = _address(host)
    return _why_no_address(address, near) if address else _why_no_name(host, near)


def _spelled_out(host: str) -> str:
    """The host as it is connected to: Go decodes it, and maps other scripts' signs (UTS 46)."""
    if ":" in host:  # an address of IPv6, whose zone says nothing
        return host.partition("%")[0]
    mapped = unicodedata.normalize("NFKC", unquote(host, errors="strict").translate(_STOPS))
    seen = (sign for sign in mapped.casefold() if unicodedata.category(sign) not in _UNSEEN)
    return unicodedata.normalize("NFKC", "".join(seen)).translate(_STOPS).rstrip(".")


def _address(host: str) -> Address | None:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        if found in _TRANSLATED:
            return ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        return found.ipv4_mapped or found.sixtofour or found
    return found


def _why_no_address(found: Address, near: Surroundings) -> str:
    if found.is_loopback or found.is_link_local or found.is_unspecified:
        return f"{found} is an address of the control plane's own host"
    if found.is_multicast or found.is_reserved:
        return f"{found} is no address of a server"
    if str(found) in near.addresses or any(found in one for one in near.networks):
        return f"{found} is an address of the management cluster"
    return ""


def _why_no_name(host: str, near: Surroundings) -> str:
    inner = host.removesuffix(_CLUSTER)
    labels = inner.split(".")
    if labels[1:] in ([], [near.namespace], [near.namespace, "svc"]):
        allowed = near.services.get(labels[0], False)
        return "" if allowed else f"{host} is a name of the control plane namespace"
    # Some resolvers read such names as addresses: 127.1, 0x7f.0.0.1, 2130706433.
    if labels[-1].isdigit() or labels[-1].startswith("0x"):
        return f"{host} is neither a name nor an address"
    # No public domain ends with a hyphenated label, but namespaces of the management cluster do:
    # the resolver of a pod tries `name.namespace` as a Service first.
    hyphenated = "-" in labels[-1] and not labels[-1].startswith("xn--")
    if inner != host or labels[-1] in _INSIDE or hyphenated:
        return f"{host} is a name of the management cluster"
    return ""
