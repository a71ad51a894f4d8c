"""The program that has the shared ingress's proxy reload its configuration."""

import asyncio
import gzip
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from hypershift.helpers import sharedingress_config as program
from hypershift.helpers.sharedingress_config import Loader, text_of


class Master:
    """A proxy's master process: it counts reloads and answers as told."""

    def __init__(self, answer: bytes = b"Success=1\n--\n") -> None:
        self.answer, self.reloads, self.reloaded = answer, 0, asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.readline() == b"reload\n"
        self.reloads += 1
        self.reloaded.set()
        writer.write(self.answer)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def running(socket: Path, master: Master) -> AsyncIterator[None]:
    async with await asyncio.start_unix_server(master.serve, socket):
        yield


async def test_a_configuration_is_written_and_reloaded_once(tmp_path: Path) -> None:
    loader, master = Loader(tmp_path / "haproxy.cfg", tmp_path / "sock"), Master()
    async with running(tmp_path / "sock", master):
        await loader.load("one")
        assert (tmp_path / "haproxy.cfg").read_text() == "one"
        assert master.reloads == 1


async def test_a_proxy_that_does_not_run_yet_finds_the_file_and_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "SOON", 0.01)
    loader, master = Loader(tmp_path / "haproxy.cfg", tmp_path / "sock"), Master()
    assert not await loader.load("one")
    assert (tmp_path / "haproxy.cfg").read_text() == "one"
    keeping = asyncio.create_task(loader.keep())
    loader.take("two")
    await asyncio.sleep(0.05)
    async with running(tmp_path / "sock", master):
        await master.reloaded.wait()
    assert (tmp_path / "haproxy.cfg").read_text() == "two"
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping


async def test_a_refused_configuration_is_put_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loader = Loader(tmp_path / "haproxy.cfg", tmp_path / "sock")
    await loader.load("good")  # as the proxy starts with it
    async with running(tmp_path / "sock", Master(b"Success=0\n--\n[ALERT] line 3\n")):
        await loader.load("bad")
    assert (tmp_path / "haproxy.cfg").read_text() == "good"
    assert "line 3" in capsys.readouterr().err


async def test_changes_that_come_together_are_one_reload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "PACE", 0.05)
    loader, master = Loader(tmp_path / "haproxy.cfg", tmp_path / "sock"), Master()
    async with running(tmp_path / "sock", master):
        keeping = asyncio.create_task(loader.keep())
        for number in range(100):
            loader.take(f"{number}")
        await master.reloaded.wait()
        loader.take("99")
        await asyncio.sleep(0.2)
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping
    assert (tmp_path / "haproxy.cfg").read_text() == "99"
    assert master.reloads == 1


def test_a_large_configuration_comes_packed() -> None:
    packed = b64encode(gzip.compress(b"text")).decode()
    assert text_of({"binaryData": {"haproxy.cfg.gz": packed}}) == "text"
    assert text_of({"data": {"haproxy.cfg": "plain"}}) == "plain"
    assert text_of({}) == ""


def test_what_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "MOST_TEXT", 10)
    packed = b64encode(gzip.compress(b"x" * 11)).decode()
    with pytest.raises(ValueError, match="too large"):
        text_of({"binaryData": {"haproxy.cfg.gz": packed}})
