"""Platform `Agent`."""

from hypershift.api.values import PlatformType
from hypershift.kit import Manifest
from hypershift.platforms.agent.machine_template import MACHINES
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools
from hypershift.platforms.rules import ClusterRules, NeededNamespace, Section


def _namespace(section: Manifest) -> str:
    """Where the agents of a cluster wait."""
    return str((section.get("agent") or {}).get("agentNamespace") or "")


PLATFORM = Platform(
    type=PlatformType.AGENT,
    rules=ClusterRules(
        section=Section("agent", "agentcluster"),
        namespace=NeededNamespace("agent namespace", _namespace),
        uses_cloud_resources=False,
    ),
    pools=Pools(
        machines=MACHINES,
        architectures=("amd64", "ppc64le", "arm64"),
        slow_to_return=True,
    ),
)

__all__ = ["PLATFORM"]
