"""Machines of platform Local: the LocalMachineTemplate of a pool."""

from hypershift.api.node_pool import LocalNodePool
from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.platforms.machines import PoolFacts, SimpleMachines, Template, filled

#: The tag of the payload image that a machine's root file system is made of.
MACHINE_IMAGE = "machine-os"


class LocalMachines(SimpleMachines):
    """Templates of machines that are namespaces of one host."""

    resource = kinds.LOCAL_MACHINE_TEMPLATE

    def template(self, facts: PoolFacts) -> Template:
        machine = _machine(facts.wanted.spec.platform.local)
        if image := facts.release.images.get(MACHINE_IMAGE):
            machine.setdefault("image", image)
        spec = {"template": {"spec": machine}}
        return Template(spec, to_json(spec))


def _machine(wanted: LocalNodePool | None) -> Manifest:
    """What the pool says of its machines; without a section they have their own defaults."""
    if wanted is None:
        return {}
    size = {"cpu": wanted.cpu, "memory": wanted.memory}
    return filled({**size, "zone": wanted.zone, "image": wanted.image})


MACHINES = LocalMachines()
