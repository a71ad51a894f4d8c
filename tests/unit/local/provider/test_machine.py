from typing import Any

import pytest
from tests.unit.local.provider.world import (
    KEY,
    a_cluster,
    a_local_machine,
    a_machine,
    a_secret,
    a_world,
)

from hypershift.kit import Key
from hypershift.kube import kinds
from hypershift.local.machine import Limits, State
from hypershift.local.provider import names
from hypershift.local.provider.machine import LOOK, served_by


async def test_a_machine_with_owner_and_user_data_is_made_booted_and_told() -> None:
    world = a_world()
    report = await world.go()
    assert not report.errors
    (order,) = world.fleet.orders
    assert (order.cluster, order.limits) == ("demo", Limits(cpu=1000, memory=1 << 30))
    assert world.machine.done == ["boot"]
    assert world.status["initialization"] == {"provisioned": True}
    assert world.status["ready"] is True
    assert {"type": "InternalIP", "address": "10.0.16.9"} in world.status["addresses"]
    assert world.status["failureDomain"] == "a"
    found = await world.kube.get(kinds.LOCAL_MACHINE, KEY.name, KEY.namespace)
    assert found["spec"]["providerID"] == "local://demo/worker-1"
    assert report.after == LOOK


async def test_a_second_pass_writes_nothing() -> None:
    world = a_world()
    await world.go()
    world.kube.writes.clear()
    before = dict(world.status)
    await world.go()
    assert world.kube.writes == []
    assert world.status == before
    assert world.machine.done == ["boot"]


@pytest.mark.parametrize(
    ("objects", "reason"),
    [
        ((a_machine(bootstrap={}),), "WaitingForBootstrapData"),
        ((a_cluster() | {"status": {}},), "WaitingForClusterInfrastructure"),
        ((a_machine(clusterName="other"),), "WaitingForCluster"),
    ],
)
async def test_nothing_is_made_before_everything_is_there(
    objects: tuple[dict[str, Any], ...], reason: str
) -> None:
    world = a_world(*objects)
    await world.go()
    assert world.reason == reason
    assert world.fleet.orders == []
    assert world.status["ready"] is False


async def test_a_machine_without_owner_waits_for_it() -> None:
    orphan = a_local_machine()
    orphan["metadata"].pop("ownerReferences")
    world = a_world(orphan)
    await world.go()
    assert world.reason == "WaitingForOwner"


@pytest.mark.parametrize("paused", ["cluster", "machine"])
async def test_nothing_is_done_while_paused(paused: str) -> None:
    world = a_world(a_cluster(paused=True))
    if paused == "machine":
        manifest = a_local_machine()
        manifest["metadata"]["annotations"][names.PAUSED] = ""
        world = a_world(manifest)
    await world.go()
    assert world.fleet.orders == []
    assert world.kube.writes == []


async def test_a_user_data_secret_without_its_key_is_a_sentence_without_contents() -> None:
    broken = a_secret() | {"data": {"other": "c2VjcmV0"}}
    report = await a_world(broken).go()
    assert "has no key 'value'" in report.message
    assert "secret" not in report.message.replace("Secret clusters-demo/user-data", "")


async def test_the_owners_failure_domain_is_passed_on_after_the_machines_own_zone() -> None:
    manifest = a_local_machine()
    manifest["spec"]["zone"] = "b"
    world = a_world(manifest, a_machine(failureDomain="c"))
    await world.go()
    assert world.fleet.orders[0].zones == ("b", "c")


async def test_a_machine_that_fell_is_told_and_stays_down() -> None:
    world = a_world()
    await world.go()
    world.machine.state, world.machine.fell = State.STOPPED, True
    await world.go()
    await world.go()
    assert len(world.events.warnings) == 1
    assert world.reason == "MachineFell"
    assert world.status["ready"] is False
    assert world.status["initialization"] == {"provisioned": True}
    assert world.machine.done == ["boot"]


