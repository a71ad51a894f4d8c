"""What the deletion of a cluster says that it waits for."""

from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.waiting import (
    CHARACTERS,
    MACHINES,
    held_machines,
)

DRAIN = "Drain not completed yet:\n* Pod shop/web: cannot evict pod, it would violate a budget"


def a_machine(name: str, message: str, status: str = "True") -> Manifest:
    deleting = {"type": "Deleting", "status": status, "reason": "Draining", "message": message}
    found = {"nodeRef": {"name": f"{name}-node"}, "conditions": [deleting]}
    return {"metadata": {"name": name}, "status": found}


def test_a_machine_that_drains_names_node_pod_and_budget() -> None:
    said = held_machines([a_machine("m1", DRAIN)])
    assert said == (
        "machine m1 (node m1-node): Drain not completed yet: "
        "* Pod shop/web: cannot evict pod, it would violate a budget"
    )


def test_machines_that_are_not_deleted_say_nothing() -> None:
    assert held_machines([a_machine("m1", "", "False"), {"metadata": {"name": "m2"}}]) == ""


def test_what_tenants_name_is_cut_and_machines_are_counted() -> None:
    said = held_machines(a_machine(f"m{i}", "x" * 5000) for i in range(MACHINES + 2))
    assert len(said) < MACHINES * (CHARACTERS + 60) + 60
    assert said.endswith("and 2 more machines")
