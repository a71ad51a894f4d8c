"""Patience: what a busy server asks for is done, and no more than that."""

import asyncio
import random

import pytest
from tests.lib import virtual

from hypershift.kube import ApiError, Request, Response, TooManyRequests
from hypershift.kube.calls import ATTEMPTS, LONGEST_PATIENCE, Caller


class Busy:
    """Refuses some times, then answers."""

    def __init__(self, times: int, status: int = 429, **headers: str) -> None:
        self.left, self.status, self.asked = times, status, 0
        self._headers = {name.replace("_", "-"): value for name, value in headers.items()}

    async def request(self, _: Request) -> Response:
        self.asked += 1
        if self.left:
            self.left -= 1
            return Response(self.status, self._headers, b"{}")
        return Response(200, {}, b"{}")

    async def close(self) -> None:
        return None


def waited(server: Busy) -> float:
    """How long a call takes in all, in virtual time."""

    async def call() -> float:
        caller = Caller(server, "test", random.Random(1))  # noqa: S311 (jitter)
        await caller.answer("GET", "/x")
        return asyncio.get_running_loop().time()

    return virtual.run(call())


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_given_the_time_that_it_asks_for(status: int) -> None:
    server = Busy(2, status, Retry_After="7")
    assert 14 <= waited(server) <= 14 * 1.2
    assert server.asked == 3


def test_no_server_makes_us_wait_for_ever() -> None:
    assert waited(Busy(1, Retry_After="86400")) <= LONGEST_PATIENCE * 1.2


def test_a_server_that_stays_busy_is_an_error_after_some_attempts() -> None:
    server = Busy(100, Retry_After="1")
    with pytest.raises(TooManyRequests):
        waited(server)
    assert server.asked == ATTEMPTS


@pytest.mark.parametrize(("status", "headers"), [(429, {}), (500, {"Retry_After": "1"})])
def test_who_does_not_ask_for_patience_gets_none(status: int, headers: dict[str, str]) -> None:
    server = Busy(1, status, **headers)
    with pytest.raises(ApiError):
        waited(server)
    assert server.asked == 1
