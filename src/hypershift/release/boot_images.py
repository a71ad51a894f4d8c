"""Reads the boot images of a release: CoreOS streams, by name and processor."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypershift.kit import InvalidSpec
from hypershift.kit.budget import RELEASE
from hypershift.kit.documents import read

Stream = Mapping[str, Any]

#: What the streams call a processor; others are called the same in both worlds.
STREAM_ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True)
class BootImages:
    """The streams of a release; older ones have the one without a name alone."""

    default: Stream | None = None
    streams: Mapping[str, Stream] | None = None

    def named(self, name: str) -> Stream:
        """The stream of that name; releases that know a single one give that."""
        if name and self.streams is not None:
            found = self.streams.get(name)
            if found is None:
                known = " ".join(sorted(self.streams))
                raise InvalidSpec(f'stream "{name}" not found; available streams: [{known}]')
            return found
        if self.default is not None:
            return self.default
        if not name:
            raise InvalidSpec("no default stream metadata available")
        raise InvalidSpec(f'stream "{name}" not found and no default stream metadata available')


def read_boot_images(document: bytes) -> BootImages:
    """Read the ConfigMap that a release carries its streams in."""
    data = (read(document, RELEASE) or {}).get("data") or {}
    default, streams = (_value(data.get(key)) for key in ("stream", "streams"))
    if not all(isinstance(each, dict) for each in (streams or {}).values()):
        raise TypeError("a stream is not an object")
    return BootImages(default, streams)


def _value(text: str | None) -> Any:
    found = read(text, RELEASE) if text else None
    if not isinstance(found, dict | None):
        raise TypeError("streams are not an object")
    return found
