"""Where parts are looked for and kept, as the environment says."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def architecture() -> str:
    """This machine's architecture, in Go's word for it."""
    machine = platform.machine()
    return ARCHITECTURES.get(machine, machine)


def cache_directory(environment: Mapping[str, str]) -> Path:
    """The cache of this user: `$HYPERSHIFT_CACHE`, else the place that XDG names."""
    if chosen := environment.get("HYPERSHIFT_CACHE"):
        return Path(chosen)
    base = environment.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "hypershift"


@dataclass(frozen=True, slots=True)
class Settings:
    """One user's choices.

    `directory` holds binaries that the user brings; `offline` skips official downloads, while
    builds still ask the Go module proxy for what the module cache lacks. `pinned_only` downloads
    only what has a checksum of ours, and builds the rest.
    """

    cache: Path
    directory: Path | None = None
    offline: bool = False
    pinned_only: bool = False
    architecture: str = field(default_factory=architecture)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        directory = environment.get("HYPERSHIFT_PARTS_DIR")
        return cls(
            cache=cache_directory(environment),
            directory=Path(directory) if directory else None,
            offline=environment.get("HYPERSHIFT_OFFLINE", "") not in {"", "0", "false"},
            pinned_only=environment.get("HYPERSHIFT_DOWNLOADS", "") == "pinned",
        )
