"""Where a machine goes: its address, its zone, its share of the host; pure choices."""

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Network, IPv6Network

from hypershift.kit import InvalidSpec, TransientError
from hypershift.kube.compare import quantity
from hypershift.local.cluster.plan import twin
from hypershift.local.machine import Limits

#: An API server's and a kernel's idea of a host name.
MAX_HOSTNAME = 63


def address(name: str, pool: IPv4Network, taken: Collection[str]) -> IPv4Address:
    """A free address; where the search starts follows the name.

    So an address that was just given up is rarely the next one given out, while neighbours still
    remember its former owner.
    """
    size = pool.num_addresses
    start = zlib.crc32(name.encode()) % size
    for step in range(size):
        candidate = pool[(start + step) % size]
        reserved = candidate in (pool.network_address, pool.broadcast_address)
        if not reserved and str(candidate) not in taken:
            return candidate
    raise TransientError(f"no free address in {pool} for machine {name}")


def address_v6(address: IPv4Address, network: IPv6Network | None) -> str:
    """The IPv6 address of the machine with an IPv4 address, with its prefix; empty without one."""
    return f"{twin(address, network)}/{network.prefixlen}" if network else ""


def zone(wanted: Sequence[str | None], zones: Sequence[str], used: Iterable[str]) -> str:
    """The first zone that object or template names, else the one with the fewest machines."""
    for choice in wanted:
        if choice:
            return choice
    counts = Counter(used)
    return min(zones, key=lambda name: (counts[name], name), default="")


def limits(cpu: str, memory: str) -> Limits:
    """Kubernetes quantities as a machine's limits."""
    return Limits(cpu=int(_amount(cpu, "cpu") * 1000), memory=int(_amount(memory, "memory")))


def hostname(name: str) -> str:
    """The node's name: the machine's own."""
    if len(name) > MAX_HOSTNAME:
        raise InvalidSpec(
            f"machine name {name!r} has more than {MAX_HOSTNAME} characters", field="metadata.name"
        )
    return name


def _amount(text: str, field: str) -> Decimal:
    amount = quantity(text)
    if isinstance(amount, str) or amount <= 0:
        raise InvalidSpec(f"{text!r} is no amount", field=f"spec.{field}")
    return amount
