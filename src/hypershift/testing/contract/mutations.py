"""Ways to break the simulator, each of which the contract suite has to notice."""

from collections.abc import Callable

MUTATIONS: dict[str, Callable[[], None]] = {}
