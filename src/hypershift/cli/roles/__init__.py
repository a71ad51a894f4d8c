"""`operator run` and its kin: one program, many roles, each started by its own command.

This is where roles are put together: Shared runs every role in the operator's process, Dedicated
runs the per-cluster ones in each control plane namespace.
"""

from hypershift.cli.roles.compose import confined, leave_dedicated
from hypershift.cli.roles.dedicated import (
    CONTROL_PLANE_OPERATOR,
    HOSTED_CLUSTER_CONFIG_OPERATOR,
    IGNITION_SERVER,
    MACHINE_APPROVER,
)
from hypershift.cli.roles.operator import OPERATOR

__all__ = [
    "CONTROL_PLANE_OPERATOR",
    "HOSTED_CLUSTER_CONFIG_OPERATOR",
    "IGNITION_SERVER",
    "MACHINE_APPROVER",
    "OPERATOR",
    "confined",
    "leave_dedicated",
]
