"""Commands in containers, over the WebSocket protocol of `pods/exec`."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, runtime_checkable

import aiohttp
import msgspec

from hypershift.kube.errors import ApiError, Unavailable, status_error
from hypershift.kube.execution import ExecResult
from hypershift.kube.limits import exceeded
from hypershift.kube.transport import Request, Transport

PROTOCOL = "v5.channel.k8s.io"
#: A command that hangs must not block its caller for ever.
LONGEST = 150.0
#: Commands print little; what runs in a container may be another party's program.
MOST_OUTPUT = 64 << 20

Socket = AbstractAsyncContextManager[aiohttp.ClientWebSocketResponse]

_STDIN, _STDOUT, _STDERR, _ERROR, _CLOSE = 0, 1, 2, 3, 255
_CHANNELS = frozenset(bytes([one]) for one in (_STDOUT, _STDERR, _ERROR))


@runtime_checkable
class Sockets(Protocol):
    """A transport that can open a WebSocket."""

    def socket(self, request: Request, protocol: str) -> Socket:
        """Connect; the result is entered to do so."""
        ...


def socket_of(transport: Transport, request: Request, protocol: str) -> Socket:
    """Connect by a transport that can."""
    if not isinstance(transport, Sockets):
        raise ApiError(501, "NotImplemented", "this transport cannot run commands in pods")
    return transport.socket(request, protocol)


async def execute(
    transport: Transport,
    path: str,
    command: Sequence[str],
    *,
    container: str = "",
    stdin: bytes = b"",
) -> ExecResult:
    """Run a command in a running container and gather its output, within `LONGEST` seconds."""
    query = [("command", part) for part in command] + [("stdout", "true"), ("stderr", "true")]
    query += [("stdin", "true")] if stdin else []
    query += [("container", container)] if container else []
    request = Request("GET", path, tuple(query))
    try:
        async with asyncio.timeout(LONGEST), socket_of(transport, request, PROTOCOL) as stream:
            return await _converse(stream, stdin)
    except TimeoutError as error:
        raise Unavailable(0, "Timeout", "the command did not end", attempt=str(request)) from error
    except aiohttp.WSServerHandshakeError as error:
        raise status_error(
            {"message": error.message}, error.status, attempt=str(request)
        ) from error
    except (aiohttp.ClientError, OSError) as error:
        raise Unavailable(0, "Unreachable", str(error), attempt=str(request)) from error


async def _converse(stream: aiohttp.ClientWebSocketResponse, stdin: bytes) -> ExecResult:
    if stdin:
        await stream.send_bytes(bytes([_STDIN]) + stdin)
        await stream.send_bytes(bytes([_CLOSE, _STDIN]))
    output: dict[int, bytearray] = {_STDOUT: bytearray(), _STDERR: bytearray(), _ERROR: bytearray()}
    async for message in stream:
        if message.type is aiohttp.WSMsgType.BINARY and message.data[:1] in _CHANNELS:
            output[message.data[0]].extend(message.data[1:])
        if sum(map(len, output.values())) > MOST_OUTPUT:
            raise exceeded("the command prints too much", "exec")
    return ExecResult(bytes(output[_STDOUT]), bytes(output[_STDERR]), _exit_code(output[_ERROR]))


def _exit_code(status: bytearray) -> int:
    """The server's final message: a Status object whose details carry the exit code."""
    if not status:
        raise Unavailable(0, "ConnectionLost", "the command's stream ended without a result")
    answer = msgspec.json.decode(bytes(status))
    if answer.get("status") == "Success":
        return 0
    for cause in (answer.get("details") or {}).get("causes") or ():
        if cause.get("reason") == "ExitCode":
            return int(cause["message"])
    raise status_error(answer, attempt="exec")
