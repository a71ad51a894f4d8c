"""A registry's content, kept once in the cache: a new cluster starts with links to it.

Content is named by its digest and never changes, so many registries can share one copy of it; what
can change (which digest a tag means) is small and copied.
"""

import os
import shutil
from pathlib import Path

CONTENT = "data"
UPLOADS = "_uploads"


def plant(source: Path, target: Path) -> None:
    """Make `target` a registry with everything that `source` has, or nothing at all."""
    work = target.with_name(f"{target.name}.new")
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work, copy_function=_link, ignore=shutil.ignore_patterns(UPLOADS))
    try:
        work.rename(target)
    except OSError:  # somebody else was faster, which is as good
        shutil.rmtree(work, ignore_errors=True)


def _link(source: str, target: str) -> None:
    if Path(source).name == CONTENT:
        try:
            os.link(source, target)
        except OSError:  # another file system, or one without links
            shutil.copyfile(source, target)
    else:
        shutil.copyfile(source, target)
