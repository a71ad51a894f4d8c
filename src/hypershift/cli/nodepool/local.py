"""NodePools of machines on the same host as the embedded management cluster."""

from dataclasses import dataclass

from hypershift.cli.flags import INT32, Flag
from hypershift.cli.nodepool.platform import PoolOptions, PoolPlatform, present
from hypershift.kit import Manifest

FLAGS = (
    Flag("cpu", "Processors of each node (the host's when not given)", INT32),
    Flag("memory", "Memory of each node, for example 2Gi (the host's when not given)"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalMachine:
    """How large each machine is."""

    cpu: int
    memory: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPool(PoolOptions):
    """What `create nodepool local` is given."""

    machine: LocalMachine


def section(machine: LocalMachine) -> Manifest:
    """The section of a pool of such machines."""
    return present({"cpu": machine.cpu, "memory": machine.memory})


PLATFORM = PoolPlatform(
    name="local",
    type="Local",
    key="local",
    upgrade_type="Replace",
    flags=FLAGS,
    options=LocalPool,
    section=lambda options, _completed, _cluster: section(options.machine),
)
