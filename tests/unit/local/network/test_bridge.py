from hypothesis import given
from hypothesis import strategies as st

from hypershift.local.cluster.plan import Plan
from hypershift.local.network.bridge import Seen, address_steps, bridge_steps, route_steps

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
