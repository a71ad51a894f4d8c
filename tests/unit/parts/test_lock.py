import asyncio
import sys
from pathlib import Path

from hypershift.parts.lock import locked


async def test_the_second_waits_for_the_first_and_says_so(tmp_path: Path) -> None:
    order: list[str] = []
    lines: list[str] = []

    async def work(name: str, seconds: float) -> None:
        async with locked(tmp_path / "x.lock", "tool", lines.append):
            order.append(f"{name} in")
            await asyncio.sleep(seconds)
            order.append(f"{name} out")

    await asyncio.gather(work("a", 0.05), work("b", 0))
    assert order == ["a in", "a out", "b in", "b out"]
    assert lines == ["tool: another process is at it, waiting"]


async def test_a_killed_holder_leaves_the_lock_free(tmp_path: Path) -> None:
    file = tmp_path / "x.lock"
    code = (
        "import fcntl, sys, time; handle = open(sys.argv[1], 'w');"
        "fcntl.flock(handle, fcntl.LOCK_EX); print('held', flush=True); time.sleep(60)"
    )
    holder = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, file, stdout=asyncio.subprocess.PIPE
    )
    assert holder.stdout is not None
    assert await holder.stdout.readline() == b"held\n"
    holder.kill()
    await holder.wait()
    async with asyncio.timeout(5), locked(file, "tool"):
        pass
