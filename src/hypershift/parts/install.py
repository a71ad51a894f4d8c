"""Packages that must be on the system itself: named with their remedy, installed where we may."""

import os
import shutil
from collections.abc import Sequence

from hypershift.parts.errors import PartUnavailable
from hypershift.parts.lock import Report
from hypershift.parts.process import run

_INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends")


def may_install() -> bool:
    """Whether this user may install packages on this system."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


async def install_packages(packages: Sequence[str], why: str, report: Report) -> None:
    """Install packages on the system, with new lists when the present ones are old or missing."""
    listed = " ".join(packages)
    remedy = f"{why}: install the system's package {listed} (apt-get install {listed})"
    if not may_install():
        raise PartUnavailable(remedy)
    report(f"{why}: installing the system's package {listed}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    finished = await run((*_INSTALL, *packages), environment=environment)
    if not finished.ok:
        await run(("apt-get", "update"), environment=environment)
        finished = await run((*_INSTALL, *packages), environment=environment)
    if not finished.ok:
        last = " / ".join(finished.lines[-2:])
        raise PartUnavailable(f"{remedy}; doing so failed: {last}")
