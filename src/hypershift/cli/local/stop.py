"""`local down` and `local reset`."""

import asyncio
import sys

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag, Values
from hypershift.cli.local.common import named, present
from hypershift.kit import UsageError
from hypershift.local import teardown
from hypershift.local.state import Layout


async def down(values: Values) -> None:
    where, spec = present(values)
    await teardown.down(where, spec)


async def reset(values: Values) -> None:
    where = named(values)
    if not values["yes"]:
        await _ask(where)
    await teardown.reset(where)


async def _ask(where: Layout) -> None:
    """Ask before hosted clusters are lost; without a terminal the answer is no."""
    from hypershift.local.hosted import hosted_clusters  # noqa: PLC0415 - `--yes` needs no client

    if not (names := await hosted_clusters(where)):
        return
    listed = ", ".join(names)
    if sys.stdin.isatty():
        sys.stderr.write(f"These hosted clusters will be gone: {listed}. Go on? [y/N] ")
        sys.stderr.flush()
        if (await asyncio.to_thread(sys.stdin.readline)).strip().lower() in {"y", "yes"}:
            return
    raise UsageError(
        f"cluster {where.name} has hosted clusters ({listed}), which would be gone with it; "
        "`hypershift local reset --yes` removes them all"
    )


DOWN = Command("down", "Stop the cluster and keep its data", run=down)
RESET = Command(
    "reset",
    "Remove the cluster and every trace of it",
    run=reset,
    flags=(Flag("yes", "Do not ask, even when hosted clusters exist", BOOL, short="y"),),
)
