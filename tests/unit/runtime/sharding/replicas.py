"""Replicas that share ConfigMaps, and whose marks show who wrote last."""

import asyncio
from collections import Counter
from datetime import timedelta

from tests.lib.stage import Stage

from hypershift.kit import key_of
from hypershift.kube import kinds
from hypershift.runtime import (
    Controller,
    Manager,
    Outcome,
    Scope,
    Sharding,
    Wait,
)
from hypershift.runtime.sharding import Table, bucket_of
from hypershift.runtime.sharding.table import table_of

NAMES = tuple(f"c{number}" for number in range(12))
SHARES = ("shards", "kube-system")


def sharding(identity: str, **changes: float | str) -> Sharding:
    return Sharding(*SHARES, identity, **changes)  # type: ignore[arg-type]  # times and names


def marker(mark: str, seconds: float = 0.0, **changes: object) -> Controller[Scope]:
    """Writes who was here last into each ConfigMap, again and again."""

    async def write(scope: Scope) -> Outcome:
        await asyncio.sleep(seconds)
        patch = {"data": {"by": mark}}
        await scope.kube.patch(kinds.CONFIG_MAP, scope.key.name, patch, "default")
        return Wait("Again", after=timedelta(seconds=1))

    return Controller(
        name=mark,
        resource=kinds.CONFIG_MAP,
        scope=Scope,
        normal=(write,),
        namespace="default",
        manages_status=False,
        workers=20,
        cluster=lambda manifest: key_of(manifest).name,
        **changes,  # type: ignore[arg-type]  # fields of a controller
    )


async def replica(stage: Stage, mark: str, seconds: float = 0.0, **changes: float | str) -> Manager:
    return stage.manage(marker(mark, seconds), sharding=sharding(mark, **changes))


async def prepare(stage: Stage) -> None:
    for name in NAMES:
        await stage.create(kinds.CONFIG_MAP, name)


def table(stage: Stage) -> Table:
    lease = stage.server.find(kinds.LEASE, *SHARES)
    return table_of(lease) if lease else Table()


def marks(stage: Stage) -> Counter[str]:
    return Counter(
        (one.get("data") or {}).get("by", "") for one in stage.server.all(kinds.CONFIG_MAP)
    )


def owner(stage: Stage, name: str) -> str:
    return table(stage).owners.get(bucket_of(name), "").partition("_")[0]
