"""NodePools of bare-metal machines that an agent has inventoried."""

from typing import Any

from hypershift.cli.flags import Flag, Values
from hypershift.cli.nodepool.platform import PoolPlatform
from hypershift.cli.nodepool.selector import parse_selector
from hypershift.kit import Manifest

SELECTOR = Flag("agentLabelSelector", "Label selector of the Agents that may become nodes")


def section(values: Values, _completed: Any, _cluster: Manifest) -> Manifest:
    return {"agentLabelSelector": parse_selector(values["agentLabelSelector"])}


PLATFORM = PoolPlatform(
    name="agent",
    type="Agent",
    key="agent",
    summary="A pool of bare-metal machines known as Agents",
    upgrade_type="InPlace",
    flags=(SELECTOR,),
    section=section,
)
