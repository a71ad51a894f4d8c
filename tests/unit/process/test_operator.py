"""How the operator's process is put together."""

import pytest
from tests.lib.memory import MemoryClient

from hypershift.kit import Key, Manifest
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.hypershift import Settings
from hypershift.operators.hypershift.node_pool import names as pools
from hypershift.process.operator import LEASE, SHARDS, manager
from hypershift.runtime.controller import cluster_of
from hypershift.runtime.leader import Elector


def named(namespace: str, name: str, **spec: str) -> Manifest:
    return {"metadata": {"namespace": namespace, "name": name}, "spec": spec}


async def test_a_replica_leads_or_shares_or_is_alone_as_it_is_told() -> None:
    alone = manager(Settings(leader_election=False), MemoryClient(), ())
    leads = manager(Settings(), MemoryClient(), ())
    shares = manager(Settings(sharding=True), MemoryClient(), ())
    assert alone.elector is None
    assert isinstance(leads.elector, Elector)
    assert shares.elector is shares.shards is not None


async def test_replicas_that_share_hold_the_leaders_lease_together() -> None:
    shards = manager(Settings(sharding=True, name="pod"), MemoryClient(), ()).shards
    assert shards is not None
    common = shards.settings.common()
    assert (common.name, common.identity) == (LEASE, SHARDS)
    assert shards.settings.membership("pod_1").name == f"{SHARDS}-pod"


@pytest.mark.parametrize("name", ["demo", "demo.one"])
def test_everything_about_a_cluster_is_the_same_replicas_work(name: str) -> None:
    plane = control_plane_namespace(Key("clusters", name))
    pool = named("clusters", "pool", clusterName=name)
    assert pools.cluster_of(pool) == plane
    assert cluster_of(named(plane, name)) == plane
