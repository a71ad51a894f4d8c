"""Who may connect to a LoadBalancer Service: its source ranges, checked before nft sees them."""

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import Final

from hypershift.kit import InvalidSpec, Manifest
from hypershift.local.controllers.families import V4, V6, families

FIELD: Final = "spec.loadBalancerSourceRanges"
#: One Service's share of a table that all Services share.
MAX_RANGES: Final = 256


def ranges(service: Manifest, family: str = V4) -> tuple[str, ...] | None:
    """The ranges of one family that may connect, none twice; None means every address.

    A range of the other family matches no client of an address: one that has only those is closed,
    never open to all.
    """
    given = service["spec"].get("loadBalancerSourceRanges") or ()
    if not given:
        return None
    if len(given) > MAX_RANGES:
        raise InvalidSpec(f"{FIELD} has {len(given)} ranges, at most {MAX_RANGES} are possible")
    found = list(_networks(given))
    if family == V6:
        own = collapse_addresses(one for one in found if isinstance(one, IPv6Network))
        return tuple(str(one) for one in own)
    own_v4 = collapse_addresses(one for one in found if isinstance(one, IPv4Network))
    return tuple(str(one) for one in own_v4)


def _networks(given: Iterable[object]) -> Iterable[IPv4Network | IPv6Network]:
    for text in given:
        try:
            yield ip_network(str(text).strip(), strict=False)
        except ValueError:
            raise InvalidSpec(f"{FIELD}: {str(text)[:64]!r} is not a range of addresses") from None


def problem(service: Manifest) -> str:
    """Why a Service's ranges cannot be served as they are; empty when they can."""
    named = families(service)
    try:
        closed = all(ranges(service, one) == () for one in named)
    except InvalidSpec as error:
        return str(error)
    if closed:
        kind = " and ".join(named)
        return f"{FIELD} has no {kind} range: no client can connect, because addresses are {kind}"
    return ""
