"""How commands talk to a running supervisor: one JSON line each way over a socket of the owner."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from hypershift.kit import HypershiftError, TransientError

Handler = Callable[..., Awaitable[Any]]
LINE_LIMIT = 16 << 20


class NotRunning(TransientError):
    """No supervisor listens for this cluster."""


async def serve(path: Path, handlers: Mapping[str, Handler]) -> asyncio.AbstractServer:
    """Answer requests `{"do": name, ...arguments}` with `{"ok": result}` or `{"error": text}`."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, ValueError):
            writer.write(json.dumps(await _handled(handlers, await reader.readline())).encode())
            await writer.drain()
        writer.close()

    _make_room(path)
    return await asyncio.start_unix_server(answer, path, limit=LINE_LIMIT)


def _make_room(path: Path) -> None:
    """Only the owner may enter the directory, which protects the socket in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    path.unlink(missing_ok=True)


async def _handled(handlers: Mapping[str, Handler], line: bytes) -> dict[str, Any]:
    request = json.loads(line)
    name = request.pop("do", "")
    if name not in handlers:
        return {"error": f"the supervisor does not know {name!r}; it may be an older one"}
    try:
        return {"ok": await handlers[name](**request)}
    except HypershiftError as error:
        return {"error": str(error)}
    except Exception as error:  # noqa: BLE001 - a command's fault must not end the supervisor
        return {"error": f"{type(error).__name__}: {error}"}


async def ask(path: Path, do: str, **arguments: Any) -> Any:
    """Send one request and return its result."""
    try:
        reader, writer = await asyncio.open_unix_connection(path, limit=LINE_LIMIT)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise NotRunning(f"no supervisor listens at {path}") from error
    try:
        writer.write(json.dumps({"do": do, **arguments}).encode() + b"\n")
        await writer.drain()
        text = await reader.read()
    except ConnectionError:
        text = b""
    finally:
        writer.close()
    if not text:
        raise NotRunning("the supervisor ended before it answered")
    reply = json.loads(text)
    if "error" in reply:
        raise HypershiftError(reply["error"])
    return reply["ok"]
