import asyncio
import socket

import pytest

from hypershift.local.controllers import watchman
from hypershift.local.controllers.watchman import SILENCES, Watchman


async def test_a_node_is_dead_after_several_silences_and_alive_after_one_answer() -> None:
    speaks = {"a": True, "b": False}

    async def ask(address: str) -> bool:
        return speaks[address]

    nodes = {"a": "a", "b": "b"}
    guard = Watchman(ask)
    for _ in range(SILENCES - 1):
        assert not await guard.round(nodes)
    assert await guard.round(nodes)
    assert guard.dead == {"b"}
    speaks["b"] = True
    assert await guard.round(nodes)
    assert guard.dead == frozenset()


async def test_a_node_that_left_is_forgotten() -> None:
    async def silence(_address: str) -> bool:
        return False

    guard = Watchman(silence)
    for _ in range(SILENCES):
        await guard.round({"a": "a"})
    assert guard.dead == {"a"}
    assert await guard.round({})
    assert guard.dead == frozenset()


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = int(free.getsockname()[1])
    monkeypatch.setattr(watchman, "KUBE_PROXY_HEALTH", number)
    monkeypatch.setattr(watchman, "PATIENCE", 0.2)
    return number


async def test_a_refused_connection_is_an_answer(port: int) -> None:
    assert port
    assert await watchman.answers("127.0.0.1")


async def test_a_frozen_program_is_silent(port: int) -> None:
    done = asyncio.Event()

    async def never(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.5)
        writer.close()
        await writer.wait_closed()
        done.set()

    async with await asyncio.start_server(never, "127.0.0.1", port):
        assert not await watchman.answers("127.0.0.1")
        await done.wait()
