from ipaddress import IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.kit import UsageError
from hypershift.local.cluster.plan import MAX_CLUSTERS, Plan, checked_name, free_index, twin

indexes = st.integers(min_value=0, max_value=MAX_CLUSTERS - 1)


@given(indexes)
def test_the_ranges_of_a_cluster_lie_in_its_network_and_never_overlap(index: int) -> None:
    plan = Plan(index)
    ranges = (plan.machines, plan.balancers, plan.services, plan.pods)
    assert all(part.subnet_of(plan.network) for part in ranges)
    assert not any(a.overlaps(b) for a in ranges for b in ranges if a is not b)


@given(indexes, indexes)
def test_two_clusters_share_no_address_and_no_name(one: int, other: int) -> None:
    if one != other:
        assert not Plan(one).network.overlaps(Plan(other).network)
        assert Plan(one).loopback != Plan(other).loopback
        assert Plan(one).bridge != Plan(other).bridge


@given(indexes, indexes, st.integers(min_value=0, max_value=2**16 - 1))
def test_every_address_has_an_ipv6_address_of_its_own(one: int, other: int, host: int) -> None:
    plan = Plan(one, ipv6=True)
    address = plan.network[host]
    assert twin(address, plan.machines_v6) in plan.machines_v6
    assert twin(address, plan.machines_v6) != twin(address, plan.balancers_v6)
    assert plan.machines_v6.subnet_of(plan.network_v6)
    assert plan.balancers_v6.subnet_of(plan.network_v6)
    assert twin(plan.gateway, plan.machines_v6) == plan.gateway_v6
    assert one == other or not plan.network_v6.overlaps(Plan(other).network_v6)


@given(indexes)
def test_names_of_links_fit_into_the_kernel(index: int) -> None:
    assert len(Plan(index).bridge) <= 15


def test_an_index_is_skipped_when_it_is_held_or_routed() -> None:
    assert free_index((0, 1), (IPv4Network("10.82.3.0/24"),)) == 3


def test_a_host_that_routes_everything_has_no_index() -> None:
    with pytest.raises(UsageError, match="no free address range"):
        free_index((), (IPv4Network("10.0.0.0/8"),))


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a.b", "x" * 33, "a/b", "../a"])
def test_a_name_that_cannot_be_part_of_a_host_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="lower-case"):
        checked_name(name)
