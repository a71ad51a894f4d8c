"""What happens while a network on AWS is made: other runs, Ctrl-C, lost keys, small quotas."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from tests.cloud.aws.faults import Fault, Faults
from tests.cloud.aws.runs import (
    ROLES,
    WANTED,
    ZONES,
    Hasty,
    accounts,
    create,
    destroy,
    identities,
    missing,
    quiet,
    survive,
    survive_with_roles,
)
from tests.cloud.aws.server import Cloud

from hypershift.infra import apply
from hypershift.infra.aws import Teardown, create_network, destroy_network, planned
from hypershift.infra.aws.look import look
from hypershift.infra.aws.roles import create_roles, destroy_roles, planned_roles
from hypershift.kit import HypershiftError, TerminalError

pytestmark = pytest.mark.integration

#: Schedules of faults that each run of CI plays; the rest are soak's.
SEEDS = range(10)
TWO_ZONES = replace(WANTED, zones=ZONES[:2])
#: Requests of a creation in two zones, at some of which a user presses Ctrl-C.
REQUESTS = range(1, 49, 8)


@dataclass(slots=True)
class Pressed(Faults):
    """No fault, but Ctrl-C once a number of requests have come."""

    at: int = 0
    press: Callable[[], object] = field(default=lambda: None)

    def next(self, name: str) -> Fault | None:
        assert name
        self.seen += 1
        if self.seen == self.at:
            self.press()
        return None


@pytest.mark.parametrize("seed", SEEDS)
def test_networks_and_roles_survive_faults(aws: Cloud, seed: int) -> None:
    survive(aws, seed)
    survive_with_roles(aws, seed)


def test_a_run_that_meets_another_gives_way_and_leaves_nothing(aws: Cloud) -> None:
    """The other run made everything between our look and our first call."""
    both = accounts()
    stale = planned(both, TWO_ZONES)[2]
    made = create(TWO_ZONES, both)
    there = aws.inventory()
    with pytest.raises(TerminalError, match=f"VPC {made.ids['vpc']} .* at the same time"):
        asyncio.run(apply(stale, both, lambda: look(both, TWO_ZONES), log=quiet, clock=Hasty()))
    assert aws.inventory() == there
    assert create(TWO_ZONES, both).ids == made.ids


@pytest.mark.parametrize("attempt", range(3))
def test_two_runs_at_once_make_one_network(aws: Cloud, attempt: int) -> None:
    """One of them wins, or none; a further run makes the rest, and nothing is there twice."""
    before, started = aws.inventory(), threading.Barrier(2)
    aws.call_seconds = 0.02 * attempt

    def racing(_: int) -> str:
        both = accounts()
        started.wait()
        try:
            create(TWO_ZONES, both)
        except HypershiftError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(2) as threads:
        refused = [said for said in threads.map(racing, range(2)) if said]
    assert refused
    assert all("at the same time" in said for said in refused)
    aws.call_seconds = 0.0
    create(TWO_ZONES, accounts())
    assert missing(TWO_ZONES, accounts()) == []
    there = aws.inventory()
    counts = {"vpcs": 1, "gateways": 1, "addresses": 2, "nats": 2, "subnets": 4, "endpoints": 1}
    assert {kind: there[kind] - before[kind] for kind in counts} == counts
    assert there["dhcp-options"] - before["dhcp-options"] == 1
    destroy(TWO_ZONES, accounts())
    assert aws.inventory() == before


def test_two_runs_at_once_make_each_role_once(aws: Cloud) -> None:
    started = threading.Barrier(2)

    def racing(_: int) -> str:
        both = accounts()
        started.wait()
        try:
            asyncio.run(create_roles(both, ROLES, log=quiet, clock=Hasty()))
        except HypershiftError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(2) as threads:
        assert all("exist" in said for said in threads.map(racing, range(2)) if said)
    asyncio.run(create_roles(accounts(), ROLES, log=quiet, clock=Hasty()))
    assert planned_roles(accounts(), ROLES).steps == ()
    assert identities(aws)[1:] == (1, 1)
    asyncio.run(destroy_roles(accounts(), ROLES.infra_id, log=quiet, clock=Hasty()))
    assert identities(aws) == (0, 0, 0)


@pytest.mark.parametrize("request_number", REQUESTS)
def test_ctrl_c_at_any_request_is_resumed(aws: Cloud, request_number: int) -> None:
    before, both = aws.inventory(), accounts()

    making = create_network(both, TWO_ZONES, log=quiet, clock=Hasty())
    press_at(aws, request_number, making)
    create(TWO_ZONES, both)
    assert missing(TWO_ZONES, both) == []
    there = aws.inventory()
    assert (there["vpcs"], there["addresses"], there["nats"]) == (1, 2, 2)
    destroy(TWO_ZONES, both)
    assert aws.inventory() == before


@pytest.mark.parametrize("request_number", REQUESTS[::2])
def test_ctrl_c_at_any_request_of_a_removal_is_resumed(aws: Cloud, request_number: int) -> None:
    before, both = aws.inventory(), accounts()
    create(TWO_ZONES, both)
    gone = Teardown(TWO_ZONES.infra_id, TWO_ZONES.name, TWO_ZONES.region, TWO_ZONES.base_domain)
    press_at(aws, request_number, destroy_network(both, gone, log=quiet, clock=Hasty()))
    destroy(TWO_ZONES, both)
    assert aws.inventory() == before


@pytest.mark.parametrize("request_number", [25, 45])
def test_keys_that_expire_midway_are_told_and_the_rest_is_made_with_others(
    aws: Cloud, request_number: int
) -> None:
    both = accounts()
    aws.faults = Faults(Random(0), fatal_at=request_number, fatal="expired")  # noqa: S311
    with pytest.raises(TerminalError, match=r"refused the credentials in .* continues where it"):
        create(TWO_ZONES, both)
    aws.faults = Faults.none()
    began = aws.inventory()
    assert began["vpcs"] == 1
    create(TWO_ZONES, accounts())
    there = aws.inventory()
    assert (there["vpcs"], there["addresses"], there["nats"]) == (1, 2, 2)


def test_a_quota_that_is_too_small_is_told_and_the_rest_is_made_later(aws: Cloud) -> None:
    aws.faults = Faults(Random(0), only="AllocateAddress", fatal="quota")  # noqa: S311
    with pytest.raises(TerminalError, match=r"quota is too small for ec2:AllocateAddress"):
        create(TWO_ZONES, accounts())
    aws.faults = Faults.none()
    create(TWO_ZONES, accounts())
    assert aws.inventory()["addresses"] == 2


def remove_subnet(aws: Cloud, identity: str) -> None:
    aws.client("ec2").delete_subnet(SubnetId=identity)


def remove_gateway(aws: Cloud, identity: str) -> None:
    aws.client("ec2").delete_nat_gateway(NatGatewayId=identity)


def remove_endpoint(aws: Cloud, identity: str) -> None:
    aws.client("ec2").delete_vpc_endpoints(VpcEndpointIds=[identity])


def terminate(aws: Cloud, identity: str) -> None:
    aws.client("ec2").terminate_instances(InstanceIds=[identity])


@pytest.mark.parametrize(
    ("key", "remove"),
    [
        (f"private-subnet-{ZONES[0]}", remove_subnet),
        (f"nat-{ZONES[1]}", remove_gateway),
        ("s3-endpoint", remove_endpoint),
    ],
)
def test_what_is_removed_by_hand_is_made_again(
    aws: Cloud, key: str, remove: Callable[[Cloud, str], None]
) -> None:
    both = accounts()
    made = create(TWO_ZONES, both)
    there = aws.inventory()
    remove(aws, made.ids[key])
    again = create(TWO_ZONES, both)
    assert {name for name in made.ids if again.ids[name] != made.ids[name]} >= {key}
    assert missing(TWO_ZONES, both) == []
    assert aws.inventory() == there


def test_a_proxy_that_was_terminated_is_made_again(aws: Cloud) -> None:
    both, wanted = accounts(), replace(WANTED, proxy=True)
    made = create(wanted, both)
    terminate(aws, made.ids["proxy"])
    assert create(wanted, both).ids["proxy"] != made.ids["proxy"]
    assert aws.inventory()["instances"] == 1


def press_at(aws: Cloud, request_number: int, work: Coroutine[Any, Any, object]) -> None:
    """Press Ctrl-C while a request is under way, and let what has begun end."""

    async def pressed() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
        press = lambda: loop.call_soon_threadsafe(task.cancel)  # noqa: E731
        aws.faults = Pressed(Random(0), at=request_number, press=press)  # noqa: S311
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(pressed())
    await_threads()
    aws.faults = Faults.none()


def await_threads() -> None:
    """Calls that were under way end, as they do before a process does."""
    for thread in threading.enumerate():
        if thread.name.startswith(("infra", "look", "asyncio")):
            thread.join(20)
