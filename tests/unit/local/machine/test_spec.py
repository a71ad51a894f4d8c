from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.kit import InvalidSpec, TransientError
from hypershift.local.machine import Attachment, Limits, MachineSpec, Metadata
from hypershift.local.machine.spec import ALL_IDS, IDS, check, decode, encode, ids_of, link_of


def a_spec(**changes: Any) -> MachineSpec:
    plain: dict[str, Any] = {
        "name": "m1",
        "scope": "test",
        "os_tree": Path("/tree"),
        "directory": Path("/machines/m1"),
        "network": Attachment(bridge="b", address="10.0.0.5/16"),
        "metadata": Metadata(hostname="m1"),
    }
    return MachineSpec(**plain | changes)


@given(st.none() | st.integers(1, 10**6), st.none() | st.integers(1, 10**12))
def test_a_spec_reads_back_as_it_was_written(cpu: int | None, memory: int | None) -> None:
    spec = a_spec(limits=Limits(cpu=cpu, memory=memory))
    assert decode(encode(spec)) == spec


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "../etc"},
        {"ids": 0},
        {"ids": ALL_IDS[0] + 1},
        {"ids": ALL_IDS[-1] + IDS},
        {"name": ""},
        {"name": ".hidden"},
        {"scope": "a/b"},
        {"directory": Path("relative")},
        {"os_tree": Path("/a:b")},
        {"directory": Path("/a,b")},
    ],
)
def test_names_and_paths_that_lead_elsewhere_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidSpec):
        check(a_spec(**changes))


def test_link_names_fit_and_differ() -> None:
    names = {link_of(scope, name) for scope in ("a", "b") for name in ("m1", "m2")}
    assert len(names) == 4
    assert all(len(name) <= 15 for name in names)


def test_a_machine_keeps_its_hardware_address() -> None:
    assert a_spec().mac == a_spec().mac
    assert a_spec().mac.startswith("02:")
    assert a_spec(network=Attachment(bridge="b", address="10.0.0.5/16", mac="02:aa")).mac == "02:aa"


def test_machines_of_one_cluster_have_ranges_of_their_own() -> None:
    taken: set[int | None] = {None}
    for number in range(500):
        first = ids_of("scope", f"machine-{number}", taken)
        assert first not in taken
        check(a_spec(ids=first))
        taken.add(first)
    assert ids_of("scope", "machine-0") == ids_of("scope", "machine-0")


def test_with_every_range_taken_no_machine_shares_one() -> None:
    with pytest.raises(TransientError, match="none is left"):
        ids_of("scope", "m", frozenset(ALL_IDS))


def test_a_machine_of_before_has_no_users_of_its_own() -> None:
    assert b"ids" not in encode(a_spec())
    assert decode(encode(a_spec())).ids is None
