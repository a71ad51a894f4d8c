"""Shows a waiting user what happens, with the seconds since the start."""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

#: Events of the supervisor that are worth a line on the terminal.
TOLD = frozenset({"ready", "ended", "adopted", "failed", "joined", "booted"})


@dataclass(slots=True)
class Progress:
    """Prints lines; quiet for scripts."""

    write: Callable[[str], object] = sys.stderr.write
    clock: Callable[[], float] = time.monotonic
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.clock()

    @property
    def seconds(self) -> float:
        return self.clock() - self.began

    def __call__(self, line: str) -> None:
        """Print one message."""
        self.write(f"[{self.seconds:6.1f} s] {line}\n")


@dataclass(slots=True)
class Follower:
    """Reads the supervisor's journal from now on."""

    path: Path
    offset: int = 0

    @classmethod
    def from_now(cls, path: Path) -> "Follower":
        return cls(path, path.stat().st_size if path.exists() else 0)

    def news(self) -> list[dict[str, object]]:
        """The events since the last look."""
        if not self.path.exists():
            return []
        if self.path.stat().st_size < self.offset:  # rotated
            self.offset = 0
        with self.path.open() as file:
            file.seek(self.offset)
            text = file.read()
        whole, _, _ = text.rpartition("\n")
        self.offset += len(whole.encode()) + (1 if whole else 0)
        return [json.loads(line) for line in whole.splitlines()]


def sentence(event: dict[str, object]) -> str:
    """An event as a line for people; empty when it is not worth one."""
    if event["event"] not in TOLD:
        return ""
    seconds = f" ({event['seconds']} s)" if event.get("seconds") else ""
    error = f": {event['error']}" if event.get("error") else ""
    return f"{event['subject']} {event['event']}{seconds}{error}"
