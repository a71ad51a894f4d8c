"""Honest hosted API servers on loopback: the simulated server behind TLS, in a process of its own.

`python -m tests.adversary.honest COUNT` prints their kubeconfigs as one JSON list.
"""

import asyncio
import json
import sys
import tempfile
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import Any

from aiohttp import web
from tests.adversary.hostile import Guest, serving
from tests.lib.sim.server import SimServer

from hypershift.kube import Request


class Honest:
    """Answers as a real server would."""

    def __init__(self) -> None:
        self._server = SimServer()

    async def __call__(self, guest: Guest, request: web.Request) -> web.StreamResponse:
        guest.requests.clear()
        asked = Request(
            request.method,
            request.rel_url.raw_path,
            tuple(request.query.items()),
            dict(request.headers),
            await request.read(),
            stream=request.query.get("watch") == "true",
        )
        answer = self._server.handle(asked)
        if answer.lines is None:
            return web.Response(status=answer.status, headers=answer.headers, body=answer.body)
        return await self._stream(request, answer.lines)

    async def _stream(self, request: web.Request, lines: Any) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            async with aclosing(lines):
                async for line in lines:
                    await response.write(line.rstrip(b"\n") + b"\n")
        except (ConnectionError, asyncio.CancelledError):
            pass
        return response


async def main(count: int) -> None:
    """Serve until standard input ends."""
    async with AsyncExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        guests = [
            await stack.enter_async_context(serving(directory, Honest())) for _ in range(count)
        ]
        sys.stdout.write(json.dumps([one.kubeconfig.decode() for one in guests]) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
