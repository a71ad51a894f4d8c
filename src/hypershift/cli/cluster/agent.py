"""`create cluster agent`: bare-metal machines that an agent has inventoried."""

from dataclasses import dataclass
from typing import Any

from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.cluster.platform import ClusterPlatform, PoolMaker, published_at
from hypershift.cli.flags import Flag
from hypershift.cli.management import node_address
from hypershift.cli.nodepool import agent
from hypershift.kit import Manifest, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions(ClusterOptions):
    """What `create cluster agent` is given."""

    machine: agent.AgentMachine
    agent_namespace: str
    api_server_address: str


def complete(options: AgentOptions) -> str:
    """The address of the management cluster's node ports."""
    if options.default_dual and not options.agent_namespace:
        raise UsageError("--default-dual is only supported on Agent platform")
    if options.api_server_address:
        return str(options.api_server_address)
    return node_address(options.kubeconfig)


def specialize(options: AgentOptions, address: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["dns"]["baseDomain"] = options.base_domain or "example.com"
    spec["platform"]["agent"] = {"agentNamespace": options.agent_namespace}
    spec["services"] = published_at(address)
    return cluster


def pools(options: AgentOptions, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest, machine = pool(options.name), options.machine
    chosen = agent.section(machine) if machine.agent_label_selector else {}
    manifest["spec"]["platform"]["agent"] = chosen
    return [manifest]


PLATFORM = ClusterPlatform(
    name="agent",
    type="Agent",
    upgrade_type="InPlace",
    options=AgentOptions,
    flags=(
        Flag("agent-namespace", "Namespace of the Agents", required=True),
        agent.SELECTOR,
        Flag("api-server-address", "Address of the management cluster's node ports"),
    ),
    dual_stack=True,
    complete=complete,
    specialize=specialize,
    pools=pools,
)
