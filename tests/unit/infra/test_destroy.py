"""Removal in rounds, on a cloud that is a set."""

import asyncio
import time

import pytest

from hypershift.infra import Found, Removal, Stuck, destroy
from hypershift.kit import SystemClock, TerminalError, TransientError


class Hasty(SystemClock):
    """Pauses take no time but count."""

    def __init__(self) -> None:
        self.slept = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.slept

    async def sleep(self, seconds: float) -> None:
        self.slept += seconds
        await asyncio.sleep(0)


def quiet(_message: str, /, **_values: str) -> None:
    """Say nothing."""


class Cloud:
    """Objects by name; `faults` are raised, one for each attempt to remove an object."""

    def __init__(self, *names: str, **faults: list[Exception]) -> None:
        self.names, self.faults, self.order = set(names), faults, list[str]()

    def remove(self, name: str) -> None:
        if self.faults.get(name):
            raise self.faults[name].pop(0)
        self.names.discard(name)
        self.order.append(name)

    def look(self) -> Found["Cloud"]:
        after = {"vpc": ("subnet",)}
        removals = [
            Removal[Cloud](
                each,
                f"the {each}",
                lambda cloud, each=each: cloud.remove(each),  # type: ignore[misc]
                after=after.get(each, ()),
            )
            for each in sorted(self.names)
        ]
        return Found(tuple(removals), ("network interface eni-1",))


def run(cloud: Cloud, grace: float = 0.0) -> None:
    asyncio.run(destroy(cloud, cloud.look, log=quiet, clock=Hasty(), grace=grace))


def test_what_others_use_goes_after_them() -> None:
    cloud = Cloud("subnet", "vpc")
    run(cloud)
    assert cloud.order == ["subnet", "vpc"]


def test_faults_that_pass_are_outlived() -> None:
    cloud = Cloud("subnet", "vpc", subnet=[TransientError("throttled")] * 5)
    run(cloud)
    assert cloud.names == set()


def test_what_is_refused_for_good_is_named_with_what_is_in_the_way() -> None:
    cloud = Cloud("subnet", "vpc", vpc=[TerminalError("permission is missing")] * 99)
    with pytest.raises(Stuck) as caught:
        run(cloud)
    assert "the vpc: permission is missing" in str(caught.value)
    assert "in the way: network interface eni-1" in str(caught.value)
    assert [each.text for each in caught.value.left] == ["the vpc"]


def test_a_run_with_a_limit_says_what_is_left_when_time_is_up() -> None:
    cloud = Cloud("vpc", vpc=[TransientError("throttled")] * 99)
    with pytest.raises(Stuck, match="in time"):
        run(cloud, grace=30)


def test_an_account_without_anything_is_left_alone() -> None:
    cloud = Cloud()
    run(cloud)
    assert cloud.order == []
