"""The cluster's one nft table on the host: egress NAT, LoadBalancer addresses, guarded pods."""

from collections.abc import Iterable
from dataclasses import dataclass

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
    lines = "\n".join(f"    {rule(forward)}" for forward in served)
    return TABLE.format(
        table=plan.table,
        bridge=plan.bridge,
        network=plan.network,
        nodes=plan.nodes,
        pods=plan.pods,
        balancers=plan.balancers,
        rules=lines,
    )


def rule(forward: Forward) -> str:
    """Spread new connections over the targets, evenly at random."""
    sources = f"ip saddr {{ {', '.join(forward.sources)} }} " if forward.sources else ""
    where = f"{sources}ip daddr {forward.address} {forward.protocol} dport {forward.port}"
    if len(forward.targets) == 1:
        address, port = forward.targets[0]
        return f"{where} dnat to {address}:{port}"
    choice = "jhash ip saddr" if forward.sticky else "numgen random"
    pairs = ", ".join(
        f"{number} : {address} . {port}" for number, (address, port) in enumerate(forward.targets)
    )
    return f"{where} dnat to {choice} mod {len(forward.targets)} map {{ {pairs} }}"


#: Connections to a balancer's address from within the cluster are masqueraded, or the answer
#: would take the short way and miss the translation. Machines of hosted clusters, and their pods,
#: reach pods of the management cluster by such an address alone.
TABLE = """\
table ip {table} {{}}
delete table ip {table}
table ip {table} {{
  chain incoming {{
    type nat hook prerouting priority dstnat; policy accept;
    ip daddr {balancers} jump balancers
  }}
  chain local {{
    type nat hook output priority -100; policy accept;
    ip daddr {balancers} jump balancers
  }}
  chain outgoing {{
    type nat hook postrouting priority srcnat; policy accept;
    oifname != "{bridge}" ip saddr {network} ip daddr != {network} masquerade
    oifname "{bridge}" ct original ip daddr {balancers} ip saddr {network} masquerade
    oifname "{bridge}" ct original ip daddr {balancers} fib saddr type local masquerade
  }}
  chain guarded {{
    type filter hook forward priority filter; policy accept;
    iifname "{bridge}" ip daddr {pods} ip saddr != {{ {nodes}, {pods} }} \
ct state new ct original ip daddr != {balancers} drop
  }}
  chain balancers {{
{rules}
  }}
}}
"""


async def install(nft: tuple[str, ...], text: str) -> None:
    """Swap the table in."""
    await run(*nft, "-f", "-", feed=text)


async def remove(nft: tuple[str, ...], plan: Plan) -> None:
    """Take the table away, if it is there."""
    try:
        await run(*nft, "delete", "table", "ip", plan.table)
    except CommandFailed as error:
        if "No such file or directory" not in error.message:
            raise
