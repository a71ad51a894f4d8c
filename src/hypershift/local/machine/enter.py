"""A command inside a machine: `python -m hypershift.local.machine.enter PID GROUP COMMAND...`."""

import os
import signal
import sys

from hypershift.local.machine import cgroup, users
from hypershift.local.machine.confine import confine
from hypershift.local.machine.syscalls import MACHINE_NAMESPACES, setns

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NOT_FOUND = 127


def main(pid: int, group: str, command: list[str]) -> int:
    """Enter the machine of `pid` and run the command there; its exit code is ours."""
    target = os.pidfd_open(pid)
    hierarchies = cgroup.detect()
    hierarchies.join(group, os.getpid())
    users.join(pid, target)
    setns(target, MACHINE_NAMESPACES)
    os.chdir("/")
    # A pid namespace is entered by children only.
    child = os.fork()
    if child == 0:
        confine(without=hierarchies.needed_calls)
        _run(command)
    # What the terminal sends is for the command: we only wait for its end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _run(command: list[str]) -> None:
    environment = {"PATH": PATH, "HOME": "/root", "TERM": os.environ.get("TERM", "dumb")}
    try:
        os.execvpe(command[0], command, environment)  # noqa: S606 - no shell is the point
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201 - the user's terminal
    os._exit(NOT_FOUND)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
