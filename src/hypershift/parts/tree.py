"""How a tool runs out of a tree of packages that is not installed."""

from pathlib import Path

_LOADERS = ("lib64/ld-linux-x86-64.so.2", "lib/ld-linux-aarch64.so.1")
#: Newer releases of the distribution have them below /usr alone.
LOADERS = (*_LOADERS, *(f"usr/{path}" for path in _LOADERS))


def from_tree(tree: Path, tool: str) -> tuple[str, ...]:
    """Run a tool with the libraries of its own tree, none of which the host needs to have."""
    found = (tree / loader for loader in LOADERS if (tree / loader).exists())
    loader = next(found, None)
    libraries = [str(path) for path in sorted(tree.glob("lib/*-linux-gnu"))]
    libraries += [str(path) for path in sorted(tree.glob("usr/lib/*-linux-gnu"))]
    if loader is None:
        return (str(tree / tool),)
    return (str(loader), "--library-path", ":".join(libraries), str(tree / tool))
