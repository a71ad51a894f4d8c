"""Logs and commands of pods, against a small server that speaks the protocols of a real one."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import WSMsgType, web

from hypershift.kube import ApiError, Client, Config, Forbidden, NotFound, Unavailable
from hypershift.kube.websocket import PROTOCOL

STDIN, STDOUT, STDERR, ERROR, CLOSE = 0, 1, 2, 3, 255
SUCCESS = {"metadata": {}, "status": "Success"}


def failure(code: int) -> dict[str, Any]:
    causes = [{"reason": "ExitCode", "message": str(code)}]
    return {
        "metadata": {},
        "status": "Failure",
        "reason": "NonZeroExitCode",
        "message": f"command terminated with non-zero exit code: exit status {code}",
        "details": {"causes": causes},
    }


class Kubelet:
    """Answers `log` and `exec` as an API server does that has a kubelet behind it."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[web.Request] = []
        self.given = bytearray()
        self.protocols: tuple[str, ...] = ()

    async def log(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request)
        if request.match_info["name"] == "absent":
            status = {"kind": "Status", "reason": "NotFound", "message": "no such pod", "code": 404}
            return web.json_response(status, status=404)
        response = web.StreamResponse()
        await response.prepare(request)
        for part in (b"first li", b"ne\nsecond line\n", b"caf\xe9\n"):
            await response.write(part)
        return response

    async def exec(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request)
        if request.match_info["name"] == "forbidden":
            return web.Response(status=403, reason="Forbidden", text="no")
        socket = web.WebSocketResponse(protocols=(PROTOCOL,))
        await socket.prepare(request)
        self.protocols = (str(socket.ws_protocol),)
        if request.query.get("stdin"):
            await self._read(socket)
        await self._play(socket, request.query.getall("command"))
        await socket.close()
        return socket

    async def _read(self, socket: web.WebSocketResponse) -> None:
        async for message in socket:
            assert message.type is WSMsgType.BINARY
            if message.data[0] == CLOSE:
                assert message.data[1] == STDIN
                return
            self.given += message.data[1:]

    async def _play(self, socket: web.WebSocketResponse, command: list[str]) -> None:
        if command[0] == "vanish":
            return
        await socket.send_bytes(bytes([STDOUT]) + b"out ")
        await socket.send_bytes(bytes([STDERR]) + b"complaint")
        await socket.send_bytes(bytes([STDOUT]) + (bytes(self.given) or b"put"))
        status = failure(int(command[1])) if command[0] == "fail" else SUCCESS
        if command[0] == "break":
            status = {"status": "Failure", "reason": "InternalError", "message": "no container"}
        await socket.send_bytes(bytes([ERROR]) + json.dumps(status).encode())


@pytest.fixture
async def kubelet() -> AsyncIterator[Kubelet]:
    kubelet = Kubelet()
    app = web.Application()
    app.router.add_get("/api/v1/namespaces/{namespace}/pods/{name}/log", kubelet.log)
    app.router.add_get("/api/v1/namespaces/{namespace}/pods/{name}/exec", kubelet.exec)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    kubelet.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield kubelet
    await runner.cleanup()


@pytest.fixture
async def client(kubelet: Kubelet) -> AsyncIterator[Client]:
    async with Client.from_config(Config(kubelet.url)) as client:
        yield client


async def test_logs_come_whole_and_odd_bytes_do_not_break_them(client: Client) -> None:
    assert await client.logs("web", "shop") == "first line\nsecond line\ncaf\ufffd\n"


async def test_logs_are_asked_for_one_container_its_last_life_and_its_last_lines(
    client: Client, kubelet: Kubelet
) -> None:
    await client.logs("web", "shop", container="app", previous=True, tail=5)
    (request,) = kubelet.asked
    assert dict(request.query) == {"container": "app", "previous": "true", "tailLines": "5"}


async def test_followed_logs_come_line_by_line(client: Client, kubelet: Kubelet) -> None:
    lines = [line async for line in client.follow_logs("web", "shop", container="app")]
    assert lines == ["first line", "second line", "caf\ufffd"]
    assert dict(kubelet.asked[0].query) == {"container": "app", "follow": "true"}


async def test_logs_of_a_pod_that_is_not_there_are_not_found(client: Client) -> None:
    with pytest.raises(NotFound, match="no such pod"):
        await client.logs("absent", "shop")
    with pytest.raises(NotFound, match="no such pod"):
        async for _ in client.follow_logs("absent", "shop"):
            pass


async def test_a_command_gives_its_output_and_its_complaints(
    client: Client, kubelet: Kubelet
) -> None:
    result = await client.exec("web", "shop", ["echo", "a b"], container="app")
    assert (result.stdout, result.stderr, result.exit_code) == (b"out put", b"complaint", 0)
    (request,) = kubelet.asked
    assert request.query.getall("command") == ["echo", "a b"]
    assert request.query["container"] == "app"
    assert "stdin" not in request.query
    assert kubelet.protocols == (PROTOCOL,)


async def test_a_command_that_fails_gives_its_exit_code(client: Client) -> None:
    result = await client.exec("web", "shop", ["fail", "42"])
    assert (result.stdout, result.exit_code) == (b"out put", 42)


async def test_what_a_command_reads_is_sent_and_ended(client: Client) -> None:
    result = await client.exec("web", "shop", ["cat"], stdin=b"some words")
    assert result.stdout == b"out some words"


async def test_a_command_that_could_not_run_is_an_error(client: Client) -> None:
    with pytest.raises(ApiError, match="no container"):
        await client.exec("web", "shop", ["break"])


async def test_a_command_that_may_not_run_is_forbidden(client: Client) -> None:
    with pytest.raises(Forbidden):
        await client.exec("forbidden", "shop", ["ls"])


async def test_a_stream_that_ends_without_a_result_is_unavailable(client: Client) -> None:
    with pytest.raises(Unavailable, match="without a result"):
        await client.exec("web", "shop", ["vanish"])
