"""Processes that share the shops: never two writers for one, none forgotten, whatever happens."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.sim import schedule

from hypershift.runtime.manager import Manager
from hypershift.runtime.sharding import BUCKETS, OwnedBuckets, assigned, bucket_of

SEEDS = int(os.environ.get("HYPERSHIFT_SHARDED_SEEDS", "10"))
FIRST = int(os.environ.get("HYPERSHIFT_FIRST_SEED", "0"))
BATCH = 5

REPLICAS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=5, unique=True)
OWNERS = st.dictionaries(st.integers(0, BUCKETS - 1), st.sampled_from("abcdefgh"))


# Schedules


@pytest.mark.parametrize("first", range(FIRST, FIRST + SEEDS, BATCH))
def test_no_shop_ever_has_two_writers_and_each_is_looked_after(first: int) -> None:
    for seed in range(first, min(first + BATCH, FIRST + SEEDS)):
        result = schedule.run(seed, sharded=True)
        assert result.passed, schedule.explain(schedule.shrink(result))


def _writes_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OwnedBuckets, "may_write", lambda _: True)
    monkeypatch.setattr(OwnedBuckets, "covers", lambda *_: True)


def _gives_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def release(self: OwnedBuckets, buckets: frozenset[int], patience: float) -> None:
        del self, buckets, patience

    monkeypatch.setattr(OwnedBuckets, "release", release)


def _forgets_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    async def shared(self: Manager) -> None:
        del self

    monkeypatch.setattr(Manager, "_shared", shared)


#: Ways to share wrongly, and a seed that finds each.
MUTANTS = {
    _writes_anywhere: 1,
    _gives_without_waiting: 1,
    _forgets_to_look: 5,
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_wrong_way_to_share_is_found(mutant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    assert not schedule.run(MUTANTS[mutant], sharded=True).passed


# Shares


@given(REPLICAS, OWNERS)
def test_every_bucket_has_an_owner_and_shares_are_even(
    replicas: list[str], owners: dict[int, str]
) -> None:
    plan = assigned(replicas, owners)
    sizes = [sum(owner == name for owner in plan.values()) for name in replicas]
    assert plan.keys() == set(range(BUCKETS))
    assert sum(sizes) == BUCKETS
    assert max(sizes) - min(sizes) <= 1


@given(REPLICAS, OWNERS)
def test_even_shares_stay_as_they_are(replicas: list[str], owners: dict[int, str]) -> None:
    plan = assigned(replicas, owners)
    assert assigned(list(reversed(replicas)), plan) == plan


@given(REPLICAS, OWNERS)
def test_no_more_buckets_move_than_must(replicas: list[str], owners: dict[int, str]) -> None:
    kept = sum(owners.get(bucket) == name for bucket, name in assigned(replicas, owners).items())
    assert kept == sum(_most_kept(replicas, owners))


def _most_kept(replicas: list[str], owners: dict[int, str]) -> Iterator[int]:
    held = sorted((sum(o == name for o in owners.values()) for name in replicas), reverse=True)
    least, over = divmod(BUCKETS, len(replicas))
    for place, size in enumerate(held):
        yield min(size, least + (place < over))


@given(st.text())
def test_every_cluster_has_a_bucket(name: str) -> None:
    assert 0 <= bucket_of(name) < BUCKETS


def test_the_bucket_of_a_cluster_is_the_same_in_every_version() -> None:
    assert [bucket_of(name) for name in ("clusters-demo", "north", "")] == [38, 33, 20]
