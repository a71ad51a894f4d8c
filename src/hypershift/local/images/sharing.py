"""What clusters take from the cache without copying it, and keep when the cache is emptied.

Content is named by its digest and never changes, so many registries can share one copy of it; what
can change (which digest a tag means) is small and copied.
"""

import os
import shutil
from collections.abc import Collection
from pathlib import Path

from hypershift.kit import temporary_name

CONTENT = "data"
UPLOADS = "_uploads"
DIGEST = 64


def share_registry(source: Path, target: Path, wanted: Collection[str] | None = None) -> None:
    """Make `target` a registry with what `source` has, or nothing at all.

    With `wanted`, only content of these digests comes along; what else is named is then unknown.
    """

    def unwanted(directory: str, names: list[str]) -> set[str]:
        found = {name for name in names if name == UPLOADS}
        if wanted is not None and Path(directory).parent.name == "sha256":
            found |= {name for name in names if len(name) == DIGEST and name not in wanted}
        return found

    work = target.with_name(temporary_name(target.name))
    shutil.copytree(source, work, copy_function=_link, ignore=unwanted)
    _publish(work, target)


def plant_tree(source: Path, target: Path) -> None:
    """Make `target` the same tree as `source`, which must not change."""
    if target.is_dir():
        return
    work = target.with_name(temporary_name(target.name))
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, work, symlinks=True, copy_function=plant_file)
    _publish(work, target)


def _publish(work: Path, target: Path) -> None:
    """Move a finished copy to its place; another writer may have been faster, which is as good."""
    try:
        work.rename(target)
    except OSError:
        shutil.rmtree(work, ignore_errors=True)
        if not target.is_dir():
            raise


def plant_file(source: str | Path, target: str | Path) -> None:
    """Another name for the same file, or a copy on another file system."""
    try:
        os.link(source, target)
    except FileExistsError:
        Path(target).unlink()
        plant_file(source, target)
    except OSError:
        shutil.copy2(source, target)


def _link(source: str, target: str) -> None:
    if Path(source).name == CONTENT:
        plant_file(source, target)
    else:
        shutil.copyfile(source, target)
