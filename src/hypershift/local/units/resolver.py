"""The resolver on the bridge: machines and CoreDNS ask it, and it asks whom the host asks."""

from collections.abc import Iterable
from pathlib import Path
from textwrap import dedent

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units.unit import Probe, Unit

NAME = "resolver"
REGISTRY_HOST = "registry.hypershift.local"
DOMAIN = "hypershift.local"
#: Below it hosted clusters have their names.
HOSTED_DOMAIN = f"hosted.{DOMAIN}"


def unit(where: Layout, plan: Plan, binary: Path) -> Unit:
    """CoreDNS with our names in a hosts file that it rereads."""
    probe = Probe(str(plan.gateway), 8181, "/ready", tls=False)
    argv = (str(binary), "-conf", str(where.config / "resolver.conf"))
    return Unit(NAME, argv, (), probe, {"GOGC": "50"}, quiet=True)


def configuration(where: Layout, plan: Plan, upstreams: Iterable[str]) -> str:
    """The Corefile: our own domain from the hosts file, everything else forwarded."""
    servers = " ".join(upstreams)
    forward = f"forward . {servers} {{\n    max_concurrent 500\n}}" if servers else ""
    return dedent("""\
        .:53 {
            bind %s
            errors
            ready %s:8181
            hosts %s %s {
                ttl 5
                reload 2s
                fallthrough
            }
            %s
            cache 30
        }
        """) % (
        f"{plan.gateway} {plan.gateway_v6}" if plan.ipv6 else plan.gateway,
        plan.gateway,
        where.config / "hosts",
        DOMAIN,
        forward,
    )


def hosts(plan: Plan, names: dict[str, str] | None = None) -> str:
    """The hosts file: the registry, and what controllers add."""
    entries = {REGISTRY_HOST: str(plan.gateway), **(names or {})}
    return "".join(f"{address} {name}\n" for name, address in sorted(entries.items()))


def upstreams(resolv_conf: str) -> tuple[str, ...]:
    """The name servers of the host's own resolv.conf."""
    words = (line.split() for line in resolv_conf.splitlines())
    return tuple(line[1] for line in words if len(line) > 1 and line[0] == "nameserver")
