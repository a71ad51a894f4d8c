"""What a node pool's controller asks of a cloud: the pool side of a `Platform`.

Each field is one question, and its default is the answer of a cloud that is not special.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hypershift.kit import Manifest
from hypershift.platforms.machines import Machines


def never(section: Manifest) -> bool:
    """The answer of a cloud where it does not depend on `spec.platform`: no."""
    del section
    return False


def always(section: Manifest) -> bool:
    """The answer of a cloud where it does not depend on `spec.platform`: yes."""
    del section
    return True


@dataclass(frozen=True, slots=True)
class Pools:
    """A cloud's machines and how they behave."""

    #: Templates of machines; None where Cluster API makes no machines.
    machines: Machines | None = None
    #: Whether somebody else makes and joins the machines of a pool, by its `spec.platform`.
    made_elsewhere: Callable[[Manifest], bool] = never
