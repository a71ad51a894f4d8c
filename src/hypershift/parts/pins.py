"""Checksums that our own builds must have, by compiler and architecture, and those of downloads."""

import functools
from pathlib import Path

import msgspec

from hypershift.parts.part import Part

PINS_FILE = Path(__file__).parent / "pins.json"


@functools.cache
def pins() -> dict[str, dict[str, str]]:
    """Compiler and architecture -> `name@version` -> sha256."""
    return msgspec.json.decode(PINS_FILE.read_bytes(), type=dict[str, dict[str, str]])


def pinned_checksum(part: Part, toolchain: str, architecture: str) -> str:
    """What a build of a part with that compiler must have as sha256; empty when unknown."""
    builds = pins().get(f"{toolchain} linux/{architecture}", {})
    return builds.get(f"{part.name}@{part.version}", "")


def pinned_download(url: str) -> str:
    """The sha256 that a download must have, whatever its host publishes; empty when unknown."""
    return pins().get("downloads", {}).get(url, "")
