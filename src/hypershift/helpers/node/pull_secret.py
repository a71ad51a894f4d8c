"""On each node: keep the kubelet's credentials for registries as the hosted cluster wants them."""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from hypershift.helpers.log_line import log_line
from hypershift.helpers.node import kubelet
from hypershift.helpers.node.files import put
from hypershift.helpers.node.ready import Readiness

#: Between two looks, and between attempts to restart the kubelet.
LOOK, SOON = 30.0, 3.0
PAUSES: Sequence[float] = (1.0, 2.0)


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that the DaemonSet passes."""
    target = Path("/var/lib/kubelet/config.json")
    parser.add_argument("--source", type=Path, required=True, help="File with the wanted content")
    parser.add_argument("--target", type=Path, default=target, help="File that the kubelet reads")
    parser.add_argument("--ready-port", type=int, default=2047, help="Port of the readiness probe")


async def run(options: argparse.Namespace) -> int:
    """Keep the file until the pod ends."""
    async with Readiness(options.ready_port) as readiness:
        while True:
            try:
                readiness.ready = await step(options.source, options.target)
            except (OSError, ValueError) as error:
                readiness.ready = False
                log_line("not done yet", error=error)
            await asyncio.sleep(LOOK if readiness.ready else SOON)


async def step(source: Path, target: Path) -> bool:
    """Bring the file and the kubelet to the wanted content; True when nothing is left to do.

    A kubelet that does not come back gets the file that it had.
    """
    wanted, before = _content(source), _content(target)
    if wanted.rstrip(b"\n") != before.rstrip(b"\n"):
        put(target, wanted)
        log_line("credentials changed")
    if kubelet.is_older(kubelet.running(), (target,)):
        try:
            await _restart()
        except kubelet.NotRunningError:
            put(target, before)
            raise
    return await kubelet.is_healthy()


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


async def _restart() -> None:
    """Restart the kubelet, again after a pause when it does not come back."""
    for pause in (*PAUSES, None):
        try:
            await kubelet.restart(kubelet.running())
        except kubelet.NotRunningError:
            if pause is None:
                raise
            await asyncio.sleep(pause)
        else:
            return
