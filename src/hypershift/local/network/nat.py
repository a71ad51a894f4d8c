"""The cluster's one nft table on the host: egress NAT, LoadBalancer addresses, guarded pods."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hypershift.local.cluster.plan import Plan
from hypershift.local.network.command import CommandFailed, run


@dataclass(frozen=True, slots=True, order=True)
class Forward:
    """One port of a LoadBalancer address and the pods that answer it."""

    address: str
    protocol: str
    port: int
    targets: tuple[tuple[str, int], ...]
    #: The same client keeps its target.
    sticky: bool = False
    #: The addresses that may connect; empty means all.
    sources: tuple[str, ...] = ()


def ruleset(plan: Plan, forwards: Iterable[Forward]) -> str:
    """The whole table; nft swaps it in as one transaction, so no packet meets half of it."""
    served = sorted(forward for forward in forwards if forward.targets)
    guarded = GUARDED.format(
        bridge=plan.bridge, pods=plan.pods, nodes=plan.nodes, balancers=plan.balancers
    )
    text = _table(plan, "ip", served, guarded)
    return text + _table(plan, "ip6", served) if plan.ipv6 else text


def _table(plan: Plan, ip: str, served: Iterable[Forward], guarded: str = "") -> str:
    """The table of one family."""
    v6 = ip == "ip6"
    return TABLE.format(
        ip=ip,
        table=plan.table,
        bridge=plan.bridge,
        network=plan.network_v6 if v6 else plan.network,
        balancers=plan.balancers_v6 if v6 else plan.balancers,
        guarded=guarded,
        rules="\n".join(f"    {rule(each)}" for each in served if _family(each.address) == ip),
    )


def _family(address: str) -> str:
    return "ip6" if ":" in address else "ip"


def rule(forward: Forward) -> str:
    """Spread new connections over the targets, evenly at random."""
    ip = _family(forward.address)
    sources = f"{ip} saddr {{ {', '.join(forward.sources)} }} " if forward.sources else ""
    where = f"{sources}{ip} daddr {forward.address} {forward.protocol} dport {forward.port}"
    if len(forward.targets) == 1:
        address, port = forward.targets[0]
        return f"{where} dnat to {f'[{address}]' if ip == 'ip6' else address}:{port}"
    choice = f"jhash {ip} saddr" if forward.sticky else "numgen random"
    pairs = ", ".join(
        f"{number} : {address} . {port}" for number, (address, port) in enumerate(forward.targets)
    )
    return f"{where} dnat to {choice} mod {len(forward.targets)} map {{ {pairs} }}"


#: Connections to a balancer's address from within the cluster are masqueraded, or the answer
#: would take the short way and miss the translation. Machines of hosted clusters, and their pods,
#: reach pods of the management cluster by such an address alone.
TABLE = """\
table {ip} {table} {{}}
delete table {ip} {table}
table {ip} {table} {{
  chain incoming {{
    type nat hook prerouting priority dstnat; policy accept;
    {ip} daddr {balancers} jump balancers
  }}
  chain local {{
    type nat hook output priority -100; policy accept;
    {ip} daddr {balancers} jump balancers
  }}
  chain outgoing {{
    type nat hook postrouting priority srcnat; policy accept;
    oifname != "{bridge}" {ip} saddr {network} {ip} daddr != {network} masquerade
    oifname "{bridge}" ct original {ip} daddr {balancers} {ip} saddr {network} masquerade
    oifname "{bridge}" ct original {ip} daddr {balancers} fib saddr type local masquerade
  }}
{guarded}\
  chain balancers {{
{rules}
  }}
}}
"""

#: Nodes of the management cluster and their pods have no IPv6, so that there is nothing to guard.
GUARDED = """\
  chain guarded {{
    type filter hook forward priority filter; policy accept;
    iifname "{bridge}" ip daddr {pods} ip saddr != {{ {nodes}, {pods} }} \
ct state new ct original ip daddr != {balancers} drop
  }}
"""
FAMILIES: Final = ("ip", "ip6")
#: What nft says where there is no such table, and where the kernel has no such family.
_NOTHING: Final = ("No such file or directory", "not supported")


async def install(nft: tuple[str, ...], text: str) -> None:
    """Swap the table in."""
    await run(*nft, "-f", "-", feed=text)


async def remove(nft: tuple[str, ...], plan: Plan) -> None:
    """Take the tables away, if they are there."""
    for family in FAMILIES:
        try:
            await run(*nft, "delete", "table", family, plan.table)
        except CommandFailed as error:
            if not any(said in error.message for said in _NOTHING):
                raise
