"""Pools of a hosted cluster: sizes and marks of nodes; a deleted pool leaves nothing."""

from collections.abc import Iterator

import pytest
from tests.e2e import traces
from tests.e2e.embedded import until
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.workers import Pool, a_pool, is_ready, on_host

from hypershift.local.machine.spec import link_of
from hypershift.local.supervise import provider_runner

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def pool(hosted: Hosted) -> Iterator[Pool]:
    """A pool of small machines without any machine yet."""
    taint = {"key": "only", "value": "shop", "effect": "NoSchedule"}
    with a_pool(hosted, "flock") as made:
        made.patch({"spec": {"nodeLabels": {"team": "blue"}, "taints": [taint]}})
        yield made


def test_a_pool_of_none_becomes_three_and_its_nodes_bear_its_marks(pool: Pool) -> None:
    assert pool.machines() == []
    pool.scale(3)
    for node in pool.await_nodes(3):
        assert node["metadata"]["labels"]["team"] == "blue"
        taints = {(one["key"], one["effect"]) for one in node["spec"].get("taints", ())}
        assert ("only", "NoSchedule") in taints
        assert node["spec"]["providerID"].startswith("local://")
    until(lambda: pool.resource()["status"]["replicas"] == 3, PATIENCE)
    version = pool.hosted.management.spec.kubernetes
    until(lambda: pool.resource()["status"]["version"] == version, PATIENCE)


def test_a_pool_shrinks_to_one_and_to_none(pool: Pool) -> None:
    pool.scale(1)
    pool.await_nodes(1)
    pool.scale(0)
    pool.await_nodes(0)


def test_a_deleted_pool_leaves_nothing(hosted: Hosted) -> None:
    management = hosted.management
    before, secrets = traces.look(management.base), names_of(hosted, "secrets")
    with a_pool(hosted, "fleeting", replicas=1) as pool:
        pool.await_nodes(1)
        assert names_of(hosted, "secrets") > secrets
        name = on_host(hosted, pool.machines()[0])
        marks = (name, link_of(provider_runner.scope(management.spec), name))
        made = traces.left(before, traces.look(management.base), marks)
        # its mounts are its own: the host sees none, and shall see none afterwards
        assert {"processes", "links", "cgroups", "files"} <= set(made)
    for kind in ("machines", "machinesets", "machinedeployments", "localmachines"):
        assert not [one for one in names_of(hosted, kind) if one.startswith("fleeting")], kind
    assert not [one for one in names_of(hosted, "secrets") if "fleeting" in one]
    assert not [one for one in hosted.get("nodes") if not is_ready(one)]
    assert traces.left(before, traces.look(management.base), (*marks, "fleeting")) == {}


def names_of(hosted: Hosted, kind: str) -> set[str]:
    found = hosted.management.get(kind, "-n", hosted.plane)
    return {one["metadata"]["name"] for one in found}
