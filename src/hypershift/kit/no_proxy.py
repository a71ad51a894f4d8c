"""Whether an address is exempt from an HTTP proxy, by the rules of NO_PROXY."""

import ipaddress
from collections.abc import Iterable


def exempts(no_proxy: str, host: str, port: int) -> bool:
    """Whether a connection to a host and port goes around the proxy."""
    if not no_proxy or not host:
        return False
    if host == "localhost" or _is_loopback(host):
        return True
    return any(_matches(entry.strip().lower(), host.lower(), port) for entry in no_proxy.split(","))


def names_kubernetes(no_proxy: str, networks: Iterable[str]) -> bool:
    """Whether the user exempted the API by its service name or by a whole cluster network."""
    ranges = set(networks)
    entries = (entry.strip() for entry in no_proxy.split(","))
    return any("kubernetes" in entry or entry in ranges for entry in entries)


def _is_loopback(host: str) -> bool:
    address = _address(host)
    return address is not None and address.is_loopback


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None


def _matches(entry: str, host: str, port: int) -> bool:
    if not entry:
        return False
    if entry == "*":
        return True
    address = _address(host)
    if "/" in entry:
        return address is not None and _in_network(address, entry)
    name, wanted = _split(entry)
    if wanted not in ("", str(port)) or not name:
        return False
    if (other := _address(name)) is not None:
        return address == other
    return _matches_domain(name, host)


def _split(entry: str) -> tuple[str, str]:
    """Name and port; IPv6 has colons, too, but no port without brackets."""
    if _address(entry) is not None:
        return entry, ""
    name, colon, port = entry.rpartition(":")
    if not colon or (":" in name and not name.endswith("]")):
        return entry, ""
    return name, port


def _matches_domain(entry: str, host: str) -> bool:
    domain = entry[1:] if entry.startswith("*.") else entry
    if domain.startswith("."):
        return host.endswith(domain) and host != domain[1:]
    return host == domain or host.endswith(f".{domain}")


def _in_network(address: ipaddress.IPv4Address | ipaddress.IPv6Address, entry: str) -> bool:
    try:
        return address in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return False
