from datetime import UTC, datetime
from typing import Any

from hypershift.kit import Manifest
from hypershift.local.controllers.nodes import OUT_OF_SERVICE, TAINT, taints, unready
from hypershift.local.controllers.routes import routes

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_node(name: str = "n", *, ready: str = "True", **spec: Any) -> Manifest:
    return {
        "metadata": {"name": name},
        "spec": spec,
        "status": {
            "conditions": [
                {"type": "MemoryPressure", "status": "False"},
                {"type": "Ready", "status": ready, "reason": "KubeletReady"},
            ],
            "addresses": [
                {"type": "Hostname", "address": name},
                {"type": "InternalIP", "address": "10.80.0.10"},
            ],
        },
    }


def test_a_dead_node_is_tainted_once() -> None:
    other = {"key": "other", "effect": "NoSchedule"}
    assert taints(a_node(taints=[other]), dead=True) == [other, TAINT]
    assert taints(a_node(taints=[other, TAINT]), dead=True) is None


def test_a_living_node_loses_the_taint_and_keeps_others() -> None:
    other = {"key": "other", "effect": "NoSchedule"}
    assert taints(a_node(taints=[TAINT, other]), dead=False) == [other]
    assert taints(a_node(), dead=False) is None
    assert TAINT["key"] == OUT_OF_SERVICE


def test_a_dead_node_is_no_longer_ready() -> None:
    conditions = unready(a_node(), NOW)
    assert conditions is not None
    assert {each["type"]: each["status"] for each in conditions} == {
        "MemoryPressure": "False",
        "Ready": "Unknown",
    }
    assert unready(a_node(ready="Unknown"), NOW) is None


def test_each_pod_range_leads_to_its_node() -> None:
    nodes = [a_node(podCIDR="10.80.128.0/23"), a_node("late")]
    assert routes(nodes) == {"10.80.128.0/23": "10.80.0.10"}
