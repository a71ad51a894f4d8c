"""Platform `Agent`."""

from hypershift.api.platforms.platform import Platform as Section
from hypershift.api.values import PlatformType
from hypershift.platforms.agent.machine_template import MACHINES
from hypershift.platforms.guest import WITHOUT_CLOUD
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools
from hypershift.platforms.rules import ClusterRules, NeededNamespace
from hypershift.platforms.rules import Section as Required


def _namespace(section: Section) -> str:
    """Where the agents of a cluster wait."""
    return section.agent.agent_namespace if section.agent else ""


PLATFORM = Platform(
    type=PlatformType.AGENT,
    guest=WITHOUT_CLOUD,
    rules=ClusterRules(
        section=Required("agent", "agentcluster"),
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
