"""Which objects of a controller a change of another object wakes."""

from collections.abc import Iterable, Iterator
from typing import Any

from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import Resource
from hypershift.kube.cache import Cache
from hypershift.runtime import Controller


def woken(
    controller: Controller[Any], resource: Resource, change: Manifest, own: Iterable[Manifest]
) -> list[Key]:
    """The keys that the watches of a kind wake, while the controller's own objects are these."""
    return sorted(set(_woken(controller, resource, change, own)))


def _woken(
    controller: Controller[Any], resource: Resource, change: Manifest, own: Iterable[Manifest]
) -> Iterator[Key]:
    cache = Cache(controller.indexes)
    for each in own:
        cache.upsert({**each, "metadata": {"resourceVersion": "1", **each["metadata"]}})
    for watch in controller.watches:
        if watch.resource == resource:
            for key in watch.keys(change):
                if watch.through:
                    yield from map(key_of, cache.by_index(watch.through, str(key)))
                else:
                    yield key
