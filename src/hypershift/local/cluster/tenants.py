"""What callers install into a management cluster together with its add-ons."""

from collections.abc import Callable, Sequence

from hypershift.kit import Manifest
from hypershift.local.cluster.state import Spec
from hypershift.local.images.prepare import Published

Tenants = Callable[[Spec, Published], Sequence[Manifest]]


def no_tenants(_spec: Spec, _made: Published) -> Sequence[Manifest]:
    """A cluster with nothing but its own add-ons."""
    return ()
