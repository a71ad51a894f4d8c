"""What `local logs` prints: a unit's log or a machine's console."""

import sys
import time
from pathlib import Path

from hypershift.kit import UsageError
from hypershift.local.cluster import node
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.supervise import process

INTERVAL = 0.3


def log_files(where: Layout, spec: Spec) -> dict[str, Path]:
    """Everything that has a log, by the name a user gives it."""
    found = {path.stem: path for path in sorted(where.logs.glob("*.log"))}
    consoles = {name: where.machines / name / "console.log" for name in node.names(spec)}
    workers = {path.parent.name: path for path in where.hosted.glob("*/console.log")}
    return {**found, "events": where.events, **consoles, **workers}


def show(where: Layout, spec: Spec, unit: str, *, lines: int, follow: bool) -> None:
    """Print the last lines, and those that come when asked to."""
    files = log_files(where, spec)
    if unit not in files:
        raise UsageError(f"there is no log of {unit!r}; there are: {', '.join(sorted(files))}")
    path = files[unit]
    for line in process.tail(path, lines):
        sys.stdout.write(f"{line}\n")
    if follow:
        _follow(path)


def _follow(path: Path) -> None:
    with path.open(errors="replace") as file:
        file.seek(0, 2)
        while True:
            text = file.read()
            if path.stat().st_size < file.tell():  # cut by the rotation
                file.seek(0)
            sys.stdout.write(text)
            sys.stdout.flush()
            time.sleep(INTERVAL)
