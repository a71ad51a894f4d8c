"""A dump of a hosted cluster whose API server is hostile, taken by an administrator, maybe as root.

Names of API groups, kinds, namespaces, pods and containers come from that server and become files.
Logs come from containers whose image the tenant chose.
"""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from tests.adversary.hostile import Guest, serving

from hypershift.cli import dump as command
from hypershift.dump import Collector, file_name, mask
from hypershift.kube import Client
from hypershift.kube.limits import VISITED

UP = "../" * 30
OUT = "stolen"
#: Seconds of the processor that masking 2 MB may take; with squares in it that takes hours.
MOST_SECONDS = 20.0
HALF = 1 << 20


def an_item(**metadata: Any) -> dict[str, Any]:
    return {"metadata": {"uid": "u", **metadata}}


def a_pod(name: str, container: str) -> dict[str, Any]:
    status = {"name": container, "state": {"running": {}}, "restartCount": 1}
    return an_item(name=name, namespace="x") | {"status": {"containerStatuses": [status]}}


def answers(place: Path) -> dict[str, Any]:
    """What leads out of the directory at every name that a server tells; `place` is outside."""
    lead = f"{UP}{place}/{OUT}"
    groups = [{"preferredVersion": {"groupVersion": name}} for name in ("apps/v1", f"{lead}-g/v1")]
    core = [
        {"name": "pods", "kind": "Pod", "namespaced": True},
        {"name": f"{lead}-k".replace("/", "\\"), "kind": "K", "namespaced": False},
    ]
    return {
        "/version": {},
        "/apis": {"groups": groups},
        "/api/v1": {"resources": core},
        "/apis/apps/v1": {"resources": []},
        "/api/v1/namespaces": {"items": [an_item(name=f"{lead}-n"), an_item(name="x")]},
        "/api/v1/namespaces/x/pods": {
            "items": [a_pod(f"{lead}-p", "c"), a_pod("p", f"{lead}-c"), a_pod("..", "..")]
        },
    }


@pytest.fixture
def where(tmp_path: Path) -> Path:
    (tmp_path / "tls").mkdir()
    made = tmp_path / "dump"
    made.mkdir()
    return made


async def dumped(where: Path, found: dict[str, Any]) -> Collector:
    """What `dump cluster --dump-guest-cluster` does inside."""

    async def answer(_: Guest, request: web.Request) -> web.Response:
        if request.path.endswith("/log"):
            return web.Response(text="owned\n")
        known = found.get(request.path, {"items": [an_item(name="a")], "resources": []})
        return web.Response(text=known if isinstance(known, str) else json.dumps(known))

    async with (
        serving(where.with_name("tls"), answer) as guest,
        Client.from_secret(guest.kubeconfig, limits=VISITED) as client,
    ):
        collector = Collector(client, where)
        await command.collect_inside(collector)
        return collector


def files(where: Path) -> set[Path]:
    return {path for path in where.rglob("*") if path.is_file()}


async def test_no_name_of_a_hosted_cluster_becomes_a_path(tmp_path: Path, where: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    collector = await dumped(where, answers(outside))
    assert collector.files > 0
    assert list(outside.iterdir()) == []
    below, everything = files(where), files(tmp_path)
    assert len(below) >= 2
    assert everything - below == {tmp_path / "tls/tls.crt", tmp_path / "tls/tls.key"}


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "\0", "x" * 5000, "\x1b[2J", "…"])
def test_a_name_is_one_segment(name: str) -> None:
    made = file_name(name)
    assert made not in ("", ".", "..")
    assert len(made.encode()) < 255
    assert made.isascii()
    assert made.isprintable()
    assert "/" not in made


def test_a_link_in_the_directory_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    (tmp_path / "dump").mkdir()
    (tmp_path / "dump/explain.txt").symlink_to(target)
    collector = Collector(None, tmp_path / "dump")  # type: ignore[arg-type] # asks nobody
    with pytest.raises(OSError, match=r"explain\.txt"):
        collector.write("explain.txt", "theirs")
    assert target.read_text() == "mine"


@pytest.mark.parametrize(
    "odd",
    [
        {"/apis": "&a [*a, *a]"},
        {"/apis": '{"groups": 5}'},
        {"/apis": '{"groups": [{"preferredVersion": null}]}'},
        {"/api/v1": {"resources": [{"name": 5}]}},
        {"/api/v1": {"resources": {"a": 1}}},
        {"/api/v1/namespaces": {"items": [{"metadata": {"name": {}}}, 5]}},
        {"/api/v1/namespaces/x/pods": {"items": [{"status": []}]}},
        {"/api/v1/namespaces/x/pods": {"items": [{"metadata": 5}]}},
    ],
)
async def test_whatever_it_answers_the_dump_goes_on(where: Path, odd: dict[str, Any]) -> None:
    collector = await dumped(where, answers(where.parent) | odd)
    assert collector.problems


async def test_kinds_and_namespaces_have_an_end(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "MOST_NAMESPACES", 3)
    monkeypatch.setattr("hypershift.dump.collect.MOST_KINDS", 2)
    many = [{"name": f"k{number}", "kind": "K", "namespaced": True} for number in range(100)]
    spaces = [an_item(name=f"n{number}") for number in range(100)]
    found = answers(where.parent) | {
        "/api/v1": {"resources": many},
        "/api/v1/namespaces": {"items": spaces},
    }
    collector = await dumped(where, found)
    assert collector.files == 3 * 2
    told = [line for line in collector.problems if line.startswith(("kinds:", "namespaces:"))]
    assert len(told) == 2


async def test_a_slow_cluster_ends_the_dump_and_not_the_patience(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "GUEST_SECONDS", 0.5)

    async def answer(_: Guest, __: web.Request) -> web.Response:
        await asyncio.sleep(10)
        return web.Response()

    async with (
        serving(tmp_path, answer) as guest,
        Client.from_secret(guest.kubeconfig, limits=VISITED) as client,
    ):
        collector = Collector(client, tmp_path / "dump")
        began = time.monotonic()
        await command.collect_inside(collector)
    assert time.monotonic() - began < 5
    assert "not everything was read" in collector.problems[-1]


@pytest.mark.parametrize(
    "log",
    [
        "\n" * 2 * HALF,
        " \n" * HALF,
        "eyJ-" * (HALF // 2),
        "eyJeyJ." * (HALF // 4),
        "-----BEGIN " * (HALF // 8),
        "-----BEGIN " + "PRIVATE KEY " * (HALF // 8),
        "bearer " * (HALF // 4),
        "bearer" + " " * 2 * HALF,
        "client-key-data " * (HALF // 8),
        "client-key-data" + "\n" * 2 * HALF,
        '"auth"' * (HALF // 4),
        "authorization:" * (HALF // 8),
        "token:\n" * (HALF // 4),
        "LS0tLS1CRUdJTiBQUklW" * (HALF // 16),
    ],
    ids=lambda log: repr(log[:16]),
)
def test_no_log_makes_masking_slow(log: str) -> None:
    began = time.process_time()
    mask.text(log)
    assert time.process_time() - began < MOST_SECONDS
