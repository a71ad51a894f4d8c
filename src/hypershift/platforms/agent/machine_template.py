"""Machines of platform Agent: hosts that an assisted installer found, chosen by their labels."""

from hypershift.kube import Resource
from hypershift.platforms.machines import PoolFacts, SimpleMachines, Template, filled, named_by

RESOURCE = Resource(
    "capi-provider.agent-install.openshift.io",
    "v1beta1",
    "agentmachinetemplates",
    "AgentMachineTemplate",
)
_SELECTOR = ("matchLabels", "matchExpressions")


class AgentMachines(SimpleMachines):
    """Templates that say which hosts may become nodes."""

    resource = RESOURCE

    def template(self, facts: PoolFacts) -> Template:
        wanted = facts.of_pool("agent").get("agentLabelSelector")
        spec = {}
        if wanted is not None:
            spec["agentLabelSelector"] = filled({name: wanted.get(name) for name in _SELECTOR})
        return named_by({"template": {"spec": spec}})


MACHINES = AgentMachines()
