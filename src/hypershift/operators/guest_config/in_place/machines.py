"""The phase that drains and reprovisions machines, and reports how many are done."""

from collections.abc import Sequence
from typing import Any

from hypershift.api import annotations
from hypershift.kit import annotations_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.guest_config.in_place import drain
from hypershift.operators.guest_config.in_place.rules.plan import Sight, Target, plan, progress
from hypershift.operators.guest_config.in_place.scope import (
    CURRENT,
    LOCAL,
    LOOK_AGAIN,
    UpgradeScope,
)
from hypershift.runtime import (
    Done,
    Outcome,
    Wait,
)

MAX_UNAVAILABLE = annotations.NODE_POOL_MAX_UNAVAILABLE
RUNNING = annotations.NODE_POOL_UPGRADE_IN_PROGRESS_TRUE
FAILED = annotations.NODE_POOL_UPGRADE_IN_PROGRESS_FALSE
RELEASE_VERSION = annotations.RELEASE_VERSION


async def upgrade(scope: UpgradeScope) -> Outcome:
    """Drain and reprovision within the limits, uncordon what returned, report progress."""
    if scope.guest is None or scope.target is None:
        return Done()
    most = int(scope.marks.get(MAX_UNAVAILABLE) or 1)
    todo = plan(scope.sights, scope.target, most)
    if todo.complete:
        await _mark(scope, {CURRENT: scope.target.config_hash, RUNNING: None, FAILED: None})
        await _mark_machines(scope, todo.done)
        return Done()
    by_name = {one.name: one for one in scope.sights}
    try:
        for name in todo.drain:
            await _replace(scope, scope.guest, by_name[name], scope.target)
        for name in todo.uncordon:
            await drain.uncordon(scope.guest, by_name[name].node)
    except ApiError as error:
        return Wait("GuestUnavailable", after=LOOK_AGAIN, error=error)
    await _mark_machines(scope, todo.done)
    await _report_progress(scope, scope.target, by_name, todo.failed, len(todo.done))
    return Wait("Upgrading", after=LOOK_AGAIN)


async def _replace(scope: UpgradeScope, guest: Client, one: Sight, target: Target) -> None:
    if one.draining_for != target.config_hash or not one.cordoned:
        await drain.cordon(guest, one.node, target.config_hash)
    if not await drain.drained(guest, one.node):
        return
    await drain.note_boot(guest, one.node, one.boot)
    marks = {
        f"{LOCAL}/desired-image": target.image,
        f"{LOCAL}/desired-user-data": target.user_data,
    }
    patch = {"metadata": {"annotations": marks}}
    await scope.kube.patch(kinds.LOCAL_MACHINE, one.name, patch, scope.namespace)


async def _report_progress(
    scope: UpgradeScope,
    target: Target,
    by_name: dict[str, Sight],
    failed: Sequence[str],
    done: int,
) -> None:
    if failed:
        one = by_name[failed[0]]
        message = f"Node {one.node} in nodepool degraded: {one.failure}"
        await _mark(scope, {FAILED: message, RUNNING: None})
        return
    text = progress(target, len(scope.sights), done)
    await _mark(scope, {RUNNING: text, FAILED: None})


async def _mark(scope: UpgradeScope, marks: dict[str, str | None]) -> None:
    changed: dict[str, Any] = {
        name: value for name, value in marks.items() if scope.marks.get(name) != value
    }
    if changed:
        patch = {"metadata": {"annotations": changed}}
        await scope.kube.patch(kinds.MACHINE_SET, scope.key.name, patch, scope.namespace)


async def _mark_machines(scope: UpgradeScope, done: Sequence[str]) -> None:
    """Note the release that an upgraded machine runs."""
    for name in done:
        machine = scope.machines[name]
        if annotations_of(machine).get(RELEASE_VERSION) != scope.release_version:
            patch = {"metadata": {"annotations": {RELEASE_VERSION: scope.release_version}}}
            await scope.kube.patch(
                kinds.MACHINE, machine["metadata"]["name"], patch, scope.namespace
            )
