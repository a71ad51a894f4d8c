"""The cluster side of platform Local: the LocalCluster that the CAPI Cluster refers to."""

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.platforms.cluster import ClusterFacts, SimpleCluster


class LocalCluster(SimpleCluster):
    """The embedded cluster's own cloud; its provider runs beside the supervisor, not as a pod."""

    infra_resource = kinds.LOCAL_CLUSTER

    def infra_cluster(self, facts: ClusterFacts) -> Manifest:
        """The LocalCluster: what the CAPI Cluster learns the published endpoint from."""
        cluster: Manifest = {
            "apiVersion": kinds.LOCAL_CLUSTER.api_version,
            "kind": kinds.LOCAL_CLUSTER.kind,
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
