"""Keeps the rules of the bridge's ports in step with the machines that there are."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from hypershift.kit import HypershiftError
from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.machine.store import Store
from hypershift.local.network import nat, ports
from hypershift.local.network.ports import MANAGEMENT, Port
from hypershift.local.network.settled import Settled

#: Seconds between two looks: machines that are gone need no rule.
INTERVAL = 60.0


@dataclass(slots=True)
class Guard:
    """The guard of one cluster's bridge; `look` comes before a new machine is switched on."""

    where: Layout
    plan: Plan
    nft: tuple[str, ...]
    _settled: Settled = field(default_factory=Settled)
    _alone: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self) -> None:
        """Bring the rules to the machines that are written down now."""
        async with self._alone:
            found = await asyncio.to_thread(lambda: tuple(sorted(self.ports())))
            rules = ports.ruleset(self.plan, found)
            await self._settled.become(rules, lambda: nat.install(self.nft, rules))

    def ports(self) -> Iterator[Port]:
        """The port of every machine of the cluster, running or not."""
        yield from _ports(self.where.machines, hosted=False)
        yield from _ports(self.where.hosted, hosted=True)


def _ports(directory: Path, *, hosted: bool) -> Iterator[Port]:
    for place in directory.glob("*/spec.json"):
        # A machine that is being removed, or whose file is broken, is not switched on either.
        with suppress(HypershiftError, OSError, ValueError):
            spec = Store(place.parent).spec()
            # Namespaces have no dots: what comes before the first one is whose machine it is.
            tenant = spec.name.partition(".")[0] if hosted else MANAGEMENT
            yield ports.port_of(spec, tenant)
