"""What clusters on AWS have in common: roles, services that are published by Routes, a provider."""

from hypershift.kit import Manifest, Secret
from hypershift.release import Lookup, Release

ROLE = "arn:aws:iam::123456789012:role/"
PARTS = ("controlPlaneOperator", "imageRegistry", "ingress", "kubeCloudController", "network")
ROLES = {f"{name}ARN": ROLE + name for name in (*PARTS, "nodePoolManagement", "storage")}
SERVICES = ("APIServer", "Konnectivity", "Ignition", "OAuthServer")


def routed(cluster: str) -> list[Manifest]:
    """The services of a cluster, each published by a Route of its own name."""
    return [
        {
            "service": service,
            "servicePublishingStrategy": {
                "type": "Route",
                "route": {"hostname": f"{service.lower()}.{cluster}.example.com"},
            },
        }
        for service in SERVICES
    ]


class WithProvider:
    """Releases that have Cluster API's provider for AWS as well."""

    def __init__(self, releases: Lookup) -> None:
        """Add to what `releases` have."""
        self._releases = releases

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        """Look a release up."""
        found = await self._releases.lookup(image, pull_secret)
        return found.with_images({"aws-cluster-api-controllers": "registry.example/capa:1"})
