"""Instances of the test cloud really boot: machines of this host with what AWS says of them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any

import pytest
from tests.cloud.aws.booter import Booter, Ground, booting
from tests.cloud.aws.server import Cloud, cloud
from tests.e2e import machines

from hypershift.ignition import Config, Storage, encode, file
from hypershift.local.machine import Machine, State, sweep

pytestmark = [pytest.mark.e2e]

DATA = encode(Config(storage=Storage(files=(file("/etc/greeting", "from AWS\n"),))))


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    """A bridge for the test, and the proof that machines of instances left nothing behind."""
    machines.needs_root()
    tree = machines.machine_os(tmp_path / "trees")
    place = tmp_path / "machines"
    with machines.bridge():
        try:
            network, router = str(machines.NETWORK), str(machines.GATEWAY)
            yield Ground(
                machines.BRIDGE,
                machines.SCOPE,
                IPv4Network(network),
                IPv4Address(router),
                tree,
                place,
            )
        finally:
            sweep(machines.SCOPE)
    assert not any(machines.traces(place).values()), machines.traces(place)


@dataclass
class Account:
    """An AWS with one subnet, and the booter that follows it."""

    aws: Cloud
    subnet: str
    booter: Booter

    async def ask(self, operation: str, **request: Any) -> dict[str, Any]:
        """A call of EC2, which this process answers itself."""
        found: dict[str, Any] = await asyncio.to_thread(
            getattr(self.aws.client("ec2"), operation), **request
        )
        return found

    async def start(self) -> dict[str, Any]:
        image = (await self.ask("describe_images"))["Images"][0]["ImageId"]
        asked = {"ImageId": image, "MinCount": 1, "MaxCount": 1, "SubnetId": self.subnet}
        made = await self.ask("run_instances", UserData=DATA.decode(), **asked)
        found: dict[str, Any] = made["Instances"][0]
        return found

    async def state(self, name: str) -> str:
        found = await self.ask("describe_instances", InstanceIds=[name])
        return str(found["Reservations"][0]["Instances"][0]["State"]["Name"])

    async def machine(self, name: str) -> Machine:
        """The machine of an instance, once it runs."""
        await until(lambda: name in self.booter.known)
        found = self.booter.known[name]
        assert isinstance(found, Machine)
        await until(lambda: found.status().state is State.RUNNING)
        return found


@pytest.fixture
async def account(ground: Ground) -> AsyncIterator[Account]:
    with cloud() as aws:
        ec2 = aws.client("ec2")
        vpc = ec2.create_vpc(CidrBlock=str(ground.vpc))["Vpc"]["VpcId"]
        wanted = {"VpcId": vpc, "CidrBlock": "10.250.76.128/25", "AvailabilityZone": "us-east-1b"}
        subnet = ec2.create_subnet(**wanted)["Subnet"]["SubnetId"]
        async with booting(aws, ground) as booter:
            yield Account(aws, subnet, booter)


async def until(check: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, f"not true after {seconds} s"
        await asyncio.sleep(0.2)


async def test_an_instance_boots_as_a_machine_and_dies_with_it(account: Account) -> None:
    instance = await account.start()
    name, address = instance["InstanceId"], instance["PrivateIpAddress"]
    machine = await account.machine(name)
    assert await machine.exec("cat", "/etc/greeting") == (0, "from AWS\n")
    assert await machine.exec("hostname") == (0, f"{instance['PrivateDnsName']}\n")
    assert f" {address}/24 " in (await machine.exec("ip", "-4", "address", "show"))[1]
    facts = (await machine.exec("cat", "/run/metadata/machine"))[1].splitlines()
    assert f"MACHINE_PROVIDER_ID=aws:///us-east-1b/{name}" in facts
    assert (await machine.exec("ping", "-c", "1", str(machines.GATEWAY)))[0] == 0

    await machine.exec("touch", "/var/kept")
    await machine.kill()
    for _ in range(200):
        if (await account.state(name)) == "stopped" and not machine.status().fell:
            break
        await asyncio.sleep(0.5)
    assert (await account.state(name), machine.status().state) == ("stopped", State.STOPPED)
    await account.ask("start_instances", InstanceIds=[name])
    again = await account.machine(name)
    assert await again.exec("ls", "/var/kept") == (0, "/var/kept\n")

    await account.ask("terminate_instances", InstanceIds=[name])
    await until(lambda: account.booter.known == {})
    await until(lambda: not again.spec.directory.exists())


async def test_machines_go_with_the_cloud(account: Account) -> None:
    """Those of instances that still run, too: the fixture looks for what is left."""
    first, second = await account.start(), await account.start()
    for instance in (first, second):
        assert (await account.machine(instance["InstanceId"])).pids()
