"""Which machines are upgraded in place, and when."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.lib.memory import MemoryClient

from hypershift.kube import kinds
from hypershift.operators.guest_config.in_place import drain
from hypershift.operators.guest_config.in_place.drain import must_leave
from hypershift.operators.guest_config.in_place.rules.plan import (
    Plan,
    Sight,
    State,
    Target,
    plan,
    progress,
    state_of,
)

TARGET = Target("beb349e6", "user-data-workers-beb349e6", "os:2")
OLD = Sight(
    name="m0",
    node="n0",
    current_user_data="user-data-workers-4ed0fc38",
    current_image="os:1",
    desired_user_data="",
    desired_image="",
    cordoned=False,
    draining_for="",
    node_ready=True,
)
NEW: dict[str, Any] = {"current_user_data": TARGET.user_data, "current_image": TARGET.image}
ASKED: dict[str, Any] = {"desired_user_data": TARGET.user_data, "desired_image": TARGET.image}


def machines(count: int) -> list[Sight]:
    return [replace(OLD, name=f"m{at}", node=f"n{at}") for at in range(count)]


def test_the_life_of_an_upgrade() -> None:
    draining = replace(OLD, cordoned=True, draining_for=TARGET.config_hash)
    booting = replace(draining, **ASKED, node_ready=False)
    returning = replace(booting, **NEW, node_ready=True)
    done = replace(returning, cordoned=False, draining_for="")
    states = [state_of(one, TARGET) for one in (OLD, draining, booting, returning, done)]
    assert states == [State.WAITING, State.DRAINING, State.BOOTING, State.RETURNING, State.DONE]


def test_a_node_that_only_seems_ready_from_before_its_reboot_is_not_back() -> None:
    booting = replace(OLD, cordoned=True, draining_for="x", **ASKED, **NEW, rebooted=False)
    assert state_of(booting, TARGET) is State.BOOTING
    assert plan([booting, replace(OLD, name="m1")], TARGET, 1).drain == ()


async def test_a_node_is_back_once_it_has_another_boot_than_it_left_from() -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n0"},
        "status": {"nodeInfo": {"bootID": "first"}},
    }
    guest = MemoryClient(node)
    assert drain.rebooted(node)
    await drain.note_boot(guest, "n0", "first")
    away = await guest.get(kinds.NODE, "n0")
    assert not drain.rebooted(away)
    back = away | {"status": {"nodeInfo": {"bootID": "second"}}}
    assert drain.rebooted(back)
    guest.put(back)
    await drain.uncordon(guest, "n0")
    assert drain.LEFT not in (await guest.get(kinds.NODE, "n0"))["metadata"]["annotations"]


def test_a_node_that_an_admin_cordoned_is_done_nevertheless() -> None:
    assert state_of(replace(OLD, **NEW, cordoned=True), TARGET) is State.DONE


def test_as_many_are_taken_up_as_may_be_away() -> None:
    assert plan(machines(4), TARGET, 1).drain == ("m0",)
    assert plan(machines(4), TARGET, 3).drain == ("m0", "m1", "m2")


def test_one_that_is_away_takes_the_place_of_another() -> None:
    seen = machines(3)
    seen[1] = replace(seen[1], cordoned=True, draining_for="x", **ASKED, node_ready=False)
    assert plan(seen, TARGET, 1).drain == ()


def test_a_failed_machine_stops_the_rest() -> None:
    seen = machines(3)
    seen[0] = replace(seen[0], **ASKED, node_ready=False, failure="BootFailed: boom")
    todo = plan(seen, TARGET, 3)
    assert todo.failed == ("m0",)
    assert todo.drain == ()


def test_all_done_is_complete() -> None:
    seen = [replace(one, **NEW) for one in machines(2)]
    assert plan(seen, TARGET, 1) == Plan(done=("m0", "m1"), complete=True)
    assert plan([], TARGET, 1).complete


SIGHTS = st.lists(
    st.builds(
        Sight,
        name=st.uuids().map(str),
        node=st.uuids().map(str),
        current_user_data=st.sampled_from(["old", TARGET.user_data]),
        current_image=st.sampled_from(["os:1", TARGET.image]),
        desired_user_data=st.sampled_from(["", TARGET.user_data]),
        desired_image=st.sampled_from(["", TARGET.image]),
        cordoned=st.booleans(),
        draining_for=st.sampled_from(["", TARGET.config_hash]),
        node_ready=st.booleans(),
        rebooted=st.booleans(),
        failure=st.sampled_from(["", "BootFailed: boom"]),
    ),
    max_size=8,
)


@given(SIGHTS, st.integers(1, 5))
def test_a_pass_never_takes_up_more_than_may_be_away(seen: list[Sight], most: int) -> None:
    away = (State.DRAINING, State.BOOTING, State.RETURNING, State.FAILED)
    before = sum(state_of(one, TARGET) in away for one in seen)
    fresh = [
        name
        for name in plan(seen, TARGET, most).drain
        if state_of(next(one for one in seen if one.name == name), TARGET) is State.WAITING
    ]
    assert not fresh or before + len(fresh) <= most


def test_progress_reads_as_the_original_says_it() -> None:
    wanted = (
        "Nodepool update in progress. Target Config version: beb349e6. Total Nodes: 2. Upgraded: 1"
    )
    assert progress(TARGET, 2, 1) == wanted


def test_pods_of_daemon_sets_static_and_finished_ones_may_stay() -> None:
    assert must_leave({"metadata": {"ownerReferences": [{"kind": "ReplicaSet"}]}})
    assert not must_leave({"metadata": {"ownerReferences": [{"kind": "DaemonSet"}]}})
    assert not must_leave({"metadata": {"annotations": {"kubernetes.io/config.mirror": "x"}}})
    assert not must_leave({"metadata": {"labels": {"cluster.x-k8s.io/drain": "skip"}}})
    assert not must_leave({"metadata": {}, "status": {"phase": "Succeeded"}})
    assert not must_leave({"metadata": {"labels": {"cluster.x-k8s.io/drain": "skip"}}})
    assert must_leave({"metadata": {"labels": {"cluster.x-k8s.io/drain": "wait-completed"}}})
