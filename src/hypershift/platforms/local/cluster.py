"""The cluster side of platform Local: the LocalCluster that the CAPI Cluster refers to."""

from hypershift.kit import Manifest
from hypershift.platforms.cluster import ClusterFacts, SimpleCluster

API_VERSION = "infrastructure.local.hypershift.io/v1beta1"


class LocalCluster(SimpleCluster):
    """The embedded cluster's own cloud; its provider runs beside the supervisor, not as a pod."""

    def infra_cluster(self, facts: ClusterFacts) -> Manifest:
        """The LocalCluster: what the CAPI Cluster learns the published endpoint from."""
        cluster: Manifest = {
            "apiVersion": API_VERSION,
            "kind": "LocalCluster",
            "metadata": {
                "name": facts.name,
                "namespace": facts.namespace,
                "annotations": {"cluster.x-k8s.io/managed-by": "external"},
            },
        }
        if facts.endpoint:
            host, port = facts.endpoint
            cluster["spec"] = {"controlPlaneEndpoint": {"host": host, "port": port}}
        return cluster
