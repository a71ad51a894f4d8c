"""The local platform's infrastructure objects."""

from dataclasses import replace

from hypershift.api import HostedCluster, read
from hypershift.platforms import ClusterFacts, cluster_side

LOCAL = cluster_side("Local")
CLUSTER = {
    "metadata": {"name": "demo", "namespace": "clusters"},
    "spec": {"infraID": "demo-abcde", "platform": {"type": "Local"}},
}
FACTS = ClusterFacts(read(HostedCluster, CLUSTER), "clusters-demo")


def test_the_cluster_learns_the_endpoint_once_it_is_published() -> None:
    before = LOCAL.infra_cluster(FACTS)
    after = LOCAL.infra_cluster(replace(FACTS, endpoint=("192.0.2.1", 6443)))
    assert before
    assert after
    assert "spec" not in before
    assert after["spec"] == {"controlPlaneEndpoint": {"host": "192.0.2.1", "port": 6443}}
