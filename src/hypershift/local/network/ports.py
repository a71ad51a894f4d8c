"""The ports of the cluster's bridge: each machine speaks for its own addresses, to its own tenant.

Machines of hosted clusters and nodes of the management cluster share one bridge. Root in a machine
may send any frame, so the host checks each one where it enters the bridge:

- its hardware address is the machine's own, in ARP too;
- an address of the cluster's range is the machine's own; management nodes also send for the pods
  of the management cluster. Addresses of other ranges are the pods of hosted clusters;
- machines of another tenant are out of reach, and of management nodes a hosted machine reaches
  node ports alone (the API server and load balancers are on the host, not behind a port).

With IPv6 the same holds for its addresses, the link-local one too, and for what machines announce
to their neighbours: nobody is a router but the host.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address

from hypershift.local.cluster.plan import Plan
from hypershift.local.machine.spec import MachineSpec
from hypershift.local.network.command import CommandFailed, run

#: The tenant of the management cluster's own nodes.
MANAGEMENT = ""


@dataclass(frozen=True, slots=True, order=True)
class Port:
    """The host's end of one machine's wire."""

    link: str
    mac: str
    address: str
    #: Whose machine it is: the control plane namespace of its cluster.
    tenant: str = MANAGEMENT
    #: Its IPv6 address; nodes of the management cluster have none.
    address_v6: str = ""


def port_of(spec: MachineSpec, tenant: str) -> Port:
    """The port of a machine."""
    address, address_v6 = (
        each.partition("/")[0] for each in (spec.network.address, spec.network.address_v6)
    )
    return Port(spec.link, spec.mac, address, tenant, address_v6)


def link_local(mac: str) -> IPv6Address:
    """The address that a link gives itself, made of its hardware address (RFC 4291)."""
    first, *rest = bytes.fromhex(mac.replace(":", ""))
    own = bytes((first ^ 2, *rest[:2], 0xFF, 0xFE, *rest[2:]))
    return IPv6Address(bytes.fromhex("fe80" + "00" * 6) + own)


def ruleset(plan: Plan, ports: Iterable[Port]) -> str:
    """The whole table, swapped in as one transaction."""
    known = sorted(ports)
    reset = f"table bridge {plan.table} {{}}\ndelete table bridge {plan.table}\n"
    if not known:
        return reset
    tenants = by_tenant(known)
    return reset + TABLE.format(
        table=plan.table,
        network=plan.network,
        ports=_elements(_quoted(port) for port in known),
        macs=_elements(f"{_quoted(port)} . {port.mac}" for port in known),
        senders=_elements(sender for port in known for sender in _senders(plan, port)),
        verdicts=_elements(_verdict(number, tenants[name]) for number, name in enumerate(tenants)),
        chains="".join(_chain(number, tenants[name]) for number, name in enumerate(tenants)),
        foreign=_foreign(tenants.get(MANAGEMENT, ())),
        network_v6=plan.network_v6,
        senders_v6=_elements(
            f"{_quoted(port)} . {each}" for port in known for each in _addresses_v6(port)
        ),
        announced="".join(_announced(port) for port in known),
    )


def by_tenant(ports: Iterable[Port]) -> Mapping[str, Sequence[Port]]:
    """The ports of each tenant, in a fixed order."""
    found: dict[str, list[Port]] = {}
    for port in sorted(ports, key=lambda one: (one.tenant, one.link)):
        found.setdefault(port.tenant, []).append(port)
    return found


def _senders(plan: Plan, port: Port) -> Iterable[str]:
    yield f"{_quoted(port)} . {port.address}"
    if port.tenant == MANAGEMENT:
        yield f"{_quoted(port)} . {plan.pods}"


def _addresses_v6(port: Port) -> tuple[str, ...]:
    own = (port.address_v6,) if port.address_v6 else ()
    return (str(link_local(port.mac)), *own)


def _announced(port: Port) -> str:
    """A neighbour advertisement tells where its target is, which follows eight bytes of header."""
    targets = ", ".join(f"0x{int(IPv6Address(each)):032x}" for each in _addresses_v6(port))
    return f"    iifname {_quoted(port)} @th,64,128 != {{ {targets} }} drop\n"


def _verdict(number: int, ports: Sequence[Port]) -> str:
    verdict = "accept" if ports[0].tenant == MANAGEMENT else f"goto tenant{number}"
    return ", ".join(f"{_quoted(port)} : {verdict}" for port in ports)


def _chain(number: int, ports: Sequence[Port]) -> str:
    if ports[0].tenant == MANAGEMENT:
        return ""
    own = _elements(_quoted(port) for port in ports)
    return f"  chain tenant{number} {{\n    oifname {own} accept\n    goto foreign\n  }}\n"


def _foreign(management: Sequence[Port]) -> str:
    """What a hosted machine may send outside of its tenant; flags identify answers."""
    if not management:
        return ""
    nodes = _elements(_quoted(port) for port in management)
    # They have no IPv6 but link-local addresses, where nothing is served.
    refused = "    ether type ip6 drop\n"
    allowed = (
        "ether type arp",
        "ip protocol icmp",
        "tcp flags & (syn | ack) != syn",
        "th dport 30000-32767",
    )
    return refused + "".join(f"    oifname {nodes} {rule} accept\n" for rule in allowed)


def _quoted(port: Port) -> str:
    return f'"{port.link}"'


def _elements(words: Iterable[str]) -> str:
    return f"{{ {', '.join(words)} }}"


TABLE = """\
table bridge {table} {{
  set ports {{ type ifname; elements = {ports} }}
  set macs {{ type ifname . ether_addr; elements = {macs} }}
  set senders {{ type ifname . ipv4_addr; flags interval; elements = {senders} }}
  set senders6 {{ type ifname . ipv6_addr; elements = {senders_v6} }}
  chain incoming {{
    type filter hook prerouting priority -300; policy accept;
    iifname != @ports accept
    iifname . ether saddr != @macs drop
    iifname . arp saddr ether != @macs drop
    arp saddr ip {network} iifname . arp saddr ip != @senders drop
    ip saddr {network} iifname . ip saddr != @senders drop
    ip6 saddr {{ fe80::/10, {network_v6} }} iifname . ip6 saddr != @senders6 drop
    icmpv6 type {{ nd-router-advert, nd-redirect }} drop
    icmpv6 type nd-neighbor-advert jump announced
  }}
  chain announced {{
{announced}  }}
  chain between {{
    type filter hook forward priority 0; policy accept;
    iifname vmap {verdicts}
  }}
  chain foreign {{
{foreign}    drop
  }}
{chains}}}
"""


async def remove(nft: tuple[str, ...], plan: Plan) -> None:
    """Take the table away, if it is there."""
    try:
        await run(*nft, "delete", "table", "bridge", plan.table)
    except CommandFailed as error:
        if "No such file or directory" not in error.message:
            raise
