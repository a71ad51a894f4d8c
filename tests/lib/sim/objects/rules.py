"""What every rule of the simulated server is over: a store, a catalogue, chance and time."""

import random
from collections.abc import Callable

from tests.lib.sim.fields import BUILT_IN, METADATA, Lists
from tests.lib.sim.ownership import Owners
from tests.lib.sim.routes import Catalog, is_custom
from tests.lib.sim.store import Record, Store

from hypershift.kit import Manifest
from hypershift.kube import Resource


class Rules:
    """The rules, over a store."""

    def __init__(
        self, store: Store, catalog: Catalog, *, rng: random.Random, now: Callable[[], str]
    ) -> None:
        """`rng` gives uids and generated names, `now` the time as objects carry it."""
        self._store, self._catalog, self._rng, self._now = store, catalog, rng, now

    def lists(self, resource: Resource) -> Lists:
        """How the lists of a kind merge."""
        return METADATA if is_custom(resource) else BUILT_IN

    def _record(self, resource: Resource, body: Manifest, owners: Owners) -> Record:
        revision = self._store.next_revision()
        body["metadata"]["resourceVersion"] = str(revision)
        return Record(resource, body, owners, revision)


def unmet(what: str, asked: str, found: str) -> str:
    """Say that a precondition does not hold."""
    return f"Precondition failed: {what} in precondition: {asked}, {what} in object meta: {found}"
