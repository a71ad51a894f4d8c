"""What many machines say, told as one."""

import re
from typing import Any

import pytest

from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.hypershift.node_pool.rules import machine_state

NETWORKS = ("10.132.0.0/14", "fd01::/48")


def a_machine(*addresses: str, **status: Any) -> Manifest:
    listed = [{"type": "InternalIP", "address": one} for one in addresses]
    return {"metadata": {"name": "m"}, "status": {"addresses": listed, **status}}


@pytest.mark.parametrize(
    ("addresses", "conflict"),
    [
        (("10.133.0.4",), "machine [m] with ip [10.133.0.4] collides with"),
        (("fd01:0:0::7",), "machine [m] with ip [fd01:0:0::7] collides with"),
        (("10.133.0.4", "192.168.0.4"), ""),
        (("10.133.0.4", "169.254.0.2", "224.0.0.5", "ff02::1"), "machine [m] with ip [10.133.0.4]"),
        ((), ""),
    ],
)
def test_a_machine_with_no_address_of_its_own_is_told_as_it_was_written(
    addresses: tuple[str, ...], conflict: str
) -> None:
    found = machine_state.network_conflict([a_machine(*addresses)], NETWORKS)
    assert found.startswith(conflict) if conflict else not found


def test_an_address_that_is_none_is_told_where_it_matters() -> None:
    with pytest.raises(InvalidSpec, match=re.escape('ParseAddr("nowhere"): unable to parse IP')):
        machine_state.network_conflict([a_machine("nowhere")], NETWORKS)
    assert not machine_state.network_conflict([a_machine("nowhere")], ())


def test_limits_count_bytes() -> None:
    broken = {"type": "NodeHealthy", "status": "False", "reason": "Ü", "message": "ä" * 300}
    machines = [a_machine(conditions=[broken]) for _ in range(3)]
    message = machine_state.health(machines, None).message
    assert message.count("Machine m:") == 1
    assert message.endswith("... too many similar errors\n")
