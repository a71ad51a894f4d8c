"""Log lines of helpers: one JSON document each, without the runtime's logging."""

import json
import sys


def log_line(event: str, **values: object) -> None:
    """Write one line; values are shown as text."""
    line = {"event": event, **{name: str(value) for name, value in values.items()}}
    sys.stderr.write(json.dumps(line) + "\n")
    sys.stderr.flush()