async def test_a_boot_that_failed_says_why() -> None:
    world = a_world()
    await world.go()
    world.machine.state, world.machine.fell = State.STOPPED, True
    world.machine.failure = "failed: ignition config at $.storage: unknown field raid"
    await world.go()
    assert world.reason == "BootFailed"
    assert "raid" in world.status["conditions"][0]["message"]


async def test_a_machine_that_was_shut_down_with_the_cluster_comes_back() -> None:
    world = a_world()
    await world.go()
    await world.machine.shutdown(1)
    await world.go()
    assert world.machine.done == ["boot", "shutdown", "boot"]


async def test_a_reboot_is_done_once_for_each_request_also_after_a_fall() -> None:
    world = a_world()
    await world.go()
    world.machine.state, world.machine.fell = State.STOPPED, True
    await world.kube.patch(
        kinds.LOCAL_MACHINE,
        KEY.name,
        {"metadata": {"annotations": {names.REBOOT: "1"}}},
        KEY.namespace,
    )
    await world.go()
    await world.go()
    assert world.machine.done == ["boot", "boot"]
    assert world.status["ready"] is True
    found = await world.kube.get(kinds.LOCAL_MACHINE, KEY.name, KEY.namespace)
    assert found["metadata"]["annotations"][names.REBOOTED] == "1"


@pytest.mark.parametrize(
    ("power", "done", "reason"),
    [
        ("Off", ["boot", "shutdown"], "PoweredOff"),
        ("Paused", ["boot", "pause"], "Paused"),
        ("Sideways", ["boot"], "UnknownPower"),
    ],
)
async def test_the_power_is_switched_as_asked(power: str, done: list[str], reason: str) -> None:
    world = a_world()
    await world.go()
    patch = {"metadata": {"annotations": {names.POWER: power}}}
    await world.kube.patch(kinds.LOCAL_MACHINE, KEY.name, patch, KEY.namespace)
    await world.go()
    await world.go()
    assert world.machine.done == done
    assert world.reason == reason


async def test_a_paused_machine_goes_on_when_switched_on() -> None:
    world = a_world()
    await world.go()
    world.machine.state = State.PAUSED
    await world.go()
    assert world.machine.done == ["boot", "resume"]


async def test_an_upgrade_in_place_happens_once_and_leaves_its_mark() -> None:
    world = a_world()
    await world.go()
    world.kube.put(a_secret("user-data-2", b"new"))
    marks = {
        names.DESIRED_IMAGE: "registry.example/machine-os:2",
        names.DESIRED_USER_DATA: "user-data-2",
    }
    patch = {"metadata": {"annotations": marks}}
    await world.kube.patch(kinds.LOCAL_MACHINE, KEY.name, patch, KEY.namespace)
    await world.go()
    await world.go()
    assert world.fleet.provisions == [("registry.example/machine-os:2", b"new")]
    found = await world.kube.get(kinds.LOCAL_MACHINE, KEY.name, KEY.namespace)
    assert found["metadata"]["annotations"][names.CURRENT_IMAGE] == "registry.example/machine-os:2"
    assert found["metadata"]["annotations"][names.CURRENT_USER_DATA] == "user-data-2"


async def test_a_zone_is_chosen_among_those_of_the_clusters_ground() -> None:
    reference = {"kind": "LocalCluster", "name": "ground"}
    ground = {
        "apiVersion": "infrastructure.local.hypershift.io/v1beta1",
        "kind": "LocalCluster",
        "metadata": {"name": "ground", "namespace": KEY.namespace},
        "status": {"failureDomains": [{"name": "x"}, {"name": "y"}]},
    }
    world = a_world(a_cluster(infrastructureRef=reference), ground)
    await world.go()
    assert world.fleet.orders[0].choice == ("x", "y")


def test_a_machine_wakes_the_local_machine_it_refers_to() -> None:
    assert list(served_by(a_machine())) == [Key("clusters-demo", "worker-1")]
    assert list(served_by(a_machine(infrastructureRef={"kind": "Other", "name": "x"}))) == []
