"""Machines of platform Local: the LocalMachineTemplate of a pool."""

from hypershift.ignition.goyaml import to_json
from hypershift.kube import kinds
from hypershift.platforms.machines import PoolFacts, SimpleMachines, Template

#: The tag of the payload image that a machine's root file system is made of.
MACHINE_IMAGE = "machine-os"
#: What a pool may say of its machines, by the field of the template that takes it.
MACHINE_FIELDS = ("cpu", "memory", "zone", "image")


class LocalMachines(SimpleMachines):
    """Templates of machines that are namespaces of one host."""

    resource = kinds.LOCAL_MACHINE_TEMPLATE

    def template(self, facts: PoolFacts) -> Template:
        wanted = facts.of_pool("local")
        machine = {name: wanted[name] for name in MACHINE_FIELDS if wanted.get(name)}
        if image := facts.release.images.get(MACHINE_IMAGE):
            machine.setdefault("image", image)
        spec = {"template": {"spec": machine}}
        return Template(spec, to_json(spec))


MACHINES = LocalMachines()
