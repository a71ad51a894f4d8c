"""Remembers which control planes are unchanged since their last complete pass.

Most passes are scheduled to check what no watch reports, such as whether the published address
answers. Rendering dozens of objects in each of them would take most of an idle operator's time.
"""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import msgspec

from hypershift.component import Versions, View

#: How long a control plane counts as unchanged: objects of unwatched kinds may have been changed.
BELIEVED = timedelta(minutes=10)


@dataclass(slots=True)
class SteadyState:
    """What each control plane looked like when all its components ran as rendered."""

    _known: dict[str, tuple[bytes, datetime]] = field(default_factory=dict)

    def holds(self, view: View, objects: Versions, now: datetime) -> bool:
        """Whether this is still the picture that was at rest."""
        picture, until = self._known.get(view.namespace, (b"", now))
        return now < until and picture == picture_of(view, objects)

    def begin(self, view: View, objects: Versions, now: datetime) -> None:
        """From this picture nothing remained to be done."""
        self._known[view.namespace] = (picture_of(view, objects), now + BELIEVED)

    def forget(self, namespace: str) -> None:
        """A cluster is gone."""
        self._known.pop(namespace, None)


def picture_of(view: View, objects: Versions) -> bytes:
    """A digest of everything that rendering reads; objects count by their versions."""
    releases = [(one.image, one.resolved, one.version) for one in (view.release, view.user_release)]
    seen = (view.plane, releases, repr(view.infra), repr(view.management), objects)
    encoded = msgspec.json.encode(seen, order="sorted")
    return hashlib.blake2b(encoded, digest_size=20).digest()
