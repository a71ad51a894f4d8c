"""Platform `Local`: machines that are namespaces of one host, driven by Cluster API."""

from hypershift.kit import Key, Manifest
from hypershift.platforms.platform import ClusterFacts, ProviderRule

API_VERSION = "infrastructure.local.hypershift.io/v1beta1"
#: The tag of the payload image that a machine's root file system is made of.
MACHINE_IMAGE = "machine-os"
#: What a pool may say of its machines, by the field of the template that takes it.
MACHINE_FIELDS = ("cpu", "memory", "zone", "image")


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

    def machine_template(self, facts: ClusterFacts, pool: Manifest) -> Manifest | None:
        return machine_template(facts, pool)


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


def machine_template(facts: ClusterFacts, pool: Manifest) -> Manifest:
    """The LocalMachineTemplate of a pool: its sizes, on the image that its release names."""
    wanted = pool["spec"].get("platform", {}).get("local") or {}
    machine = {name: wanted[name] for name in MACHINE_FIELDS if wanted.get(name)}
    if image := facts.images.get(MACHINE_IMAGE):
        machine.setdefault("image", image)
    return {
        "apiVersion": API_VERSION,
        "kind": "LocalMachineTemplate",
        "metadata": {"namespace": facts.namespace},
        "spec": {"template": {"spec": machine}},
    }


PLATFORM = LocalPlatform()

__all__ = ["API_VERSION", "MACHINE_IMAGE", "PLATFORM", "LocalPlatform"]
