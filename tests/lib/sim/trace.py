"""What happened in a schedule, line by line; the same seed writes the same bytes."""

import asyncio
from hashlib import sha256


class Trace:
    """Lines with their virtual time."""

    def __init__(self) -> None:
        """Start empty."""
        self.lines: list[str] = []

    def note(self, who: str, what: str) -> None:
        """Add one line."""
        self.lines.append(f"{asyncio.get_running_loop().time():.6f} {who}: {what}")

    def text(self) -> str:
        """The whole trace."""
        return "\n".join(self.lines) + "\n"

    def digest(self) -> str:
        """A name for the trace: equal traces have equal digests."""
        return sha256(self.text().encode()).hexdigest()
