"""What the simulated server does to objects: the rules of create, update, apply and delete."""

from tests.lib.sim.objects.applying import Applying
from tests.lib.sim.objects.deleting import FOREGROUND, ORPHAN, Deleting, Removal

__all__ = ["FOREGROUND", "ORPHAN", "Objects", "Removal"]


class Objects(Applying, Deleting):
    """All of the rules, over a store."""
