import asyncio
from typing import Any

import pytest

from hypershift.cli.cluster.create import unbroken
from hypershift.cli.cluster.wait import Progress, short


def test_each_thing_is_said_once_and_then_that_it_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    moments = iter([0.0, 1.0, 2.0, 30.0, 31.0])
    progress = Progress(lambda: next(moments))
    for message in ("etcd", "etcd", "etcd", "nodes"):
        progress.say(message)
    lines = [line.split("] ")[1] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["etcd", "still etcd", "nodes"]


def a_pool(*conditions: tuple[str, str], replicas: int = 0) -> dict[str, Any]:
    return {
        "metadata": {"name": "demo", "namespace": "clusters"},
        "spec": {"replicas": 2},
        "status": {
            "replicas": replicas,
            "conditions": [{"type": kind, "status": status} for kind, status in conditions],
        },
    }


def test_a_pool_says_which_step_is_waited_for() -> None:
    [line] = short(a_pool(("ValidReleaseImage", "True"), ("ReachedIgnitionEndpoint", "False")))
    assert line == (
        "node pool demo: 0 of 2 nodes ready (machines boot and fetch their configuration)"
    )
    assert short(a_pool(replicas=2)) == []


async def test_what_is_begun_is_written_to_its_end() -> None:
    written: list[int] = []

    async def write() -> None:
        for number in range(3):
            await asyncio.sleep(0)
            written.append(number)

    task = asyncio.ensure_future(unbroken(write()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert written == [0, 1, 2]
