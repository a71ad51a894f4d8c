"""Machines of platform Agent: hosts that an assisted installer found, chosen by their labels."""

from hypershift.api.meta import LabelSelector
from hypershift.kit import Manifest
from hypershift.kube import Resource
from hypershift.platforms.machines import PoolFacts, SimpleMachines, Template, filled, named_by

RESOURCE = Resource(
    "capi-provider.agent-install.openshift.io",
    "v1beta1",
    "agentmachinetemplates",
    "AgentMachineTemplate",
)


class AgentMachines(SimpleMachines):
    """Templates that say which hosts may become nodes."""

    resource = RESOURCE

    def template(self, facts: PoolFacts) -> Template:
        section = facts.wanted.spec.platform.agent
        wanted = section.agent_label_selector if section else None
        spec = {}
        if wanted is not None:
            spec["agentLabelSelector"] = _selector(wanted)
        return named_by({"template": {"spec": spec}})


def _selector(wanted: LabelSelector) -> Manifest:
    """Fields in Go's order, labels sorted: the name follows the text."""
    needed = [
        filled({"key": one.key, "operator": one.operator, "values": list(one.values)})
        for one in wanted.match_expressions
    ]
    labels = dict(sorted((wanted.match_labels or {}).items()))
    return filled({"matchLabels": labels, "matchExpressions": needed})


MACHINES = AgentMachines()
