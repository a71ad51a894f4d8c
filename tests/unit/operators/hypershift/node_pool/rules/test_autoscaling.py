"""The number of machines between what a user says and what the autoscaler does."""

import pytest

from hypershift.api import NodePool, read
from hypershift.kit import Manifest
from hypershift.operators.hypershift.node_pool.rules.autoscaling import UNWANTED, replicas


def a_pool(low: int = 0, high: int = 3) -> NodePool:
    return read(NodePool, {"spec": {"autoScaling": {"min": low, "max": high}}})


def a_machine(*, unwanted: bool = False, going: bool = False) -> Manifest:
    annotations = {UNWANTED: "yesterday"} if unwanted else {}
    end = {"deletionTimestamp": "2026-01-01T00:00:00Z"} if going else {}
    return {"metadata": {"name": "one", "annotations": annotations} | end}


def test_a_user_says_how_many() -> None:
    assert replicas(read(NodePool, {"spec": {"replicas": 4}}), 2, (), from_zero=True) == 4
    assert replicas(read(NodePool, {"spec": {}}), 2, (), from_zero=True) == 0


@pytest.mark.parametrize(
    ("current", "wanted"), [(None, 1), (0, 1), (1, 1), (2, None), (3, None), (4, 3)]
)
def test_the_autoscaler_decides_between_the_limits(current: int | None, wanted: int | None) -> None:
    machines = [a_machine() for _ in range(current or 0)]
    assert replicas(a_pool(low=1), current, machines, from_zero=True) == wanted


def test_the_last_machine_goes_when_the_autoscaler_wants_none() -> None:
    last = [a_machine(unwanted=True, going=True), a_machine(unwanted=True)]
    assert replicas(a_pool(), 1, last, from_zero=True) == 0


@pytest.mark.parametrize(
    ("current", "machines"),
    [
        (2, [a_machine(unwanted=True), a_machine()]),
        (1, [a_machine(unwanted=True, going=True), a_machine()]),
        # the autoscaler has asked for one more, which is not there yet
        (2, [a_machine(unwanted=True)]),
        (1, []),
    ],
)
def test_machines_that_are_wanted_stay(current: int, machines: list[Manifest]) -> None:
    assert replicas(a_pool(), current, machines, from_zero=True) is None


def test_a_pool_that_may_not_be_empty_keeps_its_machines() -> None:
    unwanted = [a_machine(unwanted=True), a_machine(unwanted=True)]
    assert replicas(a_pool(low=1), 2, unwanted, from_zero=True) is None
    assert replicas(a_pool(), 2, unwanted, from_zero=False) is None
