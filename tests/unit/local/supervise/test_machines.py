import asyncio
from pathlib import Path

import pytest

from hypershift.kit import UsageError
from hypershift.local.cluster import state
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.machine import (
    Attachment,
    Machine,
    MachineSpec,
    Metadata,
    State,
)
from hypershift.local.supervise.journal import Journal
from hypershift.local.supervise.machines import Machines, hosted


def a_machine(where: Layout, name: str, directory: Path, zone: str = "zone-a") -> Machine:
    machine = Machine(
        MachineSpec(
            name=name,
            scope="test-machines",
            os_tree=Path("/nowhere"),
            directory=directory,
            network=Attachment(bridge="none", address="10.80.0.10/19"),
            metadata=Metadata(hostname=name, zone=zone),
        )
    )
    machine.create(b"{}")
    assert where.root in directory.parents
    return machine


@pytest.fixture
def machines(tmp_path: Path) -> Machines:
    where = Layout(tmp_path / "a", "a")
    where.make()
    spec = Spec("a", 0, nodes=2)
    state.save(where, spec)
    for name in ("a-node-0", "a-node-1"):
        a_machine(where, name, where.machines / name)
    a_machine(where, "ns.worker", where.hosted / "ns.worker", "zone-b")
    return Machines(where, spec, Journal(where.events), lambda: None)


async def adopted(machines: Machines) -> None:
    """Keepers for all, without letting any of them run."""
    async with asyncio.TaskGroup() as tasks:
        machines.adopt(tasks)
        for keeper in machines.keepers.values():
            keeper.on.clear()
        for task in tuple(tasks._tasks):  # noqa: SLF001 - end them before their first step
            task.cancel()


async def test_machines_that_were_made_are_taken_care_of(machines: Machines) -> None:
    await adopted(machines)
    assert sorted(machines.keepers) == ["a-node-0", "a-node-1"]
    assert machines.dead == {"a-node-0", "a-node-1"}


async def test_a_machine_that_was_switched_off_stays_off(machines: Machines) -> None:
    await adopted(machines)
    await machines.power_off(["a-node-1"])
    spec = state.load(machines.where)
    assert spec is not None
    assert spec.powered_off == ("a-node-1",)
    again = Machines(machines.where, spec, machines.journal, lambda: None)
    async with asyncio.TaskGroup() as tasks:
        again.adopt(tasks)
        switched = {name: keeper.on.is_set() for name, keeper in again.keepers.items()}
        for task in tuple(tasks._tasks):  # noqa: SLF001 - end them before their first step
            task.cancel()
    assert switched == {"a-node-0": True, "a-node-1": False}


async def test_a_wrong_name_changes_nothing(machines: Machines) -> None:
    await adopted(machines)
    with pytest.raises(UsageError, match=r"ns\.worker"):
        await machines.power_off(["a-node-1", "nobody"])
    spec = state.load(machines.where)
    assert spec is not None
    assert spec.powered_off == ()


async def test_machines_of_hosted_clusters_are_shown_beside_the_nodes(machines: Machines) -> None:
    await adopted(machines)
    shown = {each["name"]: each for each in machines.describe(0.0)}
    assert set(shown) == {"a-node-0", "a-node-1", "ns.worker"}
    assert shown["ns.worker"]["zone"] == "zone-b"
    assert shown["ns.worker"]["state"] == State.STOPPED
    assert set(hosted(machines.where)) == {"ns.worker"}
