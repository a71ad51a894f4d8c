"""Machines of platform Agent: hosts that an assisted installer found, chosen by their labels."""

from hypershift.kit import Manifest
from hypershift.kube import Resource
from hypershift.platforms.machines import PoolFacts, SimpleMachines, Template, filled, named_by

RESOURCE = Resource(
    "capi-provider.agent-install.openshift.io",
    "v1beta1",
    "agentmachinetemplates",
    "AgentMachineTemplate",
)
_REQUIREMENT = ("key", "operator", "values")


class AgentMachines(SimpleMachines):
    """Templates that say which hosts may become nodes."""

    resource = RESOURCE

    def template(self, facts: PoolFacts) -> Template:
        wanted = facts.of_pool("agent").get("agentLabelSelector")
        spec = {}
        if wanted is not None:
            spec["agentLabelSelector"] = _selector(wanted)
        return named_by({"template": {"spec": spec}})


def _selector(wanted: Manifest) -> Manifest:
    """Fields in Go's order, labels sorted: the name follows the text."""
    needed = [
        filled({name: one.get(name) for name in _REQUIREMENT})
        for one in wanted.get("matchExpressions") or ()
    ]
    labels = dict(sorted((wanted.get("matchLabels") or {}).items()))
    return filled({"matchLabels": labels, "matchExpressions": needed})


MACHINES = AgentMachines()
