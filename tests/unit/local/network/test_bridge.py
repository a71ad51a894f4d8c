from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hypershift.local.cluster.plan import Plan
from hypershift.local.network.bridge import (
    Seen,
    address_steps,
    bridge_steps,
    has_ipv6,
    route_steps,
)

PLAN = Plan(0)
NOTHING = Seen(link=False, addresses=frozenset(), routes={}, guarded=False)

routes = st.dictionaries(
    st.integers(0, 63).map(lambda n: f"10.80.{128 + 2 * n}.0/23"),
    st.integers(10, 250).map(lambda n: f"10.80.0.{n}"),
)
addresses = st.frozensets(st.integers(1, 250).map(lambda n: f"10.80.32.{n}"))


def test_an_empty_host_gets_link_address_and_guard() -> None:
    steps = bridge_steps(PLAN, NOTHING, 1400)
    assert [step[:2] for step in steps] == [
        ("link", "add"),
        ("link", "set"),
        ("address", "replace"),
        ("route", "replace"),
    ]
    assert steps[-1][2:4] == ("unreachable", "10.80.0.0/16")


def test_a_host_that_has_everything_gets_no_step() -> None:
    seen = Seen(link=True, addresses=frozenset({"10.80.0.1/19"}), routes={}, guarded=True)
    assert bridge_steps(PLAN, seen, 1400) == []


@given(routes, routes)
def test_applied_route_steps_give_the_wanted_routes(
    seen: dict[str, str], wanted: dict[str, str]
) -> None:
    have = dict(seen)
    for step in route_steps(PLAN, seen, wanted):
        if step[1] == "del":
            del have[step[2]]
        else:
            have[step[2]] = step[4]
    assert have == wanted
    assert route_steps(PLAN, have, wanted) == []


@given(addresses, addresses)
def test_applied_address_steps_give_the_wanted_addresses_and_keep_the_gateway(
    seen: frozenset[str], wanted: frozenset[str]
) -> None:
    have = {f"{address}/32" for address in seen} | {"10.80.0.1/19"}
    for step in address_steps(PLAN, tuple(have), wanted):
        (have.remove if step[1] == "del" else have.add)(step[2])
    assert have == {f"{address}/32" for address in wanted} | {"10.80.0.1/19"}


def test_a_bridge_with_ipv6_holds_addresses_of_both_families() -> None:
    plan = Plan(0, ipv6=True)
    steps = bridge_steps(plan, NOTHING, 1400)
    assert ("address", "replace", "fd68:7370:80::1/64", "dev", "hypershift0", "nodad") in steps
    assert steps[-1][2:4] == ("unreachable", "fd68:7370:80::/48")
    own = frozenset({"10.80.0.1/19", "fd68:7370:80::1/64"})
    seen = Seen(link=True, addresses=own, routes={}, guarded=True, guarded_v6=True)
    assert bridge_steps(plan, seen, 1400) == []
    held = "fd68:7370:80:20::2001"
    assert address_steps(plan, own, [held]) == [
        ("address", "add", f"{held}/128", "dev", "hypershift0", "nodad")
    ]
    assert address_steps(plan, {*own, f"{held}/128"}, []) == [
        ("address", "del", f"{held}/128", "dev", "hypershift0")
    ]


def test_a_host_whose_owner_switched_ipv6_off_has_none(tmp_path: Path) -> None:
    assert not has_ipv6(tmp_path)
    for name in ("all", "default"):
        path = tmp_path / "net/ipv6/conf" / name / "disable_ipv6"
        path.parent.mkdir(parents=True)
        path.write_text("0\n")
    assert has_ipv6(tmp_path)
    (tmp_path / "net/ipv6/conf/default/disable_ipv6").write_text("1\n")
    assert not has_ipv6(tmp_path)
