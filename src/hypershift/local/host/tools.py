"""The programs that a cluster runs on the host, held by the cluster itself.

The cache may change or be emptied while a cluster runs; its own names of the files stay.
"""

import asyncio
import filecmp
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from hypershift import parts
from hypershift.local.images.sharing import plant_file


async def nft(keep: Path | None = None) -> tuple[str, ...]:
    """The command that runs nft: the host's own, else a kept copy of the one from parts."""
    if found := shutil.which("nft"):
        return (found,)
    tree = await parts.tools_tree()
    if tree is None:
        return ("nft",)
    words = parts.from_tree(tree, "usr/sbin/nft")
    return await asyncio.to_thread(kept, words, keep) if keep else words


def kept(words: tuple[str, ...], directory: Path) -> tuple[str, ...]:
    """The same program out of a directory of ours: loader, libraries and all."""
    loader, flag, libraries, program = words
    listed = subprocess.run(
        (loader, flag, libraries, "--list", program), check=True, capture_output=True, text=True
    ).stdout
    found = {Path(word) for word in listed.split() if word.startswith("/")}
    directory.mkdir(parents=True, exist_ok=True)
    for path in (*found, Path(loader), Path(program)):
        plant_file(path.resolve(), directory / path.name)
    here = str(directory)
    return f"{here}/{Path(loader).name}", flag, here, f"{here}/{Path(program).name}"


def keep_binaries(binaries: Mapping[str, Path], directory: Path) -> dict[str, Path]:
    """Names of our own for the units' programs; one that runs and has not changed stays."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, source in binaries.items():
        target = directory / name
        if not target.exists() or not filecmp.cmp(source, target):
            plant_file(source, target)
    return {name: directory / name for name in binaries}
