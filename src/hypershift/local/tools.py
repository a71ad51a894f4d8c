"""Where the host's tools are: its own, else the ones that parts unpack beside it."""

import shutil
from pathlib import Path

from hypershift import parts

LOADERS = ("lib64/ld-linux-x86-64.so.2", "lib/ld-linux-aarch64.so.1")


async def nft() -> tuple[str, ...]:
    """The words that run nft on this host."""
    if found := shutil.which("nft"):
        return (found,)
    tree = await parts.tools_tree()
    return from_tree(tree, "usr/sbin/nft") if tree else ("nft",)


def from_tree(tree: Path, tool: str) -> tuple[str, ...]:
    """Run a tool with the libraries of its own tree, none of which the host needs to have."""
    found = (tree / loader for loader in LOADERS if (tree / loader).exists())
    loader = next(found, None)
    libraries = [str(path) for path in sorted(tree.glob("lib/*-linux-gnu"))]
    libraries += [str(path) for path in sorted(tree.glob("usr/lib/*-linux-gnu"))]
    if loader is None:
        return (str(tree / tool),)
    return (str(loader), "--library-path", ":".join(libraries), str(tree / tool))
