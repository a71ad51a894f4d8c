"""LocalMachineTemplate: reports the capacity of its machines to the autoscaler."""

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.local.provider import placement
from hypershift.parts import architecture
from hypershift.runtime import Context, Controller, Done, Outcome, Scope

CPU = "2"
MEMORY = "2Gi"


async def report_capacity(scope: Scope) -> Outcome:
    """What the template's machines have; amounts that are none are the user's to mend."""
    spec = scope.spec["template"]["spec"]
    cpu, memory = spec.get("cpu", CPU), spec.get("memory", MEMORY)
    placement.limits(cpu, memory)
    scope.status["capacity"] = {"cpu": cpu, "memory": memory}
    scope.status["nodeInfo"] = {"architecture": architecture(), "operatingSystem": "linux"}
    return Done()


def _scope(manifest: Manifest, context: Context) -> Scope:
    return Scope(manifest, context)


CONTROLLER = Controller(
    name="hypershift-local-machine-template",
    resource=kinds.LOCAL_MACHINE_TEMPLATE,
    scope=_scope,
    normal=(report_capacity,),
    honour_pause=False,
)
