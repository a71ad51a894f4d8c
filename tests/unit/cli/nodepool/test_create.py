from typing import Any

import pytest

from hypershift.cli.command import understand
from hypershift.cli.main import HYPERSHIFT
from hypershift.cli.nodepool import aws, kubevirt, openstack
from hypershift.cli.nodepool.create import node_pool
from hypershift.cli.nodepool.platform import PoolPlatform, parameters
from hypershift.cli.nodepool.skew import check_architecture, control_plane_version
from hypershift.cli.typed import options
from hypershift.kit import UsageError

CLUSTER: dict[str, Any] = {
    "spec": {
        "infraID": "demo-x",
        "release": {"image": "release:1"},
        "platform": {"type": "AWS", "aws": {"cloudProviderConfig": {"subnet": {"id": "sub"}}}},
    }
}


def pool(platform: PoolPlatform[Any], *words: str) -> dict[str, Any]:
    line = understand(HYPERSHIFT, ["create", "nodepool", platform.name, *words])
    given = options(platform.options, line.values)
    return node_pool(given, platform, platform.complete(given), CLUSTER)


def test_a_pool_follows_its_cluster_where_flags_say_nothing() -> None:
    spec = pool(aws.PLATFORM)["spec"]
    assert spec["release"] == {"image": "release:1"}
    assert spec["replicas"] == 2
    assert spec["platform"]["aws"]["instanceProfile"] == "demo-x-worker"
    assert spec["platform"]["aws"]["subnet"] == {"id": "sub"}


def test_the_old_name_of_replicas_still_counts() -> None:
    assert pool(aws.PLATFORM, "--node-count=5")["spec"]["replicas"] == 5


def test_a_host_device_needs_a_count() -> None:
    found = pool(kubevirt.PLATFORM, "--host-device-name=gpu", "--host-device-name=nic,count:2")
    devices = found["spec"]["platform"]["kubevirt"]["hostDevices"]
    assert devices == [{"deviceName": "nic", "count": 2}]


def test_ports_are_read_from_their_parameters() -> None:
    words = ("--openstack-node-flavor=m", "--openstack-node-additional-port=network-id:n")
    section = pool(openstack.PLATFORM, *words)["spec"]["platform"]["openstack"]
    assert section == {"flavor": "m", "additionalPorts": [{"network": {"id": "n"}}]}


@pytest.mark.parametrize("text", ["", "a", "b:1"])
def test_malformed_parameters_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match='failed to parse "--f" flag'):
        parameters("f", text, ("a",))


def test_an_architecture_without_images_is_refused() -> None:
    check_architecture("arm64", {"status": {"payloadArch": "Multi"}})
    with pytest.raises(UsageError, match="NodePool CPU arch, arm64"):
        check_architecture("arm64", {"status": {"payloadArch": "AMD64"}})


def test_a_clusters_version_is_the_newest_that_was_completed() -> None:
    history = [{"state": "Partial", "version": "2"}, {"state": "Completed", "version": "1"}]
    assert control_plane_version({"status": {"version": {"history": history}}}) == "1"
