"""What is believed of an answer of the update service."""

import json
from typing import Any

import pytest

from hypershift.cloud import update_service
from hypershift.cloud.stores.http import Answer, Call, StoreFailed
from hypershift.kit import TransientError

GRAPH = {"nodes": [{"version": "4.20.1", "payload": "quay.io/release@sha256:1"}]}


class Service:
    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, list[str]()

    def __call__(self, make: Any, **_: Any) -> Answer:
        call: Call = make()
        self.asked.append(call.url)
        if isinstance(self.answer, Exception):
            raise self.answer
        return Answer({}, json.dumps(self.answer).encode())


def service(monkeypatch: pytest.MonkeyPatch, answer: Any) -> Service:
    made = Service(answer)
    monkeypatch.setattr(update_service, "send", made)
    return made


async def test_a_version_is_asked_for_once_in_its_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, updates = service(monkeypatch, GRAPH), update_service.UpdateService()
    for _ in range(3):
        assert await updates.resolve("4.20.1", "stable-4.20") == "quay.io/release@sha256:1"
    assert asked.asked == [f"{update_service.ADDRESS}?channel=stable-4.20&arch=multi"]


async def test_without_a_channel_it_is_that_of_the_minor(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = service(monkeypatch, GRAPH)
    await update_service.UpdateService().resolve("4.20.1", "")
    assert "channel=fast-4.20&" in asked.asked[0]


@pytest.mark.parametrize(
    "answer",
    [
        {"nodes": []},
        {"nodes": [{"version": "4.20.1", "payload": ""}]},
        {"nodes": "none"},
        ["4.20.1"],
        None,
        StoreFailed("no answer", status=500),
    ],
)
async def test_an_answer_without_the_version_is_an_error(
    monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    service(monkeypatch, answer)
    with pytest.raises(TransientError):
        await update_service.UpdateService().resolve("4.20.1", "stable-4.20")
