from ipaddress import IPv4Address, IPv4Network, IPv6Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.kit import InvalidSpec, TransientError
from hypershift.local.machine import Limits
from hypershift.local.provider.placement import address, address_v6, hostname, limits, zone

POOL = IPv4Network("10.0.16.0/28")


@given(
    st.text(max_size=20), st.sets(st.sampled_from([str(one) for one in POOL.hosts()]), max_size=13)
)
def test_an_address_is_free_and_usable(name: str, taken: set[str]) -> None:
    chosen = address(name, POOL, taken)
    assert chosen in list(POOL.hosts())
    assert str(chosen) not in taken


def test_the_same_machine_finds_the_same_address_while_it_is_free() -> None:
    assert address("m1", POOL, ()) == address("m1", POOL, ())


def test_a_full_pool_is_said_by_name() -> None:
    with pytest.raises(TransientError, match=r"10\.0\.16\.0/28"):
        address("m1", POOL, {str(one) for one in POOL.hosts()})


def test_every_address_can_be_given_out() -> None:
    taken: set[str] = set()
    for number in range(14):
        taken.add(str(address(f"m{number}", POOL, taken)))
    assert {IPv4Address(one) for one in taken} == set(POOL.hosts())


def test_a_zone_that_is_asked_for_wins() -> None:
    assert zone(("c", "a"), ("a", "b"), ()) == "c"
    assert zone((None, "a"), ("a", "b"), ("a", "a")) == "a"


def test_machines_spread_over_the_zones() -> None:
    assert zone((None,), ("a", "b", "c"), ("a", "b", "a")) == "c"
    assert zone((), ("a", "b"), ()) == "a"
    assert zone((), (), ()) == ""


def test_quantities_become_limits() -> None:
    assert limits("2", "2Gi") == Limits(cpu=2000, memory=2 << 30)
    assert limits("500m", "512M") == Limits(cpu=500, memory=512_000_000)


@pytest.mark.parametrize(("cpu", "memory"), [("zero", "1Gi"), ("0", "1Gi"), ("1", "-1Gi")])
def test_what_is_no_amount_is_refused_by_its_field(cpu: str, memory: str) -> None:
    with pytest.raises(InvalidSpec) as refusal:
        limits(cpu, memory)
    assert refusal.value.field in ("spec.cpu", "spec.memory")


def test_a_name_that_is_no_host_name_is_refused() -> None:
    assert hostname("worker-1") == "worker-1"
    with pytest.raises(InvalidSpec):
        hostname("w" * 64)


def test_the_ipv6_address_ends_as_the_other_one_does() -> None:
    own = IPv4Address("10.80.16.5")
    assert address_v6(own, IPv6Network("fd68:7370:80::/64")) == "fd68:7370:80::1005/64"
    assert address_v6(own, None) == ""
