"""Restarts a server inside a larger process whenever it ends."""

from collections.abc import Awaitable, Callable

import structlog

from hypershift.kit.clock import Clock

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
#: A server that lived so long counts as well: its next failure is a first one.
WELL = 300.0
log = structlog.get_logger()


async def supervised(name: str, serve: Callable[[], Awaitable[None]], clock: Clock) -> None:
    """Run `serve` for ever; after an error or an end it runs again, later each time."""
    pause = FIRST_PAUSE
    while True:
        began = clock.monotonic()
        try:
            await serve()
            log.error("server ended, starting it again", server=name, after=pause)
        except Exception as error:  # noqa: BLE001 - others are served on, whatever one of them did
            # The text of an error may hold a secret, so only its type is logged.
            kind = type(error).__name__
            log.error("server failed, starting it again", server=name, type=kind, after=pause)  # noqa: TRY400 - see above
        if clock.monotonic() - began > WELL:
            pause = FIRST_PAUSE
        await clock.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)
