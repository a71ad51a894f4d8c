"""`local down` and `local reset`."""

import asyncio
import sys
from dataclasses import dataclass

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.local.common import Place
from hypershift.cli.typed import Typed
from hypershift.kit import UsageError
from hypershift.local import down as teardown
from hypershift.local.cluster.state import Layout


async def down(place: Place) -> None:
    where, spec = place.present()
    await teardown.down(where, spec)


@dataclass(frozen=True, slots=True)
class Reset(Place):
    """What `local reset` is given."""

    yes: bool


async def reset(options: Reset) -> None:
    if not options.yes:
        await _ask(options.layout)
    await teardown.reset(options.layout)


async def _ask(where: Layout) -> None:
    """Ask before hosted clusters are lost; without a terminal the answer is no."""
    from hypershift.local.cluster.hosted import hosted_clusters  # noqa: PLC0415 - `--yes` needs no client

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


DOWN = Command("down", "Stop the cluster and keep its data", run=Typed(Place, down))
RESET = Command(
    "reset",
    "Remove the cluster and every trace of it",
    run=Typed(Reset, reset),
    flags=(Flag("yes", "Do not ask, even when hosted clusters exist", BOOL, short="y"),),
)
