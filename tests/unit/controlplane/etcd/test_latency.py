"""A disk that is too slow for etcd is found from the member's own metrics."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.unit.component.clusters import a_view

from hypershift.controlplane.etcd import DiskWatch
from hypershift.controlplane.etcd.latency import between, histogram, is_slow

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BOUNDS = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, float("inf"))
NOTHING = dict.fromkeys(BOUNDS, 0.0)


def writes(*numbers: int) -> dict[float, float]:
    """So many writes in each bucket, as the running sums that a histogram has."""
    total, found = 0, {}
    for bound, number in zip(BOUNDS, numbers, strict=True):
        total += number
        found[bound] = float(total)
    return found


def text(found: dict[float, float]) -> str:
    named = {str(bound).replace("inf", "+Inf"): number for bound, number in found.items()}
    metric = "etcd_disk_wal_fsync_duration_seconds_bucket"
    lines = (f'{metric}{{le="{bound}"}} {number}' for bound, number in named.items())
    return "\n".join(("# HELP nothing", "other 1", *lines, "")) + "\n"


def test_the_histogram_is_read_out_of_the_metrics() -> None:
    assert histogram(text(writes(1, 2, 0, 0, 0, 0, 1))) == writes(1, 2, 0, 0, 0, 0, 1)
    assert histogram("nothing 1") == {}


@pytest.mark.parametrize(
    ("numbers", "word"),
    [
        ((1000, 0, 0, 0, 0, 0, 0), "fast"),
        ((0, 0, 0, 1000, 0, 0, 0), "fast"),
        ((995, 0, 0, 0, 0, 5, 0), "fast"),
        ((900, 0, 0, 0, 0, 100, 0), "slow"),
        ((0, 0, 0, 0, 1000, 0, 0), "slow"),
        ((988, 0, 0, 0, 12, 0, 0), "fast"),
        ((0, 0, 0, 0, 0, 0, 1000), "slow"),
    ],
    ids=["fast", "just", "few", "many", "all", "inside", "endless"],
)
def test_a_disk_is_slow_when_more_than_one_write_in_a_hundred_is(
    numbers: tuple[int, ...], word: str
) -> None:
    assert is_slow(writes(*numbers)) is (word == "slow")


@pytest.mark.parametrize(
    ("numbers", "word"),
    [
        ((0, 0, 0, 1000, 0, 0, 0), "slow"),
        ((0, 1000, 0, 0, 0, 0, 0), "fast"),
        ((0, 0, 0, 0, 1000, 0, 0), "slow"),
    ],
    ids=["hovers", "fast again", "slow"],
)
def test_a_slow_disk_is_fast_again_well_below_the_bound(
    numbers: tuple[int, ...], word: str
) -> None:
    assert is_slow(writes(*numbers), known=True) is (word == "slow")


def test_only_the_time_between_two_looks_counts() -> None:
    before = writes(0, 0, 0, 0, 0, 1000, 0)
    after = {bound: number + 1000 for bound, number in before.items()}
    assert between(before, after) == writes(1000, 0, 0, 0, 0, 0, 0)


def test_a_member_that_started_anew_counts_from_nothing() -> None:
    fresh = writes(100, 0, 0, 0, 0, 0, 0)
    assert between(writes(0, 0, 0, 0, 0, 900, 0), fresh) == fresh


async def test_the_slow_member_is_told_from_the_others() -> None:
    said = {0: NOTHING, 1: NOTHING, 2: NOTHING}

    async def fetch(host: str, port: int) -> str:
        assert port == 2381
        index = int(host.removeprefix("etcd-")[0])
        if index == 2:
            raise OSError("nobody there")
        return text(said[index])

    watch, view = DiskWatch(fetch), a_view(controllerAvailabilityPolicy="HighlyAvailable")
    assert await watch.visit(view, NOW) is None
    said[0], said[1] = writes(100, 0, 0, 0, 0, 0, 0), writes(0, 0, 0, 0, 0, 100, 0)
    assert await watch.visit(view, NOW + timedelta(seconds=30)) is None
    assert await watch.visit(view, NOW + timedelta(minutes=1)) == {"etcd-1"}
    assert await watch.visit(view, NOW + timedelta(minutes=5)) is None, "it is not time"
    said[0] = NOTHING
    assert await watch.visit(view, NOW + timedelta(minutes=6)) == {"etcd-1"}, (
        "too few writes to tell"
    )


async def test_another_judgement_takes_two_looks() -> None:
    said = dict(NOTHING)

    async def fetch(host: str, port: int) -> str:
        del host, port
        return text(said)

    async def look(*numbers: int) -> set[str] | None:
        for bound, number in writes(*numbers).items():
            said[bound] += number
        clock.append(clock[-1] + timedelta(minutes=6))
        return await watch.visit(view, clock[-1])

    watch, view, clock = DiskWatch(fetch), a_view(), [NOW]
    assert await look(100, 0, 0, 0, 0, 0, 0) is None
    assert await look(100, 0, 0, 0, 0, 0, 0) == set()
    assert await look(0, 0, 0, 0, 0, 100, 0) == set()
    assert await look(100, 0, 0, 0, 0, 0, 0) == set(), "it was one bad moment"
    assert await look(0, 0, 0, 0, 0, 100, 0) == set()
    assert await look(0, 0, 0, 0, 0, 100, 0) == {"etcd-0"}
    assert await look(100, 0, 0, 0, 0, 0, 0) == {"etcd-0"}
    assert await look(100, 0, 0, 0, 0, 0, 0) == set()


async def test_too_few_writes_make_no_judgement() -> None:
    said = [text(writes(1000, 0, 0, 0, 0, 0, 0)), text(writes(1000, 0, 0, 0, 0, 19, 0))]

    async def fetch(host: str, port: int) -> str:
        del host, port
        return said.pop(0)

    watch, view = DiskWatch(fetch), a_view()
    assert await watch.visit(view, NOW) is None
    assert await watch.visit(view, NOW + timedelta(minutes=1)) is None
