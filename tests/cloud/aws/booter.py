"""Instances of the test cloud become machines on this host, and the other way round.

running instance ──> machine with its address, host name, user data and provider id
stopped or terminated instance ──> no machine          machine that fell ──> stopped instance
"""

import asyncio
import base64
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

from tests.cloud.aws.server import Cloud

from hypershift.kit import HypershiftError, Secret
from hypershift.local.cluster import state
from hypershift.local.cluster.state import Layout
from hypershift.local.images import prepare
from hypershift.local.machine import Attachment, Limits, Machine, MachineSpec, Metadata, State
from hypershift.local.network.command import run

LOOK = 2.0
GRACE = 3.0
LIVING = ("pending", "running")
#: What an m5.large is here: as much as a machine of platform Local.
LIMITS = Limits(cpu=2000, memory=2 * 1024**3)


@dataclass(frozen=True)
class Ground:
    """Where machines stand: an embedded cluster's bridge, with the VPC's range beside its own."""

    where: Layout
    vpc: IPv4Network
    machines: Path

    @property
    def gateway(self) -> str:
        """The VPC's router, which is this host."""
        return str(self.vpc[1])

    @property
    def scope(self) -> str:
        """Tells our machines from the embedded cluster's."""
        return f"aws{self.spec.index}"

    @property
    def spec(self) -> state.Spec:
        found = state.load(self.where)
        assert found is not None
        return found

    @property
    def os_tree(self) -> Path:
        """What instances boot, whatever their AMI."""
        made = prepare.published(self.where)
        assert made is not None
        return Path(made.os_tree)


@dataclass
class Booter:
    """One loop between the test cloud and the machines."""

    cloud: Cloud
    ground: Ground
    known: dict[str, Machine] = field(default_factory=dict)

    async def run(self) -> None:
        """Follow the cloud until cancelled."""
        while True:
            with suppress(HypershiftError, OSError):
                await self.look()
            await asyncio.sleep(LOOK)

    async def look(self) -> None:
        """Bring machines to what the instances are."""
        found = await asyncio.to_thread(lambda: {each["InstanceId"]: each for each in self._all()})
        for name in [name for name in self.known if _state(found.get(name)) not in LIVING]:
            await self._remove(name)
        for name, instance in found.items():
            if _state(instance) == "running" and name not in self.known:
                await self._boot(name, instance)
        for name, machine in tuple(self.known.items()):
            if machine.status().state is State.STOPPED:
                stop = self.cloud.client("ec2").stop_instances
                await asyncio.to_thread(stop, InstanceIds=[name])

    async def close(self) -> None:
        """Remove every machine."""
        for name in tuple(self.known):
            await self._remove(name)

    def _all(self) -> Iterator[dict[str, Any]]:
        pages = self.cloud.client("ec2").get_paginator("describe_instances").paginate()
        for page in pages:
            for reservation in page["Reservations"]:
                yield from reservation["Instances"]

    async def _boot(self, name: str, instance: dict[str, Any]) -> None:
        ec2 = self.cloud.client("ec2")
        ask = ec2.describe_instance_attribute
        told = await asyncio.to_thread(lambda: ask(InstanceId=name, Attribute="userData"))
        data = base64.b64decode(told["UserData"].get("Value", ""))
        machine = Machine(self._spec(name, instance))
        await asyncio.to_thread(machine.create, Secret(data))
        self.known[name] = machine
        await machine.boot()

    def _spec(self, name: str, instance: dict[str, Any]) -> MachineSpec:
        ground, zone = self.ground, instance["Placement"]["AvailabilityZone"]
        address = instance["PrivateIpAddress"]
        return MachineSpec(
            name=name,
            scope=ground.scope,
            os_tree=ground.os_tree,
            directory=ground.machines / name,
            network=Attachment(
                bridge=ground.spec.plan.bridge,
                address=f"{address}/{ground.vpc.prefixlen}",
                gateway=ground.gateway,
                resolvers=(str(ground.spec.plan.gateway),),
            ),
            metadata=Metadata(
                hostname=instance["PrivateDnsName"],
                instance_id=name,
                provider_id=f"aws:///{zone}/{name}",
                zone=zone,
                region=zone[:-1],
            ),
            limits=LIMITS,
        )

    async def _remove(self, name: str) -> None:
        machine = self.known.pop(name)
        await machine.shutdown(GRACE)
        await machine.destroy()


@asynccontextmanager
async def booting(cloud: Cloud, ground: Ground) -> AsyncIterator[Booter]:
    """Boot instances as long as the block lasts; nothing of them is left after it."""
    bridge, own = ground.spec.plan.bridge, f"{ground.gateway}/{ground.vpc.prefixlen}"
    await run("ip", "address", "replace", own, "dev", bridge)
    booter = Booter(cloud, ground)
    loop = asyncio.create_task(booter.run())
    try:
        yield booter
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        await booter.close()
        with suppress(HypershiftError):
            await run("ip", "address", "del", own, "dev", bridge)
        shutil.rmtree(ground.machines, ignore_errors=True)


def _state(instance: dict[str, Any] | None) -> str:
    return str((instance or {}).get("State", {}).get("Name", ""))
