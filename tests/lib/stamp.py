"""Which run a figure is from: commit, machine and date."""

import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Stamp:
    """What somebody needs who repeats a run."""

    commit: str
    #: Whether the tree differed from the commit.
    changed: bool
    date: str
    cores: int
    memory_gib: int
    kernel: str
    #: Load of the machine before the run: figures of a busy machine say little.
    load: float

    @classmethod
    def now(cls) -> "Stamp":
        return cls(
            _git("rev-parse", "--short=12", "HEAD"),
            bool(_git("status", "--porcelain", "--untracked-files=no")),
            datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            os.cpu_count() or 0,
            round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIB),
            platform.release().split("-", maxsplit=1)[0],
            round(os.getloadavg()[0], 1),
        )

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def _git(*words: str) -> str:
    """What git prints; nothing outside of a clone."""
    done = subprocess.run(("git", *words), capture_output=True, text=True, check=False)
    return done.stdout.strip()
