"""A unit: one process of the host that the supervisor keeps running."""

import hashlib
import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Probe:
    """How to see that a unit serves: an HTTP(S) request that must answer 200, or an open port."""

    host: str
    port: int
    path: str = ""
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    tls: bool = True


@dataclass(frozen=True, slots=True)
class Unit:
    """What to run, what must run before it, and how to check that it serves."""

    name: str
    argv: tuple[str, ...]
    needs: tuple[str, ...] = ()
    probe: Probe | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    directory: Path = Path("/")
    stop_signal: int = signal.SIGTERM
    #: How long a unit may take to stop before it is killed.
    grace: float = 3.0
    #: How long until it must serve; the first start of an API server on two busy cores is slow.
    patience: float = 120.0
    #: Whether it is quiet once it serves, and needs little of what its start needed.
    quiet: bool = False

    @property
    def digest(self) -> str:
        """Changes when the unit must be restarted: another command line, or another program."""
        text = json.dumps([self.argv, sorted(self.environment.items()), _stamp(self.argv[0])])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _stamp(program: str) -> list[int]:
    try:
        found = Path(program).stat()
    except OSError:
        return []
    return [found.st_size, found.st_mtime_ns]


def flags(values: Mapping[str, object]) -> tuple[str, ...]:
    """Long options in the order given; True and False as Go writes them."""
    return tuple(f"--{name}={_word(value)}" for name, value in values.items())


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
