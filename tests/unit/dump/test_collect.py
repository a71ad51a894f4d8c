"""A dump takes what it can get, and says what it could not."""

import json
import stat
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.lib.memory import MemoryClient

from hypershift.dump import Collector, pack
from hypershift.dump.collect import containers
from hypershift.kit import Manifest
from hypershift.kube import ApiError, Resource, Unavailable, kinds

SPACE = "clusters-demo"


def an_object(kind: str, name: str, **fields: Any) -> Manifest:
    return {"kind": kind, "metadata": {"name": name, "namespace": SPACE}, **fields}


def a_pod(name: str, *, restarts: int = 0) -> Manifest:
    status = {"name": "main", "state": {"running": {}}, "restartCount": restarts}
    return an_object("Pod", name, status={"containerStatuses": [status]})


class Half(MemoryClient):
    """A cluster of which one kind does not answer and another cannot be listed."""

    async def raw(
        self, method: str, path: str, *, body: Any = None, query: dict[str, str] | None = None
    ) -> bytes:
        del method, path, body, query
        return json.dumps({"groups": [{"preferredVersion": {"groupVersion": "apps/v1"}}]}).encode()

    async def discover(self, api_version: str) -> Sequence[Resource]:
        review = Resource("", "v1", "bindings", "Binding")
        crds = kinds.CUSTOM_RESOURCE_DEFINITION
        core = [kinds.POD, kinds.SECRET, kinds.NODE, kinds.EVENT, review, crds]
        return core if api_version == "v1" else [kinds.DEPLOYMENT]

    async def list(
        self, resource: Resource, namespace: str = "", labels: str = "", fields: str = "", **_: Any
    ) -> list[Manifest]:
        if resource == kinds.EVENT:
            raise Unavailable(500, "Broken", "etcd is away")
        if resource.plural == "bindings":
            raise ApiError(405, "MethodNotAllowed", "no")
        return await super().list(resource, namespace, labels, fields)

    async def logs(
        self,
        name: str,
        namespace: str,
        *,
        container: str = "",
        previous: bool = False,
        tail: int | None = None,
        most: int | None = None,
    ) -> str:
        del namespace, container, tail, most
        if name == "silent":
            raise Unavailable(0, "Unreachable", "no route to host")
        return f"{'before' if previous else 'now'}: Authorization: Bearer abcdefghijklmnop\n"


@pytest.fixture
async def collector(tmp_path: Path) -> Collector:
    client = Half(
        a_pod("etcd-0", restarts=1),
        a_pod("silent"),
        an_object("Secret", "pull", data={"key": "aHVzaA=="}),
        {"kind": "Node", "metadata": {"name": "node-0"}},
    )
    made = Collector(client, tmp_path / "dump")
    served = await made.served()
    await made.namespace(SPACE, served)
    await made.cluster(served)
    return made


async def test_what_answers_is_there_and_what_does_not_is_told(collector: Collector) -> None:
    found = {str(path.relative_to(collector.root)) for path in collector.root.rglob("*.*")}
    logs = f"namespaces/{SPACE}/core/pods/logs"
    assert found >= {
        f"namespaces/{SPACE}/core/pods.yaml",
        f"namespaces/{SPACE}/core/secrets.yaml",
        "cluster-scoped-resources/core/nodes.yaml",
        f"{logs}/etcd-0-main.log",
        f"{logs}/etcd-0-main-previous.log",
    }
    assert sorted(line.split(":")[0] for line in collector.problems) == [
        f"events in {SPACE}",
        f"log {SPACE}/silent-main.log",
    ]


async def test_files_are_private_and_hold_no_secret(collector: Collector) -> None:
    files = [path for path in collector.root.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert "aHVzaA==" not in path.read_text()
        assert "abcdefghijklmnop" not in path.read_text()


async def test_the_archive_has_every_file_once(collector: Collector) -> None:
    archive = pack(collector.root)
    pack(collector.root)  # a second one does not contain the first
    with tarfile.open(archive) as packed:
        names = packed.getnames()
    assert len(names) == len(set(names)) == collector.files
    assert archive.name not in names


def test_a_container_that_never_ran_has_no_log() -> None:
    waiting = {"name": "main", "state": {"waiting": {}}, "restartCount": 0}
    assert not list(containers(an_object("Pod", "x", status={"containerStatuses": [waiting]})))
