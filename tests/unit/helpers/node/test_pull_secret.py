"""A node's credentials follow the hosted cluster; a kubelet that stays away gets its own back."""

import time
from pathlib import Path

import pytest

from hypershift.helpers.node import kubelet, pull_secret
from hypershift.helpers.node.kubelet import NotRunningError, Process
from hypershift.helpers.node.pull_secret import step


class Kubelet:
    """A kubelet that may not come back."""

    def __init__(self) -> None:
        self.process = Process(17, time.time() - 60)
        self.restarts, self.fails = 0, 0

    async def restart(self, _old: Process) -> None:
        self.restarts += 1
        if self.restarts <= self.fails:
            raise NotRunningError("it did not come back")
        self.process = Process(18, time.time() + 60)

    async def is_healthy(self) -> bool:
        return True


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Kubelet:
    made = Kubelet()
    monkeypatch.setattr(kubelet, "find", lambda: made.process)
    monkeypatch.setattr(kubelet, "restart", made.restart)
    monkeypatch.setattr(kubelet, "is_healthy", made.is_healthy)
    monkeypatch.setattr(pull_secret, "PAUSES", (0.0, 0.0))
    return made


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    source, target = tmp_path / "wanted", tmp_path / "config.json"
    source.write_bytes(b"new")
    target.write_bytes(b"old")
    return source, target


async def test_another_content_is_written_for_root_alone_and_the_kubelet_restarts(
    files: tuple[Path, Path], played: Kubelet
) -> None:
    assert await step(*files)
    assert files[1].read_bytes() == b"new"
    assert files[1].stat().st_mode & 0o777 == 0o600
    assert played.restarts == 1
    assert await step(*files)
    assert played.restarts == 1


async def test_a_newline_more_is_no_difference(files: tuple[Path, Path], played: Kubelet) -> None:
    files[1].write_bytes(b"new\n")
    played.process = Process(17, time.time() + 60)
    assert await step(*files)
    assert files[1].read_bytes() == b"new\n"
    assert played.restarts == 0


async def test_a_kubelet_that_comes_back_late_is_restarted_again(
    files: tuple[Path, Path], played: Kubelet
) -> None:
    played.fails = 2
    assert await step(*files)
    assert played.restarts == 3


async def test_a_kubelet_that_stays_away_gets_what_it_had(
    files: tuple[Path, Path], played: Kubelet
) -> None:
    played.fails = 3
    with pytest.raises(NotRunningError):
        await step(*files)
    assert files[1].read_bytes() == b"old"
