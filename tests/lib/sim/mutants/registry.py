"""Mutants by name, and how most of them are made from the sample operator."""

import dataclasses
from collections.abc import Callable
from typing import Any

from tests.lib.sim import sample

from hypershift.runtime import Controller

Make = Callable[[], Controller[Any]]
MUTANTS: dict[str, Make] = {}


def mutant(make: Make) -> Make:
    """Register a mutant under the name of its function."""
    MUTANTS[make.__name__] = make
    return make


def with_phase(old: Any, new: Any) -> Controller[Any]:
    """The sample controller with one phase replaced, or dropped when `new` is None."""
    whole = sample.controller()
    normal = tuple(new if step is old else step for step in whole.normal)
    delete = tuple(new if step is old else step for step in whole.delete)
    return dataclasses.replace(
        whole,
        normal=tuple(step for step in normal if step is not None),
        delete=tuple(step for step in delete if step is not None),
    )


def watching(*dropped: Any) -> Controller[Any]:
    whole = sample.controller()
    watches = tuple(one for one in whole.watches if one.resource not in dropped)
    return dataclasses.replace(whole, watches=watches)
