"""Who may connect to a LoadBalancer Service: its source ranges, checked before nft sees them."""

from collections.abc import Iterable
from ipaddress import IPv4Network, collapse_addresses, ip_network
from typing import Final

from hypershift.kit import InvalidSpec, Manifest

FIELD: Final = "spec.loadBalancerSourceRanges"
#: One Service's share of a table that all Services share.
MAX_RANGES: Final = 256


def ranges(service: Manifest) -> tuple[str, ...] | None:
    """The IPv4 ranges that may connect, none twice; None means every address.

    Addresses of balancers are IPv4, so ranges of IPv6 match no client: a Service that names only
    those is closed, never open to all.
    """
    given = service["spec"].get("loadBalancerSourceRanges") or ()
    if not given:
        return None
    if len(given) > MAX_RANGES:
        raise InvalidSpec(f"{FIELD} has {len(given)} ranges, at most {MAX_RANGES} are possible")
    return tuple(str(one) for one in collapse_addresses(_networks(given)))


def _networks(given: Iterable[object]) -> Iterable[IPv4Network]:
    for text in given:
        try:
            found = ip_network(str(text).strip(), strict=False)
        except ValueError:
            raise InvalidSpec(f"{FIELD}: {str(text)[:64]!r} is not a range of addresses") from None
        if isinstance(found, IPv4Network):
            yield found


def problem(service: Manifest) -> str:
    """Why a Service's ranges cannot be served as they are; empty when they can."""
    try:
        allowed = ranges(service)
    except InvalidSpec as error:
        return str(error)
    if allowed == ():
        return f"{FIELD} has no IPv4 range: no client can connect, because addresses are IPv4"
    return ""
