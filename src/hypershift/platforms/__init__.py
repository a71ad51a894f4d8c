"""The clouds that hosted clusters run on, each behind the one `Platform` interface."""

from hypershift.platforms.platform import ClusterFacts, Platform, ProviderRule
from hypershift.platforms.registry import PLATFORMS, platform_of

__all__ = ["PLATFORMS", "ClusterFacts", "Platform", "ProviderRule", "platform_of"]
