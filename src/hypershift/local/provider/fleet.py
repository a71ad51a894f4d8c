"""The machines of hosted clusters on this host: the one module of the provider that acts on it."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from hypershift.kit import HypershiftError, Key, Secret
from hypershift.local.machine import (
    Attachment,
    Limits,
    Machine,
    MachineSpec,
    Metadata,
    rootfs,
    users,
)
from hypershift.local.provider import placement
from hypershift.local.provider.settings import Settings

#: Binds machines to their ports of the bridge.
Guard = Callable[[], Awaitable[None]]


async def unguarded() -> None:
    """The guard of a bridge that has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A machine to be made."""

    key: Key
    cluster: str
    image: str
    user_data: Secret[bytes]
    limits: Limits
    #: Zones that were asked for, most important first.
    zones: tuple[str | None, ...] = ()
    #: Zones to choose from otherwise.
    choice: tuple[str, ...] = ()


class Addresses(NamedTuple):
    """What a machine is reached by."""

    ipv4: str
    #: Empty where the host has no IPv6.
    ipv6: str = ""


def addresses_of(spec: MachineSpec) -> Addresses:
    """The addresses of a machine, without their prefixes."""
    network = spec.network
    return Addresses(network.address.partition("/")[0], network.address_v6.partition("/")[0])


@dataclass(slots=True)
class Fleet:
    """Finds, creates and removes machines; each is a directory with everything about it."""

    settings: Settings
    #: Called when a machine is written down and not yet switched on.
    guard: Guard = unguarded
    #: Held while an image or an address is chosen and not yet written down with its machine.
    _choosing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def find(self, key: Key) -> Machine | None:
        """The machine of a LocalMachine."""
        return _load(self._place(key))

    def all(self) -> Iterator[Machine]:
        """Every machine there is."""
        if self.settings.machines.is_dir():
            for place in sorted(self.settings.machines.iterdir()):
                if (machine := _load(place)) is not None:
                    yield machine

    def addresses(self, namespace: str) -> dict[str, Addresses]:
        """The addresses of a hosted cluster's machines, by the names of their nodes."""
        return {
            machine.spec.metadata.hostname: addresses_of(machine.spec)
            for machine in self.all()
            if machine.spec.name.startswith(f"{namespace}.")
        }

    async def make(self, order: Order) -> Machine:
        """Create a machine's directory: image fetched, address and zone chosen, not switched on."""
        async with self._choosing:
            tree = await self._tree(order.image)
            machine = await asyncio.to_thread(self._new, order, tree)
            await asyncio.to_thread(machine.create, order.user_data)
        await self.guard()
        return machine

    async def reprovision(self, machine: Machine, image: str, user_data: Secret[bytes]) -> None:
        """Boot a machine from another image and configuration, on its disk."""
        async with self._choosing:
            tree = await self._tree(image)
            await machine.shutdown(self.settings.grace)
            await asyncio.to_thread(machine.reprovision, tree, user_data)
        await machine.boot()

    async def remove(self, key: Key) -> None:
        """Shut a machine down and remove every trace of it."""
        if (machine := self.find(key)) is not None:
            await machine.shutdown(self.settings.grace)
            await machine.destroy()

    async def prune(self, machines: Iterable[Machine], wanted: Collection[Key]) -> tuple[str, ...]:
        """Destroy machines without an object, and images that no machine boots from.

        The caller reads the machines before the objects, so a machine that is created in between is
        not among them.
        """
        names = {name_of(key) for key in wanted}
        orphans = [machine for machine in machines if machine.spec.directory.name not in names]
        for machine in orphans:
            await machine.destroy()
        async with self._choosing:
            used = [machine.spec.os_tree for machine in self.all()]
            await asyncio.to_thread(rootfs.prune, self.settings.trees, used)
        return tuple(machine.spec.name for machine in orphans)

    async def _tree(self, image: str) -> Path:
        return await rootfs.tree_from_registry(image, self.settings.trees, self.settings.mirrors)

    def _place(self, key: Key) -> Path:
        return self.settings.machines / name_of(key)

    def _new(self, order: Order, tree: Path) -> Machine:
        settings, others = self.settings, list(self.all())
        taken = {machine.spec.ids for machine in others}
        ids = users.ids(settings.scope, name_of(order.key), settings.machines, taken)
        return Machine(replace(self._spec(order, tree, others), ids=ids))

    def _spec(self, order: Order, tree: Path, others: list[Machine]) -> MachineSpec:
        settings = self.settings
        taken = {machine.spec.network.address.partition("/")[0] for machine in others}
        peers = [
            one.spec.metadata
            for one in others
            if one.spec.metadata.provider_id.startswith(f"local://{order.cluster}/")
        ]
        zone = placement.zone(order.zones, order.choice, (peer.zone for peer in peers))
        address = placement.address(name_of(order.key), settings.pool, taken)
        return MachineSpec(
            name=name_of(order.key),
            scope=settings.scope,
            os_tree=tree,
            directory=self._place(order.key),
            network=Attachment(
                bridge=settings.bridge,
                address=f"{address}/{settings.network.prefixlen}",
                gateway=settings.gateway,
                address_v6=placement.address_v6(address, settings.network_v6),
                gateway_v6=settings.gateway_v6,
                mtu=settings.mtu,
                resolvers=settings.resolvers,
                resolvers_v6=settings.resolvers_v6,
            ),
            metadata=Metadata(
                hostname=placement.hostname(order.key.name),
                instance_id=instance_id(order.key),
                provider_id=provider_id(order.cluster, order.key.name),
                zone=zone,
                region=settings.region,
            ),
            limits=order.limits,
        )


def name_of(key: Key) -> str:
    """A machine's name on the host: hosted clusters may have machines of the same name."""
    return f"{key.namespace}.{key.name}"


def provider_id(cluster: str, name: str) -> str:
    """The identity that joins LocalMachine, Machine and Node."""
    return f"local://{cluster}/{name}"


def instance_id(key: Key) -> str:
    """What a cloud would call the instance."""
    return f"i-{hashlib.sha256(str(key).encode()).hexdigest()[:17]}"


def _load(place: Path) -> Machine | None:
    with suppress(OSError, ValueError, HypershiftError):
        return Machine.load(place)
    return None
