"""The HyperShift operator: hosted clusters and node pools, from the management cluster."""

from hypershift.operators.hypershift.main import (
    ELECTION,
    Role,
    Service,
    Workbench,
    run,
    served_groups,
)
from hypershift.operators.hypershift.settings import Mode, Settings

__all__ = ["ELECTION", "Mode", "Role", "Service", "Settings", "Workbench", "run", "served_groups"]
