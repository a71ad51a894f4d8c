from pathlib import Path

import pytest

from hypershift.kit import HypershiftError
from hypershift.local.supervise import control


async def echo(word: str) -> dict[str, str]:
    return {"word": word}


async def fail() -> None:
    raise ValueError("broken")


async def test_a_request_is_answered_and_a_fault_is_told(tmp_path: Path) -> None:
    path = tmp_path / "run" / "socket"
    async with await control.serve(path, {"echo": echo, "fail": fail}):
        assert await control.ask(path, "echo", word="x") == {"word": "x"}
        with pytest.raises(HypershiftError, match="broken"):
            await control.ask(path, "fail")
        with pytest.raises(HypershiftError, match="does not know"):
            await control.ask(path, "unheard")
        assert path.parent.stat().st_mode & 0o077 == 0


async def test_without_a_supervisor_the_caller_is_told(tmp_path: Path) -> None:
    with pytest.raises(control.NotRunning):
        await control.ask(tmp_path / "socket", "status")
