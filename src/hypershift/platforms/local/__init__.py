"""Platform `Local`: machines that are namespaces of one host, driven by Cluster API."""

from hypershift.kit import Key, Manifest
from hypershift.platforms.platform import ClusterFacts, ProviderRule

API_VERSION = "infrastructure.local.hypershift.io/v1beta1"


class LocalPlatform:
    """The embedded cluster's own cloud; its provider runs beside the supervisor, not as a pod."""

    type = "Local"
    user_secrets: tuple[str, ...] = ()

    def control_plane_platform(self, facts: ClusterFacts) -> Manifest:
        platform: Manifest = facts.hosted_cluster["spec"]["platform"]
        return platform

    def infra_cluster(self, facts: ClusterFacts) -> Manifest | None:
        return infra_cluster(facts)

    def capi_provider(self, facts: ClusterFacts) -> Manifest | None:
        del facts
        return None

    def policy_rules(self) -> tuple[ProviderRule, ...]:
        return ()

    def credentials(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        del facts
        return ()

    def encryption_secrets(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        del facts
        return ()

    def leftovers(self, facts: ClusterFacts) -> tuple[tuple[str, str, Key], ...]:
        del facts
        return ()


def infra_cluster(facts: ClusterFacts) -> Manifest:
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


PLATFORM = LocalPlatform()

__all__ = ["API_VERSION", "PLATFORM", "LocalPlatform"]
