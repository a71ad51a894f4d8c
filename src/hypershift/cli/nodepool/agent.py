"""NodePools of bare-metal machines that an agent has inventoried."""

from dataclasses import dataclass

from hypershift.cli.flags import Flag
from hypershift.cli.nodepool.platform import PoolOptions, PoolPlatform
from hypershift.cli.nodepool.selector import parse_selector
from hypershift.cli.typed import named
from hypershift.kit import Manifest

SELECTOR = Flag("agentLabelSelector", "Label selector of the Agents that may become nodes")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMachine:
    """Which Agents become nodes."""

    agent_label_selector: str = named("agentLabelSelector")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPool(PoolOptions):
    """What `create nodepool agent` is given."""

    machine: AgentMachine


def section(machine: AgentMachine) -> Manifest:
    """The section of a pool of such machines."""
    return {"agentLabelSelector": parse_selector(machine.agent_label_selector)}


PLATFORM = PoolPlatform(
    name="agent",
    type="Agent",
    key="agent",
    upgrade_type="InPlace",
    flags=(SELECTOR,),
    options=AgentPool,
    section=lambda options, _completed, _cluster: section(options.machine),
)
