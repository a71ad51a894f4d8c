"""Files out of the archives that modules carry beside their code."""

import tarfile
from collections.abc import Iterator
from pathlib import Path


def members(archive: Path, folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file in a folder of an archive, in the order of names."""
    with tarfile.open(archive) as packed:
        for entry in sorted(packed.getmembers(), key=lambda found: found.name):
            if entry.isfile() and entry.name.startswith(f"{folder}/"):
                content = packed.extractfile(entry)
                if content is not None:
                    yield entry.name.removeprefix(f"{folder}/"), content.read()
