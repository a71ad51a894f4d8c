"""What runs reconcilers: controllers as values, phases, queues, caches, leadership, status."""

from hypershift.kube.cache import Index
from hypershift.runtime import mapping
from hypershift.runtime.conditions import Conditions, condition_of, is_true
from hypershift.runtime.context import Context
from hypershift.runtime.controller import Controller, Watch
from hypershift.runtime.events import Events
from hypershift.runtime.phases import Done, Outcome, Phase, Stop, Wait
from hypershift.runtime.remotes import Remotes
from hypershift.runtime.scope import Scope

__all__ = [
    "Conditions",
    "Context",
    "Controller",
    "Done",
    "Events",
    "Index",
    "Outcome",
    "Phase",
    "Remotes",
    "Scope",
    "Stop",
    "Wait",
    "Watch",
    "condition_of",
    "is_true",
    "mapping",
]
