"""Mutations by name: each is a list of what is put in the place of what."""

from collections.abc import Callable
from typing import Any

Change = tuple[Any, str, Any]
MUTATIONS: dict[str, Callable[[], list[Change]]] = {}


def mutation(make: Callable[[], list[Change]]) -> Callable[[], list[Change]]:
    """Register a mutation under the name of its function."""
    MUTATIONS[make.__name__] = make
    return make


def nothing(*_: Any, **__: Any) -> None:
    """Do nothing, in the place of something."""
    return
