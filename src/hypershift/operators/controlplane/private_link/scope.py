"""What one pass over a private link knows on the control plane's side."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hypershift.api import HostedControlPlane
from hypershift.kit import Key, Manifest
from hypershift.operators.controlplane.scope import Environment
from hypershift.platforms import Links
from hypershift.platforms.links import EndpointSide, Looked
from hypershift.runtime import Scope


@dataclass
class Sides:
    """The halves of one cloud's links: each link has its own, which remembers its keys."""

    make: Callable[[], EndpointSide]
    looked: Looked = field(default_factory=Looked)
    _known: dict[Key, EndpointSide] = field(default_factory=dict)

    def of(self, key: Key) -> EndpointSide:
        """The half of a link."""
        if key not in self._known:
            self._known[key] = self.make()
        return self._known[key]

    def forget(self, key: Key) -> None:
        """Forget a link that is gone."""
        self._known.pop(key, None)
        self.looked.forget(key)


@dataclass(slots=True)
class EndpointScope(Scope):
    """One pass; `find_plane` fills the control plane."""

    environment: Environment
    links: Links
    sides: Sides
    plane: HostedControlPlane | None = None
    plane_object: Manifest = field(default_factory=dict)

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace
