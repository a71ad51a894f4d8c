"""The cluster and the pool in memory by which nodes of a class are configured."""

from typing import Any

from tests.lib.karpenter import IMAGE, OLD_IMAGE, a_plane, status_of_plane

from hypershift.api import HostedCluster, HostedControlPlane, NodePool, read
from hypershift.api.defaults import zeroed
from hypershift.kit import Manifest
from hypershift.operators.karpenter.rules import pools


def a_manifest(*history: Manifest, **spec: Any) -> Manifest:
    manifest = a_plane(**spec)
    manifest["metadata"]["uid"] = "1"
    status = status_of_plane()
    if history:
        status["controlPlaneVersion"]["history"] = list(history)
    return manifest | {"status": status}


def decoded(manifest: Manifest) -> HostedControlPlane:
    return read(HostedControlPlane, zeroed(HostedControlPlane, manifest))


def an_update(version: str, state: str = "Completed") -> Manifest:
    image = f"registry.example/release:{version}"
    return {
        "image": image,
        "version": version,
        "state": state,
        "startedTime": "2030-01-01T00:00:00Z",
    }


def test_nodes_follow_an_upgrade_when_the_control_plane_is_done() -> None:
    moving = a_manifest(an_update("4.20.0", "Partial"), an_update("4.19.3"))
    assert pools.current_release(decoded(moving)) == (OLD_IMAGE, "4.19.3")
    done = a_manifest(an_update("4.20.0"), an_update("4.19.3"))
    assert pools.current_release(decoded(done)) == (IMAGE, "4.20.0")


def test_a_first_release_is_the_one_that_is_wanted() -> None:
    first = a_manifest(an_update("4.20.0", "Partial"))
    assert pools.current_release(decoded(first)) == (IMAGE, "4.20.0")


def test_a_control_plane_release_says_nothing_of_nodes() -> None:
    own = a_manifest(
        an_update("4.20.5"), controlPlaneReleaseImage="registry.example/release:4.20.5"
    )
    assert pools.current_release(decoded(own)).image == IMAGE


def test_the_cluster_in_memory_is_that_of_the_control_plane() -> None:
    given = a_manifest(configuration={"proxy": {"httpProxy": "http://proxy"}})
    found = pools.hosted_cluster(given, decoded(given), "ignition.example.com")
    cluster = read(HostedCluster, zeroed(HostedCluster, found))
    assert cluster.spec.release.image == IMAGE
    assert cluster.spec.pull_secret.name == "pull-secret"
    assert cluster.status.ignition_endpoint == "ignition.example.com"
    assert cluster.status.kubeconfig is not None
    assert cluster.status.kubeconfig.name == "admin-kubeconfig"
    assert "releaseImage" not in found["spec"]


def test_a_pool_has_one_kubelet_configuration() -> None:
    plane = decoded(a_manifest())
    for kubelet, name in ((True, "karpenter-kubelet-fast"), (False, "set-karpenter-taint")):
        found = pools.node_pool(plane, "fast", IMAGE, kubelet=kubelet)
        pool = read(NodePool, zeroed(NodePool, found))
        assert [each.name for each in pool.spec.config] == [name]
        assert pool.metadata.name == "fast-karpenter"
