"""Checksums that our own builds must have, by compiler and architecture, and those of downloads.

Those of builds were computed here. Those of downloads were published by each project when it made
the release, and are written down in public repositories: `recorded_by` names where each was found.
"""

import functools
from pathlib import Path

import msgspec

from hypershift.parts.part import Part

PINS_FILE = Path(__file__).parent / "pins.json"
DOWNLOADS_FILE = Path(__file__).parent / "downloads.json"


class Pin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sha256 of a project's release file, and who recorded it, so far as we know."""

    sha256: str
    recorded_by: tuple[str, ...]


@functools.cache
def pins() -> dict[str, dict[str, str]]:
    """Compiler and architecture -> `name@version` -> sha256."""
    return msgspec.json.decode(PINS_FILE.read_bytes(), type=dict[str, dict[str, str]])


@functools.cache
def downloads() -> dict[str, Pin]:
    """Address -> what it must give."""
    return msgspec.json.decode(DOWNLOADS_FILE.read_bytes(), type=dict[str, Pin])


def pinned_checksum(part: Part, toolchain: str, architecture: str) -> str:
    """What a build of a part with that compiler must have as sha256; empty when unknown."""
    builds = pins().get(f"{toolchain} linux/{architecture}", {})
    return builds.get(f"{part.name}@{part.version}", "")


def pinned_download(url: str) -> str:
    """The sha256 that a download must have, whatever its host publishes; empty when unknown."""
    pin = downloads().get(url)
    return pin.sha256 if pin else ""
