"""NodePools of machines on the same host as the embedded management cluster."""

from typing import Any

from hypershift.cli.flags import INT32, Flag, Values
from hypershift.cli.nodepool.platform import PoolPlatform, present
from hypershift.kit import Manifest

FLAGS = (
    Flag("cpu", "Processors of each node (the host's when not given)", INT32),
    Flag("memory", "Memory of each node, for example 2Gi (the host's when not given)"),
)


def section(values: Values, _completed: Any, _cluster: Manifest) -> Manifest:
    return present({"cpu": values["cpu"], "memory": values["memory"]})


PLATFORM = PoolPlatform(
    name="local",
    type="Local",
    key="local",
    summary="A pool of machines on this host",
    upgrade_type="Replace",
    flags=FLAGS,
    section=section,
)
