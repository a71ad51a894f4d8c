"""The client through which phases write: it changes nothing that lacks the cluster's own mark."""

import ast
import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.adversary.tenants import UP, a_cluster, a_namespace, a_secret, a_tenant, forged, staged
from tests.lib.memory import MemoryClient
from tests.lib.stage import Stage

from hypershift.api import annotations
from hypershift.kit import Key, Manifest
from hypershift.kube import AlreadyExists, Client, kinds
from hypershift.operators import hypershift
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.ownership import NotOurs, Owner, Ownership
from hypershift.operators.hypershift.reach import OwnClient, Reach

ME = Owner(Key("team", "red"), "1")


def a_client(*objects: Manifest) -> tuple[OwnClient, MemoryClient]:
    kube = MemoryClient(*objects)
    cluster = {"metadata": {"uid": ME.uid, "creationTimestamp": "2026-01-02T00:00:00Z"}}
    reach = Reach(kube, kube, ME.key, cluster)
    return OwnClient(kube, reach, random.Random(1)), kube  # noqa: S311 - ids of requests


def a_binding(**marks: str) -> Manifest:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "operator-team-red", "annotations": marks},
    }


WRITES: dict[str, Callable[[Client], Awaitable[Any]]] = {
    "create": lambda kube: kube.create(a_secret("new", "team-red")),
    "apply": lambda kube: kube.apply(a_secret("theirs", "team-red")),
    "replace": lambda kube: kube.replace(a_secret("theirs", "team-red")),
    "patch": lambda kube: kube.patch(kinds.SECRET, "theirs", {"data": {}}, "team-red"),
    "delete": lambda kube: kube.delete(kinds.SECRET, "theirs", "team-red"),
    "delete all": lambda kube: kube.delete_collection(kinds.SECRET, "team-red"),
    "submit": lambda kube: kube.submit(kinds.SECRET, "theirs", "team-red", "status", {}),
    "label": lambda kube: kube.apply(a_namespace("team-red")),
    "delete namespace": lambda kube: kube.delete(kinds.NAMESPACE, "team-red"),
    "elsewhere": lambda kube: kube.create(a_secret("new", "kube-system")),
    "another namespace": lambda kube: kube.patch(kinds.NAMESPACE, "kube-system", {}),
    "binding": lambda kube: kube.apply(a_binding()),
    "delete binding": lambda kube: kube.delete(kinds.CLUSTER_ROLE_BINDING, "operator-team-red"),
}


FOREIGN: dict[str, dict[str, str]] = {
    "no mark": {},
    "another cluster": ownership.mark(Owner(Key("team-red", ""), "1")),
    "an earlier cluster": ownership.mark(Owner(ME.key, "0")),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
@pytest.mark.parametrize("marks", FOREIGN.values(), ids=FOREIGN.keys())
async def test_nothing_is_written_where_others_are(
    marks: dict[str, str], write: Callable[[Client], Awaitable[Any]]
) -> None:
    guarded, kube = a_client(
        a_namespace("team-red", annotations=marks),
        a_namespace("kube-system"),
        a_secret("theirs", "team-red", password=b"secret"),
        a_binding(**marks),
    )
    with pytest.raises(NotOurs):
        await write(guarded)
    assert kube.writes == []
    assert await guarded.find(kinds.SECRET, "theirs", "team-red") is None
    assert await guarded.list(kinds.SECRET, "team-red") == []


async def test_an_existing_namespace_cannot_be_taken_by_creating_it() -> None:
    guarded, kube = a_client(a_namespace("team-red"))
    with pytest.raises(AlreadyExists):
        await guarded.create(a_namespace("team-red", annotations=ownership.mark(ME)))
    assert kube.writes == []


async def test_what_carries_the_mark_is_written_and_deleted() -> None:
    mine = ownership.mark(ME)
    guarded, kube = a_client(a_namespace("team-red", annotations=mine), a_binding(**mine))
    await guarded.apply(a_secret("new", "team-red"))
    await guarded.apply(a_binding(**mine))
    await guarded.delete(kinds.CLUSTER_ROLE_BINDING, "operator-team-red")
    await guarded.delete(kinds.NAMESPACE, "team-red")
    assert not await kube.find(kinds.NAMESPACE, "team-red")


@pytest.mark.parametrize(
    ("made", "plane", "standing"),
    [
        ("2026-01-02T00:00:00Z", "team/red", Ownership.OURS),
        ("2026-01-03T00:00:00Z", "team/red", Ownership.OURS),
        ("2026-01-01T00:00:00Z", "team/red", Ownership.FOREIGN),  # adopted by an older operator
        ("2026-01-03T00:00:00Z", "team-red/x", Ownership.FOREIGN),
        ("2026-01-03T00:00:00Z", "", Ownership.FOREIGN),
    ],
)
async def test_an_older_mark_needs_a_control_plane_and_a_later_birth(
    made: str, plane: str, standing: Ownership
) -> None:
    older = {"apiVersion": kinds.HOSTED_CONTROL_PLANE.api_version, "kind": "HostedControlPlane"}
    metadata = {"name": "red", "namespace": "team-red"}
    marked = older | {"metadata": metadata | {"annotations": {annotations.CLUSTER: plane}}}
    namespace = a_namespace("team-red", creationTimestamp=made, **forged("team/red"))
    kube = MemoryClient(namespace, *([marked] if plane else []))
    cluster = {"metadata": {"uid": ME.uid, "creationTimestamp": "2026-01-02T00:00:00Z"}}
    assert await Reach(kube, kube, ME.key, cluster).look() is standing


def test_a_pass_at_rest_asks_the_server_nothing() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await a_tenant(user, "team")
        await user.create(a_cluster("team", "red"))
        await asyncio.sleep(2 * UP)
        stage.requests.clear()
        woken = {"metadata": {"annotations": {"example.com/again": "1"}}}
        await user.patch(kinds.HOSTED_CLUSTER, "red", woken, "team")
        await asyncio.sleep(10)
        assert stage.writes == []
        asked = [one.path for one in stage.requests if one.method == "GET"]
        assert not [path for path in asked if path.startswith("/api/v1/namespaces/team-red")]

    staged(story)


def test_no_phase_goes_round_the_client_that_asks() -> None:
    folder = Path(hypershift.__file__).parent
    phases = [*folder.glob("hosted_cluster/**/*.py"), *folder.glob("node_pool/**/*.py")]
    round_it = [
        f"{path.relative_to(folder)}:{node.lineno}"
        for path in phases
        if path.name != "scope.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in ("kube", "live")
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "context"
    ]
    assert round_it == []
