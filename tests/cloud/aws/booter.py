"""Instances of the test cloud become machines on this host, and the other way round.

running instance ──> machine with its address, host name, user data and provider id
stopped instance ──> machine without power             machine that fell ──> stopped instance
terminated instance ──> no machine
"""

import asyncio
import base64
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any, Protocol, Self

from botocore.exceptions import BotoCoreError, ClientError
from tests.cloud.aws.server import Cloud

from hypershift.kit import HypershiftError, Secret
from hypershift.local.cluster import state
from hypershift.local.cluster.state import Layout
from hypershift.local.images import prepare
from hypershift.local.machine import (
    Attachment,
    Limits,
    Machine,
    MachineSpec,
    Metadata,
    State,
    Status,
    sweep,
    users,
)

LOOK = 2.0
GRACE = 3.0
#: States of an instance whose machine has no power, and those in which it has one.
STOPPED, LIVING = ("stopping", "stopped"), ("pending", "running")
#: What an m5.large is here: as much as a machine of platform Local.
LIMITS = Limits(cpu=2000, memory=2 * 1024**3)


class Computer(Protocol):
    """What the booter needs of a machine."""

    def create(self, user_data: Secret[bytes]) -> None:
        """Write it down."""

    async def boot(self) -> None:
        """Power on."""

    async def shutdown(self, grace: float) -> None:
        """Power off."""

    async def destroy(self) -> None:
        """Remove every trace."""

    def status(self) -> Status:
        """What can be seen of it."""


@dataclass(frozen=True)
class Ground:
    """Where machines stand: an embedded cluster's bridge, with the VPC's range beside its own."""

    bridge: str
    #: Tells our machines from the embedded cluster's.
    scope: str
    vpc: IPv4Network
    resolver: IPv4Address
    #: What instances boot, whatever their AMI.
    os_tree: Path
    machines: Path
    mtu: int = 1500

    @classmethod
    def beside(cls, where: Layout, vpc: IPv4Network, machines: Path) -> Self:
        """The ground that an embedded cluster has."""
        spec, made = state.load(where), prepare.published(where)
        assert spec is not None
        assert made is not None, "the cluster was never brought up"
        plan = spec.plan
        mtu = int(Path(f"/sys/class/net/{plan.bridge}/mtu").read_text())
        scope = f"aws{spec.index}"
        return cls(plan.bridge, scope, vpc, plan.gateway, Path(made.os_tree), machines, mtu)

    @property
    def gateway(self) -> str:
        """The VPC's router, which is this host."""
        return str(self.vpc[1])


@dataclass
class Booter:
    """One loop between the test cloud and the machines."""

    cloud: Cloud
    ground: Ground
    make: Callable[[MachineSpec], Computer] = Machine
    known: dict[str, Computer] = field(default_factory=dict)

    async def run(self) -> None:
        """Follow the cloud until cancelled."""
        while True:
            try:
                await self.look()
            except (BotoCoreError, ClientError, HypershiftError, OSError) as error:
                sys.stderr.write(f"booter: {error}\n")
            await asyncio.sleep(LOOK)

    async def look(self) -> None:
        """Bring machines to what the instances are."""
        found = await asyncio.to_thread(lambda: {each["InstanceId"]: each for each in self._all()})
        for name in [name for name in self.known if _state(found.get(name)) not in LIVING]:
            await self._end(name, _state(found.get(name)))
        for name, instance in found.items():
            if _state(instance) == "running":
                await self._keep(name, instance)

    async def close(self) -> None:
        """Remove every machine."""
        for name in tuple(self.known):
            await self._end(name, "terminated")

    def _all(self) -> Iterator[dict[str, Any]]:
        pages = self.cloud.client("ec2").get_paginator("describe_instances").paginate()
        for page in pages:
            for reservation in page["Reservations"]:
                yield from reservation["Instances"]

    async def _keep(self, name: str, instance: dict[str, Any]) -> None:
        """Let a running instance have a machine with power; one that fell stops its instance."""
        machine = self.known.get(name)
        if machine is None:
            await self._create(name, instance)
        elif (seen := machine.status()).state is State.STOPPED and not seen.fell:
            await machine.boot()
        elif seen.state is State.STOPPED:
            stop = self.cloud.client("ec2").stop_instances
            await asyncio.to_thread(stop, InstanceIds=[name])

    async def _create(self, name: str, instance: dict[str, Any]) -> None:
        ask = self.cloud.client("ec2").describe_instance_attribute
        told = await asyncio.to_thread(lambda: ask(InstanceId=name, Attribute="userData"))
        data = base64.b64decode(told["UserData"].get("Value", ""))
        machine = self.make(await asyncio.to_thread(self._spec, name, instance))
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
                bridge=ground.bridge,
                address=f"{address}/{ground.vpc.prefixlen}",
                gateway=ground.gateway,
                mtu=ground.mtu,
                resolvers=(str(ground.resolver),),
            ),
            metadata=Metadata(
                hostname=instance["PrivateDnsName"],
                instance_id=name,
                provider_id=f"aws:///{zone}/{name}",
                zone=zone,
                region=zone[:-1],
            ),
            limits=LIMITS,
            ids=users.ids(ground.scope, name, ground.machines) if os.geteuid() == 0 else None,
        )

    async def _end(self, name: str, why: str) -> None:
        """Take the power away, and the machine too unless its instance may be started again."""
        machine = self.known[name]
        if why not in STOPPED:
            del self.known[name]
            await machine.shutdown(GRACE)
            await machine.destroy()
        elif machine.status().state is not State.STOPPED or machine.status().fell:
            await machine.shutdown(GRACE)


@asynccontextmanager
async def booting(cloud: Cloud, ground: Ground) -> AsyncIterator[Booter]:
    """Boot instances as long as the block lasts; nothing of them is left after it."""
    clear(ground)
    booter = Booter(cloud, ground)
    loop = asyncio.create_task(booter.run())
    try:
        yield booter
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        await booter.close()
        clear(ground)


def clear(ground: Ground) -> None:
    """Remove what an earlier test cloud left that was killed."""
    sweep(ground.scope)
    shutil.rmtree(ground.machines, ignore_errors=True)


@contextmanager
def routed(ground: Ground) -> Iterator[None]:
    """Be the VPC's router as long as the block lasts."""
    own = (f"{ground.gateway}/{ground.vpc.prefixlen}", "dev", ground.bridge)
    subprocess.run(("ip", "address", "replace", *own), check=True)
    try:
        yield
    finally:
        # the bridge, and with it the address, may have gone before
        subprocess.run(("ip", "address", "del", *own), check=False, capture_output=True)


def _state(instance: dict[str, Any] | None) -> str:
    return str((instance or {}).get("State", {}).get("Name", ""))
