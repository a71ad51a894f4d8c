"""What Cluster API is asked for, and what it is believed."""

import re
from typing import Any

import pytest
from tests.unit.operators.hypershift.node_pool.passes import a_pool

from hypershift.api import NodePool, read
from hypershift.kit import InvalidSpec
from hypershift.operators.hypershift.node_pool.machines import readiness
from hypershift.operators.hypershift.node_pool.rules import machine_deployment as machines
from hypershift.operators.hypershift.node_pool.rules.health_check import MAX_UNHEALTHY, Overrides

LIMIT = "hypershift.openshift.io/machine-health-check-max-unhealthy"


def wanted(pool: NodePool) -> machines.Wanted:
    template = {"apiVersion": "g/v1", "kind": "OpenStackMachineTemplate", "metadata": {"name": "t"}}
    return machines.Wanted(
        pool, "plane", "demo", "demo-x", "4.18.0", "user-data", "hash", template, "nova"
    )


def test_only_machines_that_are_replaced_are_put_somewhere() -> None:
    pool = read(NodePool, a_pool())
    replaced = machines.machine_deployment(wanted(pool), from_zero=False)
    assert replaced["spec"]["template"]["spec"]["failureDomain"] == "nova"
    kept = machines.machine_set(wanted(pool), from_zero=False)
    assert "failureDomain" not in kept["spec"]["template"]["spec"]


def in_place(asked: Any) -> NodePool:
    management = {"upgradeType": "InPlace", "inPlace": {"maxUnavailable": asked}}
    return read(NodePool, a_pool(management=management, replicas=7))


@pytest.mark.parametrize(
    ("asked", "amount"), [(None, 1), (0, 1), (3, 3), ("50%", 3), ("+10%", 1), ("0%", 1)]
)
def test_nodes_are_upgraded_in_portions(asked: Any, amount: int) -> None:
    assert machines.max_unavailable(in_place(asked)) == amount


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("2", "invalid type: string is not a percentage"),
        ("x%", 'invalid value "x%": strconv.Atoi: parsing "x": invalid syntax'),
    ],
)
def test_a_portion_that_is_none_is_refused(asked: str, why: str) -> None:
    with pytest.raises(InvalidSpec, match=re.escape(f"invalid value for IntOrString: {why}")):
        machines.max_unavailable(in_place(asked))


@pytest.mark.parametrize(
    ("asked", "amount"),
    [("40%", "40%"), ("+5", 5), ("-1", -1), ("-5%", "-5%"), ("half", MAX_UNHEALTHY), ("", 2)],
)
def test_annotations_change_how_many_may_be_unhealthy(asked: str, amount: int | str) -> None:
    assert Overrides({LIMIT: asked}, None).amount(LIMIT) == amount


def test_the_ready_condition_is_taken_over_as_it_is() -> None:
    def told(**condition: str) -> tuple[str, str, str]:
        found = readiness({"status": {"conditions": [condition]}})
        assert found is not None
        return found.status, found.reason, found.message

    assert told(type="Ready", status="True", reason="Fine", message="all") == (
        "True",
        "Fine",
        "all",
    )
    assert told(type="Available", status="True", reason="Available") == ("True", "AsExpected", "")
    assert told(type="Ready", status="Unknown") == ("Unknown", "AsExpected", "")
