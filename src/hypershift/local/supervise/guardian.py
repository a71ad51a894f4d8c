"""Restarts the supervisor when it ends: a process so small that nothing in it can break.

Run by path, with the standard library alone (the package would cost ten times its memory).
Processes that a crashed supervisor leaves behind become its children, so that none of ours is ever
a zombie. On SIGTERM it passes the signal on, starts nothing any more, and exits after its last
child.
"""

import ctypes
import os
import signal
import sys
import time
from types import FrameType

PAUSE = 1.0
PR_SET_CHILD_SUBREAPER = 36


def main(argv: list[str]) -> int:
    """Run `argv` until SIGTERM."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    child = 0
    ending = False

    def end(number: int, _frame: FrameType | None) -> None:
        nonlocal ending
        ending = True
        if child:
            os.kill(child, number)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    while True:
        if not child and not ending:
            child = os.spawnv(os.P_NOWAIT, argv[0], argv)  # noqa: S606 - our own interpreter
        try:
            pid, status = os.wait()
        except ChildProcessError:
            return 0
        if pid == child:
            child = 0
            ending = ending or os.waitstatus_to_exitcode(status) == 0
            if not ending:
                time.sleep(PAUSE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
