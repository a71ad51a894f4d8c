"""Runs `ip` and `nft`, and turns their complaints into our errors."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from hypershift.kit import HypershiftError


class CommandFailed(HypershiftError):
    """A tool of the host refused what we asked."""

    def __init__(self, argv: Sequence[str], message: str) -> None:
        super().__init__(f"{' '.join(argv)}: {message}")
        self.message = message


async def run(*argv: str, feed: str = "") -> str:
    """Run a tool and return what it prints."""
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate(feed.encode())
    if process.returncode:
        raise CommandFailed(argv, errors.decode(errors="replace").strip())
    return output.decode(errors="replace")


async def ip_json(*words: str) -> list[dict[str, Any]]:
    """What `ip` shows, as JSON; nothing when the device it was asked about is not there."""
    try:
        text = await run("ip", "-j", *words)
    except CommandFailed as error:
        if "does not exist" in error.message or "Cannot find device" in error.message:
            return []
        raise
    found: list[dict[str, Any]] = json.loads(text or "[]")
    return [entry for entry in found if entry]
