import asyncio
import os
from pathlib import Path

import pytest

from hypershift.parts.process import run


async def test_lines_are_passed_on_as_they_come_and_the_last_ones_kept() -> None:
    seen: list[str] = []
    finished = await run(("sh", "-c", "seq 5; exit 3"), on_line=seen.append, keep=2)
    assert (finished.code, finished.ok, finished.lines) == (3, False, ("4", "5"))
    assert seen == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("script", "ending"), [("exit 3", "exit code 3"), ("kill -KILL $$", "SIGKILL")]
)
async def test_a_tool_that_says_nothing_is_known_by_its_end(script: str, ending: str) -> None:
    finished = await run(("sh", "-c", script))
    assert (finished.ending, finished.lines) == (ending, ())


async def test_being_cancelled_ends_the_tool_and_its_children(tmp_path: Path) -> None:
    script = f"sleep 60 & echo $! > {tmp_path}/child; echo started; wait"
    started = asyncio.Event()
    task = asyncio.create_task(run(("sh", "-c", script), on_line=lambda _line: started.set()))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    child = int((tmp_path / "child").read_text())
    assert await gone(child)


async def gone(pid: int) -> bool:
    """Whether a process ends, or has ended, within a second."""
    for _ in range(50):
        try:
            with open(f"/proc/{pid}/stat") as stat:  # noqa: ASYNC230, PTH123 - a pseudo file
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
            os.kill(pid, 0)
        except (FileNotFoundError, ProcessLookupError):
            return True
        await asyncio.sleep(0.02)
    return False
