"""What somebody above puts into a management cluster together with its add-ons."""

from collections.abc import Callable, Sequence

from hypershift.kit import Manifest
from hypershift.local.images import Published
from hypershift.local.state import Spec

Tenants = Callable[[Spec, Published], Sequence[Manifest]]


def no_tenants(_spec: Spec, _made: Published) -> Sequence[Manifest]:
    """A cluster with nothing but its own add-ons."""
    return ()
