"""Where gpgv is: on this system, else in a tree of the distribution's package."""

import shutil

from hypershift.parts import debian
from hypershift.parts.cache import Cache
from hypershift.parts.errors import PartUnavailable
from hypershift.parts.lock import Report, silent
from hypershift.parts.tree import from_tree

_PACKAGE, _PATH = "gpgv", "usr/bin/gpgv"


async def find_gpgv(cache: Cache, report: Report = silent) -> tuple[str, ...]:
    """The command that runs gpgv; a system without it and without packages has no such command."""
    if own := shutil.which(_PACKAGE):
        return (own,)
    if not debian.available():
        raise PartUnavailable("its signature cannot be checked without gpgv, which is not here")
    return from_tree(await debian.fetch_tree(cache, (_PACKAGE,), report), _PATH)
