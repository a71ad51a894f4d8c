"""Periodic backups: an HCPEtcdBackup with a period is the first of a series.

    nightly (annotation backup-every: 24h) ─► nightly-1 ─► nightly-2 ─► ...   one for each period

The number of a backup follows from the time, so a pass that died makes no second one, and periods
in which nothing ran are not made up for. Deleting the first one ends the row. Its backups are
those of its spec: the same store, credentials and key.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from hypershift.api import annotations
from hypershift.kit import (
    InvalidSpec,
    Key,
    Manifest,
    annotations_of,
    from_rfc3339,
    key_of,
    labels_of,
)
from hypershift.kit.duration import format_duration, go_duration
from hypershift.kube import AlreadyExists, kinds
from hypershift.operators.hypershift.etcd_backup import names
from hypershift.operators.hypershift.etcd_backup.proof.rules.choice import prove_every
from hypershift.operators.hypershift.etcd_backup.retention import by_age
from hypershift.operators.hypershift.etcd_backup.scope import is_final
from hypershift.runtime import Done, Outcome, Scope, Stop

#: A backup may take 15 minutes.
SHORTEST: Final = timedelta(minutes=15)
#: How many backups a schedule keeps by default.
KEEP: Final = 5
#: The most of them: they are objects in the namespace of the control plane.
MOST: Final = 1000
#: Characters of an annotation that a message repeats.
SHOWN: Final = 80


def period(backup: Manifest) -> timedelta | None:
    """How often a backup is taken again; None for one that is taken once."""
    text = annotations_of(backup).get(annotations.BACKUP_EVERY)
    if text is None:
        return None
    found = go_duration(text)
    if found < SHORTEST:
        least = format_duration(SHORTEST)
        raise InvalidSpec(f"annotation {annotations.BACKUP_EVERY}={text} is shorter than {least}")
    return found


def number_to_keep(backup: Manifest) -> int:
    """How many ended backups of a row are kept, beside the first."""
    text = annotations_of(backup).get(annotations.BACKUP_KEEP, str(KEEP))
    # Python refuses to read a number of thousands of digits with an error of its own.
    short = text.isdecimal() and len(text) <= len(str(MOST))
    if not short or not 0 < int(text) <= MOST:
        shown = text[:SHOWN]
        raise InvalidSpec(
            f"annotation {annotations.BACKUP_KEEP}={shown} is no number from 1 to {MOST}"
        )
    return int(text)


def due_backup(first: Manifest, every: timedelta, now: datetime) -> tuple[int, timedelta]:
    """The number of the backup that is due, 0 for the first one, and how long until the next."""
    age = max(now - from_rfc3339(first["metadata"]["creationTimestamp"]), timedelta(0))
    number = age // every
    return number, (number + 1) * every - age


def next_backup(first: Manifest, number: int) -> Manifest:
    """The backup of a turn."""
    metadata = first["metadata"]
    made: Manifest = {
        "name": f"{metadata['name']}-{number}",
        "namespace": metadata["namespace"],
        "labels": {names.SCHEDULED_BY: names.label_value(metadata["name"])},
    }
    proven = prove_every(first)
    if proven and number % proven == 0:
        made["annotations"] = {annotations.PROVE_RESTORE: "1"}
    return {
        "apiVersion": kinds.HCP_ETCD_BACKUP.api_version,
        "kind": kinds.HCP_ETCD_BACKUP.kind,
        "metadata": made,
        "spec": first["spec"],
    }


def scheduled_backups(first: Manifest, every: Sequence[Manifest]) -> list[Manifest]:
    """The backups that a first one caused, the oldest first."""
    value = names.label_value(first["metadata"]["name"])
    found = (one for one in every if labels_of(one).get(names.SCHEDULED_BY) == value)
    return sorted(found, key=by_age)


async def follow(scope: Scope) -> Outcome:
    """Take the backup that is due, and forget the oldest ones that ended."""
    try:
        every, most = period(scope.object), number_to_keep(scope.object)
        prove_every(scope.object)
    except InvalidSpec as error:
        await scope.events.warning("InvalidSchedule", str(error))
        return Stop("InvalidSchedule", str(error), error=error)
    if every is None or scope.object["metadata"].get("deletionTimestamp"):
        return Done()
    known = scheduled_backups(
        scope.object, await scope.kube.list(kinds.HCP_ETCD_BACKUP, scope.key.namespace)
    )
    number, left = due_backup(scope.object, every, scope.clock.now())
    running = [one for one in (scope.object, *known) if not is_final(one)]
    if number and not running and not _has(known, scope.key, number):
        await _create(scope, number)
    for old in [one for one in known if is_final(one)][: -most or None]:
        await scope.kube.delete(kinds.HCP_ETCD_BACKUP, key_of(old).name, scope.key.namespace)
    # A backup that still runs wakes this row when it ends.
    return Stop("Scheduled", after=left)


def _has(known: Sequence[Manifest], first: Key, number: int) -> bool:
    return any(key_of(one).name == f"{first.name}-{number}" for one in known)


async def _create(scope: Scope, number: int) -> None:
    try:
        await scope.kube.create(next_backup(scope.object, number))
    except AlreadyExists:
        scope.log.debug("the cache is older than the backup of this turn", number=number)
