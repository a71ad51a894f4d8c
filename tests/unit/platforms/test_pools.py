"""How the pools of each cloud behave."""

from typing import Any

import pytest
from tests.lib.pools import pool_facts

from hypershift.api import read
from hypershift.api.node_pool import NodePoolPlatform, NodePoolPlatformStatus
from hypershift.api.platforms.platform import Platform
from hypershift.platforms import PLATFORMS, Pools
from hypershift.platforms.pools import KeptImage


def named(**traits: Any) -> set[str]:
    """The clouds whose pools answer as given."""
    wanted = traits.items()
    return {
        name
        for name, each in PLATFORMS.items()
        if all(getattr(each.pools, trait) == value for trait, value in wanted)
    }


def test_machines_of_every_cloud_have_a_processor() -> None:
    assert named(architectures=()) == {"IBMCloud"}


def test_running_machines_read_their_user_data_on_two_clouds() -> None:
    assert named(keeps_user_data=True) == {"AWS", "KubeVirt"}
    assert named(keeps_user_data=True, deletes_user_data_since=None) == {"KubeVirt"}


def a_section(section: dict[str, Any]) -> Platform:
    return read(Platform, section)


def test_pools_grow_from_zero_where_the_autoscaler_can_know_the_machines() -> None:
    assert named(scales_from_zero=True) == {"AWS", "Azure", "Local"}
    assert named(describes_absent_machines=True) == {"Local"}


def test_bare_machines_get_more_time_to_come_back() -> None:
    assert named(slow_to_return=True) == {"Agent", "None"}


@pytest.mark.parametrize(
    ("platform", "section", "hosts"),
    [
        ("AWS", {"aws": {"region": "us-east-1"}}, {"169.254.169.254", ".ec2.internal"}),
        ("AWS", {"aws": {"region": "r"}}, {"169.254.169.254", ".r.compute.internal"}),
        ("Azure", {}, {"169.254.169.254"}),
        ("GCP", {}, set()),
    ],
)
def test_nodes_reach_their_cloud_without_a_proxy(
    platform: str, section: dict[str, Any], hosts: set[str]
) -> None:
    assert PLATFORMS[platform].pools.direct_hosts(a_section(section)) == hosts


def test_only_reserved_capacity_asks_for_a_newer_control_plane() -> None:
    demand = PLATFORMS["AWS"].pools.demand
    assert demand(read(NodePoolPlatform, {"aws": {"placement": {}}})) is None
    asked: dict[str, Any] = {"aws": {"placement": {"capacityReservation": {}}}}
    found = demand(read(NodePoolPlatform, asked))
    assert found
    assert "4.18" in found.unknown_to
    assert "4.19" not in found.unknown_to


def test_a_copy_of_the_boot_image_is_made_where_the_pool_asks_for_one() -> None:
    cache = PLATFORMS["KubeVirt"].pools.image_cache
    assert cache
    stream = {"x86_64": {"images": {"kubevirt": {"digest-ref": "quay.io/x@sha256:d"}}}}
    volume = {"type": "Persistent", "persistent": {"size": "32Gi"}}
    assert cache.wanted(pool_facts("KubeVirt", {"rootVolume": volume}, stream=stream)) is None
    asked = {"rootVolume": volume | {"cacheStrategy": {"type": "PVC"}}}
    image = cache.wanted(pool_facts("KubeVirt", asked, stream=stream))
    assert image
    assert image.manifest["metadata"]["annotations"][cache.digest_annotation] == image.digest
    assert image.labels.items() <= image.manifest["metadata"]["labels"].items()


def test_the_kubeconfig_of_another_cluster_is_found_in_spec_and_status() -> None:
    cache = PLATFORMS["KubeVirt"].pools.image_cache
    assert cache
    secret = {"infraKubeConfigSecret": {"name": "infra", "key": "k"}, "infraNamespace": "there"}
    given = {"cacheName": "copy", "credentials": secret}
    named = cache.kubeconfig(a_section({"kubevirt": given}))
    assert named
    assert (named.name, named.key) == ("infra", "k")
    status = read(NodePoolPlatformStatus, {cache.section: given})
    assert cache.kept(status) == KeptImage("copy", "there", named)
    assert cache.kept(read(NodePoolPlatformStatus, {cache.section: {}})) is None
    assert cache.kubeconfig(a_section({"kubevirt": {}})) is None


def test_a_cloud_that_is_not_special_makes_no_machines_and_asks_for_nothing() -> None:
    plain = Pools()
    assert plain.machines is None
    assert not plain.made_elsewhere(read(NodePoolPlatform, {}))
    assert plain.leaves_network(a_section({}))
    assert plain.demand(read(NodePoolPlatform, {})) is None
