"""One real server for each test, and programs that run beside it as processes of their own."""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import yaml
from tests.lib.server import RealServer, available, real_server

Spawn = Callable[[str, str], AbstractAsyncContextManager[asyncio.subprocess.Process]]


@pytest.fixture
def server() -> Iterator[RealServer]:
    if not available():
        pytest.skip("etcd and kube-apiserver are not here: `hypershift parts fetch` gets them")
    with (
        tempfile.TemporaryDirectory(prefix="hypershift-kube-") as directory,
        real_server(Path(directory)) as running,
    ):
        yield running


@pytest.fixture
def spawn(server: RealServer) -> Spawn:
    """Runs a program with a kubeconfig and a name as its arguments; killed when the body ends."""

    @asynccontextmanager
    async def run(program: str, name: str) -> AsyncIterator[asyncio.subprocess.Process]:
        config = server.directory / f"{name}.kubeconfig"
        config.write_text(yaml.safe_dump(server.kubeconfig))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            program,
            str(config),
            name,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    return run
