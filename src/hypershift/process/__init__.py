"""What runs in which process.

Shared mode runs every role of every cluster in the operator's process; Dedicated mode runs the
per-cluster roles in processes of their own, in each control plane namespace.
"""

from hypershift.process.dedicated import (
    NodesOnDemand,
    Place,
    confined,
    run_control_plane_operator,
    run_guest_config,
    run_ignition_server,
    run_karpenter_operator,
    run_machine_approver,
    run_pki_operator,
)
from hypershift.process.operator import run
from hypershift.process.shared import leave_dedicated

__all__ = [
    "NodesOnDemand",
    "Place",
    "confined",
    "leave_dedicated",
    "run",
    "run_control_plane_operator",
    "run_guest_config",
    "run_ignition_server",
    "run_karpenter_operator",
    "run_machine_approver",
    "run_pki_operator",
]
