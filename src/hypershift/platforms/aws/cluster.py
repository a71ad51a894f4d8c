"""The cluster side of platform AWS: AWSCluster, Cluster API's provider, components' credentials."""

from hypershift.api import HostedCluster
from hypershift.kit import Manifest
from hypershift.kube import Resource
from hypershift.platforms.aws import credentials, orphans, provider
from hypershift.platforms.aws.section import section_of
from hypershift.platforms.cluster import ClusterFacts, Provider, Refs, SimpleCluster

RESOURCE = Resource("infrastructure.cluster.x-k8s.io", "v1beta2", "awsclusters", "AWSCluster")


class AwsCluster(SimpleCluster):
    """Control planes whose machines are instances of EC2.

    The network is made before the cluster, by its user: Cluster API's provider makes instances
    alone, which is what `managed-by: external` means to it.
    """

    infra_resource = RESOURCE
    orphans = orphans.ORPHANS

    def reads(self, cluster: HostedCluster) -> Refs:
        """The Secrets in which some users keep the names of roles."""
        return Refs(secrets=credentials.secrets_of_roles(cluster))

    def infra_cluster(self, facts: ClusterFacts) -> Manifest:
        """The AWSCluster, provisioned as soon as Cluster API can learn the endpoint from it."""
        section = section_of(facts.cluster)
        spec: Manifest = {"region": section.region}
        if section.cloud_provider_config:
            spec["network"] = {"vpc": {"id": section.cloud_provider_config.vpc}}
        if tags := {tag.key: tag.value for tag in section.resource_tags}:
            spec["additionalTags"] = tags
        made: Manifest = {
            "apiVersion": RESOURCE.api_version,
            "kind": RESOURCE.kind,
            "metadata": {
                "name": facts.name,
                "namespace": facts.namespace,
                "annotations": {"cluster.x-k8s.io/managed-by": "external"},
            },
            "spec": spec,
        }
        if facts.endpoint:
            host, port = facts.endpoint
            spec["controlPlaneEndpoint"] = {"host": host, "port": port}
            made["status"] = {"ready": True}
        return made

    def provider(self, facts: ClusterFacts) -> Provider:
        """Cluster API's provider for AWS."""
        return Provider(provider.pod(facts), provider.RULES)

    def credentials(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        """One Secret for each component that calls AWS."""
        return tuple(credentials.of_components(facts))

    def encryption_secrets(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        """What the key service's plug-in calls AWS by."""
        return tuple(credentials.of_key_service(facts))
