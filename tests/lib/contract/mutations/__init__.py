"""Ways to break the simulator, each of which the contract suite has to notice."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from tests.lib.contract.mutations import (
    applying,
    creating,
    deleting,
    updating,
    watching,
)
from tests.lib.contract.mutations.registry import MUTATIONS

__all__ = ["MUTATIONS", "applying", "broken", "creating", "deleting", "updating", "watching"]


@contextmanager
def broken(name: str) -> Iterator[None]:
    """A simulator that is wrong in one way."""
    patched = [mock.patch.object(*change) for change in MUTATIONS[name]()]
    for one in patched:
        one.start()
    try:
        yield
    finally:
        for one in patched:
            one.stop()
