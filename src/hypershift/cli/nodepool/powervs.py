"""NodePools on IBM Power Virtual Server."""

from typing import Any

from hypershift.cli.flags import INT32, Flag, Values, choice
from hypershift.cli.nodepool.platform import PoolPlatform, present
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


def section(values: Values, _completed: Any, _cluster: Manifest) -> Manifest:
    machine = {
        "systemType": values["sys-type"],
        "processorType": values["proc-type"],
        "processors": values["processors"],
        "memoryGiB": values["memory"],
    }
    return present(machine)


PLATFORM = PoolPlatform(
    name="powervs",
    type="PowerVS",
    key="powervs",
    summary="A pool of Power virtual servers",
    upgrade_type="Replace",
    flags=FLAGS,
    section=section,
)
