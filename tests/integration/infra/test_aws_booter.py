"""The booter keeps one machine for each living instance of the test cloud, and none beside."""

import asyncio
import base64
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any

import pytest
from tests.cloud.aws.booter import Booter, Ground
from tests.cloud.aws.server import Cloud

from hypershift.kit import Secret, TransientError
from hypershift.local.machine import MachineSpec, State, Status

pytestmark = pytest.mark.integration

DATA = '{"ignition": {"version": "3.2.0"}}'


@dataclass
class Box:
    """A machine without a host: what it was told, and whether it has power."""

    spec: MachineSpec
    data: bytes = b""
    seen: Status = field(default_factory=lambda: Status(State.ABSENT))
    boots: int = 0
    broken: bool = False

    def create(self, user_data: Secret[bytes]) -> None:
        self.data, self.seen = user_data.reveal(), Status(State.STOPPED)

    async def boot(self) -> None:
        self.boots += 1
        if self.broken:
            raise TransientError("no power")
        self.seen = Status(State.RUNNING)

    async def shutdown(self, grace: float) -> None:
        assert grace
        self.seen = Status(State.STOPPED)

    async def destroy(self) -> None:
        self.seen = Status(State.ABSENT)

    def status(self) -> Status:
        return self.seen

    def fall(self) -> None:
        self.seen = Status(State.STOPPED, fell=True)


class Room:
    """A test cloud with one subnet, and the boxes that its booter made."""

    def __init__(self, aws: Cloud, place: Path) -> None:
        self.ec2 = aws.client("ec2")
        vpc = self.ec2.create_vpc(CidrBlock="10.77.0.0/16")["Vpc"]["VpcId"]
        wanted = {"VpcId": vpc, "CidrBlock": "10.77.128.0/20", "AvailabilityZone": "us-east-1b"}
        self.subnet = self.ec2.create_subnet(**wanted)["Subnet"]["SubnetId"]
        self.made: list[Box] = []
        network, resolver = IPv4Network("10.77.0.0/16"), IPv4Address("10.80.0.1")
        ground = Ground("bridge0", "aws0", network, resolver, place / "os", place / "machines")
        self.booter = Booter(aws, ground, self._make)

    def _make(self, spec: MachineSpec) -> Box:
        self.made.append(Box(spec))
        return self.made[-1]

    def start(self) -> dict[str, Any]:
        image = self.ec2.describe_images()["Images"][0]["ImageId"]
        asked = {"ImageId": image, "MinCount": 1, "MaxCount": 1, "SubnetId": self.subnet}
        found: dict[str, Any] = self.ec2.run_instances(UserData=DATA, **asked)["Instances"][0]
        return found

    def state(self, instance: dict[str, Any]) -> str:
        asked = self.ec2.describe_instances(InstanceIds=[instance["InstanceId"]])
        return str(asked["Reservations"][0]["Instances"][0]["State"]["Name"])

    def look(self) -> None:
        asyncio.run(self.booter.look())


@pytest.fixture
def room(aws: Cloud, tmp_path: Path) -> Room:
    return Room(aws, tmp_path)


def test_an_instance_becomes_a_machine_with_its_name_address_and_user_data(room: Room) -> None:
    instance = room.start()
    room.look()
    room.look()
    [box] = room.made
    assert (box.boots, box.data.decode()) == (1, DATA)
    name, told = instance["InstanceId"], box.spec.metadata
    assert told.provider_id == f"aws:///us-east-1b/{name}"
    assert (told.hostname, told.zone, told.region) == (
        instance["PrivateDnsName"],
        "us-east-1b",
        "us-east-1",
    )
    assert box.spec.network.address == f"{instance['PrivateIpAddress']}/16"
    assert (box.spec.network.gateway, box.spec.network.resolvers) == ("10.77.0.1", ("10.80.0.1",))


def test_a_terminated_instance_leaves_no_machine(room: Room) -> None:
    ended, kept = room.start(), room.start()
    room.look()
    room.ec2.terminate_instances(InstanceIds=[ended["InstanceId"]])
    room.look()
    assert set(room.booter.known) == {kept["InstanceId"]}
    by_name = {box.spec.name: box.seen.state for box in room.made}
    assert by_name == {ended["InstanceId"]: State.ABSENT, kept["InstanceId"]: State.RUNNING}


def test_a_stopped_instance_keeps_its_machine_and_starts_it_again(room: Room) -> None:
    name = room.start()["InstanceId"]
    room.look()
    room.ec2.stop_instances(InstanceIds=[name])
    room.look()
    [box] = room.made
    assert box.seen.state is State.STOPPED
    room.ec2.start_instances(InstanceIds=[name])
    room.look()
    assert (len(room.made), box.boots, box.seen.state) == (1, 2, State.RUNNING)


def test_a_machine_that_falls_stops_its_instance_and_is_not_raised(room: Room) -> None:
    instance = room.start()
    room.look()
    [box] = room.made
    box.fall()
    room.look()
    assert room.state(instance) == "stopped"
    room.look()
    assert (box.boots, box.seen) == (1, Status(State.STOPPED))


def test_a_machine_that_does_not_boot_is_tried_again(room: Room) -> None:
    room.start()
    room.look()
    room.start()
    room.made[0].seen, room.made[0].broken = Status(State.STOPPED), True
    with pytest.raises(TransientError, match="no power"):
        room.look()
    room.made[0].broken = False
    room.look()
    assert [box.seen.state for box in room.made] == [State.RUNNING, State.RUNNING]


def test_nothing_is_left_when_the_cloud_is_closed(room: Room) -> None:
    room.start()
    room.start()
    room.look()
    asyncio.run(room.booter.close())
    assert room.booter.known == {}
    assert {box.seen.state for box in room.made} == {State.ABSENT}


def test_user_data_that_was_encoded_twice_is_not_guessed_at(room: Room) -> None:
    encoded = base64.b64encode(DATA.encode()).decode()
    image = room.ec2.describe_images()["Images"][0]["ImageId"]
    asked = {"ImageId": image, "MinCount": 1, "MaxCount": 1, "SubnetId": room.subnet}
    room.ec2.run_instances(UserData=encoded, **asked)
    room.look()
    assert room.made[0].data.decode() == encoded
