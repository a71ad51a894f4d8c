"""NodePools on IBM Power Virtual Server."""

from dataclasses import dataclass

from hypershift.cli.flags import INT32, Flag, choice
from hypershift.cli.nodepool.platform import PoolOptions, PoolPlatform, present
from hypershift.kit import Manifest

PROCESSOR_TYPE = choice(
    "PowerVSNodePoolProcType",
    ("dedicated", "shared", "capped"),
    lambda word: f"unknown processor type used {word}",
)

FLAGS = (
    Flag("memory", "Memory of each node in GiB", INT32, 32),
    Flag("proc-type", "dedicated, shared or capped", PROCESSOR_TYPE, "shared"),
    Flag("processors", "Processors of each node", default="0.5"),
    Flag("sys-type", "System type of the hosts, for example s922 or e980", default="s922"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerVSMachine:
    """How large each machine is, and on which hosts."""

    memory: int
    proc_type: str
    processors: str
    sys_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerVSPool(PoolOptions):
    """What `create nodepool powervs` is given."""

    machine: PowerVSMachine


def section(machine: PowerVSMachine) -> Manifest:
    """The section of a pool of such machines."""
    found = {
        "systemType": machine.sys_type,
        "processorType": machine.proc_type,
        "processors": machine.processors,
        "memoryGiB": machine.memory,
    }
    return present(found)


PLATFORM = PoolPlatform(
    name="powervs",
    type="PowerVS",
    key="powervs",
    upgrade_type="Replace",
    flags=FLAGS,
    options=PowerVSPool,
    section=lambda options, _completed, _cluster: section(options.machine),
)
