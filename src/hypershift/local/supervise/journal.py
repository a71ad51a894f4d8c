"""What happened, for people: one JSON line per event, kept on disk and followed by `local up`."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hypershift.local.supervise.process import rotate

Listener = Callable[[dict[str, object]], None]


@dataclass(slots=True)
class Journal:
    """Appends events to a file and calls listeners."""

    path: Path
    clock: Callable[[], float] = time.time
    listeners: list[Listener] = field(default_factory=list)

    def say(self, subject: str, event: str, **details: object) -> None:
        """Write one event down; the subject is a unit, a machine or a controller."""
        entry = {"time": round(self.clock(), 3), "subject": subject, "event": event, **details}
        rotate(self.path, limit=4 << 20, keep=1)
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        for listener in tuple(self.listeners):
            listener(entry)
