"""The chart in `charts/hypershift`: what `hypershift install helm` writes, kept for review.

`python -m tools.chart DIRECTORY` writes it. Three things differ from a chart that a user renders:
file names have no colon, since archives of sources refuse them; the version is the one under
development, so that a commit does not change every file; and definitions of Cluster API and its
providers have open schemas, since the real ones are other projects' text. `make release` packs a
rendered chart.
"""

import asyncio
import re
import shutil
import sys
import tempfile
from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

from hypershift.cli.command import understand
from hypershift.cli.install import rendered_crds
from hypershift.cli.install.provider_kinds import core_kinds
from hypershift.cli.main import HYPERSHIFT
from hypershift.kit import Manifest
from tools.version import FIRST


async def _core() -> list[Manifest]:
    return core_kinds()


async def _none(_platforms: Collection[str]) -> list[Manifest]:
    return []


async def _render(directory: Path) -> None:
    line = understand(HYPERSHIFT, ["install", "helm", f"--output-dir={directory}"])
    real = patch.multiple(rendered_crds, _core=_core, _providers=_none)
    with real:
        await line.command.run(line.values)  # type: ignore[misc]


def chart() -> dict[str, str]:
    """Every file of the chart, by its path in it."""
    ours = re.compile(rf"(?<![\w.]){re.escape(version('hypershift'))}(?![\w.])")
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        asyncio.run(_render(root))
        files = sorted(path for path in root.rglob("*") if path.is_file())
        return {_name(path, root): ours.sub(FIRST, path.read_text()) for path in files}


def _name(path: Path, root: Path) -> str:
    """A file's path in the folder: archives of sources refuse colons, which names of roles have."""
    return str(path.relative_to(root)).replace(":", "-")


def write(directory: Path) -> None:
    shutil.rmtree(directory, ignore_errors=True)
    for name, text in chart().items():
        target = directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
