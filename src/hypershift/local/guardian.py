"""Starts the supervisor again when it dies: a process so small that nothing in it can break.

Run by path, with the standard library alone (the package would cost ten times its memory). It ends
when told to (SIGTERM, passed on) or when the supervisor ends by itself with code 0.
"""

import os
import signal
import sys
import time
from types import FrameType

PAUSE = 1.0


def main(argv: list[str]) -> int:
    """Run `argv` until it ends in peace."""
    child = 0
    ending = False

    def pass_on(number: int, _frame: FrameType | None) -> None:
        nonlocal ending
        ending = True
        if child:
            os.kill(child, number)

    signal.signal(signal.SIGTERM, pass_on)
    signal.signal(signal.SIGINT, pass_on)
    while True:
        child = os.spawnv(os.P_NOWAIT, argv[0], argv)  # noqa: S606 - our own interpreter
        _, status = os.waitpid(child, 0)
        if ending or os.waitstatus_to_exitcode(status) == 0:
            return 0
        time.sleep(PAUSE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
