"""Platform `None`: control planes whose workers somebody else makes and joins."""

from hypershift.kit import Key, Manifest
from hypershift.platforms.platform import ClusterFacts, ProviderRule


class NonePlatform:
    """Knows no machines, so that there is nothing to make and nothing to clean up."""

    type = "None"
    user_secrets: tuple[str, ...] = ()

    def control_plane_platform(self, facts: ClusterFacts) -> Manifest:
        platform: Manifest = facts.hosted_cluster["spec"]["platform"]
        return platform

    def infra_cluster(self, facts: ClusterFacts) -> Manifest | None:
        del facts
        return None

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


PLATFORM = NonePlatform()

__all__ = ["PLATFORM", "NonePlatform"]
