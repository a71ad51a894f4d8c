"""Rows of backups in virtual time: one for each period, whatever dies, no more than are kept."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.backups import PLANE, storage
from tests.lib.stage import Stage, staged

from hypershift.kit import InvalidSpec, Manifest, rfc3339
from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup import retention, schedule
from hypershift.operators.hypershift.etcd_backup.controller import schedules

HOUR = 3600
EVERY = "hypershift.openshift.io/backup-every"
KEEP = "hypershift.openshift.io/backup-keep"


async def a_row(stage: Stage, **marks: str) -> None:
    await stage.create(kinds.NAMESPACE, PLANE)
    metadata = {"namespace": PLANE, "annotations": {EVERY: "1h", KEEP: "3"} | marks}
    spec = {"storage": storage()}
    await stage.create(kinds.HCP_ETCD_BACKUP, "hourly", metadata=metadata, spec=spec)


async def end_all(stage: Stage, reason: str = "BackupSucceeded") -> None:
    """Play the backups' controller: what is there ends."""
    status = "True" if reason == "BackupSucceeded" else "False"
    for one in await stage.user.list(kinds.HCP_ETCD_BACKUP, PLANE):
        told = {"type": "BackupCompleted", "status": status, "reason": reason}
        patch = {"status": {"conditions": [told]}}
        place = (one["metadata"]["name"], patch, PLANE)
        await stage.user.patch(kinds.HCP_ETCD_BACKUP, *place, subresource="status")


async def keep_ending(stage: Stage, reason: str = "BackupSucceeded") -> None:
    while True:
        await end_all(stage, reason)
        await asyncio.sleep(60)


async def names(stage: Stage) -> list[str]:
    found = await stage.user.list(kinds.HCP_ETCD_BACKUP, PLANE)
    return sorted(one["metadata"]["name"] for one in found)


@staged
async def test_a_day_has_a_backup_for_each_hour_and_the_newest_are_kept(stage: Stage) -> None:
    await a_row(stage)
    stage.spawn(keep_ending(stage))
    manager = stage.manage(schedules())
    await asyncio.sleep(HOUR * 2.5)
    assert await names(stage) == ["hourly", "hourly-1", "hourly-2"]
    await asyncio.sleep(HOUR * 21)
    assert await names(stage) == ["hourly", "hourly-21", "hourly-22", "hourly-23"]
    assert len([one for one in stage.writes if one.startswith("POST")]) == 23
    await stage.stop(manager)
    before = len(stage.writes)
    stage.manage(schedules())
    await asyncio.sleep(60)
    assert stage.writes[before:] == []
    # Nothing is made up for, and the end of the first one ends the row.
    await stage.user.delete(kinds.HCP_ETCD_BACKUP, "hourly", PLANE)
    await asyncio.sleep(HOUR * 5)
    assert await names(stage) == ["hourly-21", "hourly-22", "hourly-23"]


@staged
async def test_failed_backups_do_not_end_a_row_and_do_not_pile_up(stage: Stage) -> None:
    await a_row(stage)
    stage.spawn(keep_ending(stage, "BackupFailed"))
    stage.manage(schedules())
    await asyncio.sleep(HOUR * 10.5)
    assert await names(stage) == ["hourly", "hourly-10", "hourly-8", "hourly-9"]


@staged
async def test_while_a_backup_runs_no_other_is_begun(stage: Stage) -> None:
    await a_row(stage)
    stage.manage(schedules())
    await asyncio.sleep(HOUR * 3.5)
    assert await names(stage) == ["hourly"]
    await end_all(stage)
    await asyncio.sleep(60)
    assert await names(stage) == ["hourly", "hourly-3"]


@pytest.mark.parametrize("life", range(8))
@staged
async def test_a_crash_between_any_two_writes_heals(stage: Stage, life: int) -> None:
    await a_row(stage)
    stage.spawn(keep_ending(stage))
    manager = stage.manage_until(life, schedules())
    await asyncio.sleep(HOUR * 5.5)
    await stage.kill(manager)
    stage.manage(schedules())
    await asyncio.sleep(HOUR * 4)
    assert await names(stage) == ["hourly", "hourly-7", "hourly-8", "hourly-9"]


@pytest.mark.parametrize(
    "marks", [{EVERY: "1m"}, {EVERY: "often"}, {KEEP: "0"}, {KEEP: "-1"}, {KEEP: "many"}]
)
@staged
async def test_a_row_that_makes_no_sense_gets_an_event_and_no_backup(
    stage: Stage, marks: dict[str, str]
) -> None:
    await a_row(stage, **marks)
    await end_all(stage)
    stage.manage(schedules())
    await asyncio.sleep(HOUR * 3)
    assert await names(stage) == ["hourly"]
    events = await stage.user.list(kinds.EVENT, PLANE)
    assert {one["reason"] for one in events} == {"InvalidSchedule"}


def a_backup(made: datetime, **marks: str) -> Manifest:
    metadata = {"name": "b", "creationTimestamp": rfc3339(made), "annotations": marks}
    return {"metadata": metadata}


BORN = datetime(2026, 1, 1, tzinfo=UTC)


@given(st.integers(0, 10**7), st.integers(900, 10**6))
def test_the_turn_follows_from_the_time_alone(age: int, every: int) -> None:
    period = timedelta(seconds=every)
    number, left = schedule.due_backup(a_backup(BORN), period, BORN + timedelta(seconds=age))
    assert number * every <= age < (number + 1) * every
    assert timedelta(0) < left <= period
    assert schedule.due_backup(a_backup(BORN), period, BORN - timedelta(hours=1))[0] == 0


def test_a_backup_without_a_period_is_taken_once() -> None:
    assert schedule.period(a_backup(BORN)) is None
    with pytest.raises(InvalidSpec, match="shorter"):
        schedule.period(a_backup(BORN, **{EVERY: "1s"}))


def test_the_operators_own_limit_leaves_rows_alone() -> None:
    done = {"conditions": [{"type": "BackupCompleted", "status": "True"}]}
    first = a_backup(BORN, **{EVERY: "1h"}) | {"status": done}
    later = a_backup(BORN + timedelta(days=1)) | {"status": done}
    assert retention.surplus([first, later], 1) == []
    assert retention.surplus([later, later], 1) == [later]
