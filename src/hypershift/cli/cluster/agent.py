"""`create cluster agent`: bare-metal machines that an agent has inventoried."""

from typing import Any

from hypershift.cli.cluster.platform import ClusterPlatform, PoolMaker, published_at
from hypershift.cli.flags import Flag, Values
from hypershift.cli.management import node_address
from hypershift.cli.nodepool import agent
from hypershift.kit import Manifest, UsageError


def complete(values: Values) -> str:
    """The address of the management cluster's node ports."""
    if values["default-dual"] and not values["agent-namespace"]:
        raise UsageError("--default-dual is only supported on Agent platform")
    if values["api-server-address"]:
        return str(values["api-server-address"])
    return node_address(values["kubeconfig"])


def shape(values: Values, address: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["dns"]["baseDomain"] = values["base-domain"] or "example.com"
    spec["platform"]["agent"] = {"agentNamespace": values["agent-namespace"]}
    spec["services"] = published_at(address)
    return cluster


def pools(values: Values, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(values["name"])
    chosen = agent.section(values, None, {}) if values["agentLabelSelector"] else {}
    manifest["spec"]["platform"]["agent"] = chosen
    return [manifest]


PLATFORM = ClusterPlatform(
    name="agent",
    type="Agent",
    summary="A cluster on bare-metal machines known as Agents",
    upgrade_type="InPlace",
    flags=(
        Flag("agent-namespace", "Namespace of the Agents", required=True),
        agent.SELECTOR,
        Flag("api-server-address", "Address of the management cluster's node ports"),
    ),
    dual_stack=True,
    complete=complete,
    shape=shape,
    pools=pools,
)
