"""Infrastructure of clusters in clouds: planned, then applied; one folder per cloud."""

from hypershift.infra.apply import Progress, apply
from hypershift.infra.destroy import Found, Leftover, Removal, Stuck, destroy
from hypershift.infra.plan import Ids, Piece, Plan, plan

__all__ = [
    "Found",
    "Ids",
    "Leftover",
    "Piece",
    "Plan",
    "Progress",
    "Removal",
    "Stuck",
    "apply",
    "destroy",
    "plan",
]
