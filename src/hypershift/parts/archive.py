"""Binaries out of the archives that projects publish."""

import tarfile
from pathlib import Path

from hypershift.parts.errors import PartUnavailable

_CHUNK = 1 << 20


def extracted(download: Path, member: str, target: Path) -> Path:
    """A binary at its own place: the download itself, or one member of it."""
    if not member:
        return download.rename(target)
    try:
        with tarfile.open(download) as archive:
            stream = archive.extractfile(_member(archive, member))
            if stream is None:
                raise PartUnavailable(f"{member} in {download.name} is not a file")
            with stream, target.open("wb") as out:
                while chunk := stream.read(_CHUNK):
                    out.write(chunk)
    except (tarfile.TarError, KeyError, EOFError) as error:
        raise PartUnavailable(f"{download.name} has no {member}") from error
    return target


def _member(archive: tarfile.TarFile, wanted: str) -> tarfile.TarInfo:
    plain = wanted.removeprefix("./")
    for entry in archive:
        if entry.name.removeprefix("./") == plain:
            return entry
    raise KeyError(wanted)
