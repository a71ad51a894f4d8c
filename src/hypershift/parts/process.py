"""Running a tool: its output as it comes, its end with ours."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

GRACE = 5.0
KEPT_LINES = 60


@dataclass(frozen=True, slots=True)
class Finished:
    """How a tool ended, and the last lines it wrote."""

    code: int
    lines: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def ending(self) -> str:
        """The exit code or signal, for a tool that says nothing itself."""
        return f"exit code {self.code}" if self.code >= 0 else signal.Signals(-self.code).name

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def ignore(_line: str) -> None:
    """Let a line pass."""


async def run(
    arguments: Sequence[str | Path],
    *,
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] = ignore,
    keep: int = KEPT_LINES,
) -> Finished:
    """Run a tool to its end; being cancelled ends it and everything that it started."""
    process = await asyncio.create_subprocess_exec(
        *arguments,
        cwd=directory,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        # a group of its own, so that a compiler's children end with it
        start_new_session=True,
    )
    try:
        lines = await _lines(process, on_line, keep)
        return Finished(await process.wait(), lines)
    except BaseException:
        await _end(process)
        raise


async def _lines(
    process: asyncio.subprocess.Process, on_line: Callable[[str], None], keep: int
) -> tuple[str, ...]:
    assert process.stdout is not None  # noqa: S101 - we asked for a pipe
    kept: list[str] = []
    async for raw in process.stdout:
        line = raw.decode(errors="replace").rstrip()
        on_line(line)
        kept = [*kept[1 - keep :], line]
    return tuple(kept)


async def _end(process: asyncio.subprocess.Process) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE)
            return
