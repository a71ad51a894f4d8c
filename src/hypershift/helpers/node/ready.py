"""Answers the kubelet's probe: whether a program on the node has finished its work."""

import asyncio
from types import TracebackType
from typing import Self


class Readiness:
    """A listener on the loopback: 200 when ready, else 503."""

    def __init__(self, port: int) -> None:
        """Listen on a port of the node's loopback once entered."""
        self.ready = False
        self._port = port
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        """Begin to listen."""
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", self._port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """Stop to listen."""
        if self._server is not None:
            self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(5):
                await reader.readline()
            status = "200 OK" if self.ready else "503 Not Ready"
            writer.write(f"HTTP/1.0 {status}\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
        except (OSError, TimeoutError):
            return
        finally:
            writer.close()
