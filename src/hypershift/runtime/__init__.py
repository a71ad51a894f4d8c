"""What runs reconcilers: controllers as values, phases, queues, caches, leadership, status."""

from hypershift.kube.cache import Index
from hypershift.runtime import mapping
from hypershift.runtime.conditions import Conditions, NotOwner, Writer, condition_of, is_true
from hypershift.runtime.context import Context
from hypershift.runtime.controller import Controller, Watch, changes_metadata, changes_wish
from hypershift.runtime.events import Events
from hypershift.runtime.guest import connect_guest
from hypershift.runtime.leader import Leadership, LeadershipLost, NotLeader
from hypershift.runtime.logs import configure as configure_logs
from hypershift.runtime.logs import logger
from hypershift.runtime.manager import Manager, run_until_signal
from hypershift.runtime.metrics import Metrics
from hypershift.runtime.pause import active_condition, pause_left
from hypershift.runtime.phases import (
    Done,
    Outcome,
    Phase,
    Report,
    Stop,
    Wait,
    Weight,
    operation,
)
from hypershift.runtime.prune import AppliedSet
from hypershift.runtime.remotes import Remotes
from hypershift.runtime.scope import Scope
from hypershift.runtime.sharding import Sharding

__all__ = [
    "AppliedSet",
    "Conditions",
    "Context",
    "Controller",
    "Done",
    "Events",
    "Index",
    "Leadership",
    "LeadershipLost",
    "Manager",
    "Metrics",
    "NotLeader",
    "NotOwner",
    "Outcome",
    "Phase",
    "Remotes",
    "Report",
    "Scope",
    "Sharding",
    "Stop",
    "Wait",
    "Watch",
    "Weight",
    "Writer",
    "active_condition",
    "changes_metadata",
    "changes_wish",
    "condition_of",
    "configure_logs",
    "connect_guest",
    "is_true",
    "logger",
    "mapping",
    "operation",
    "pause_left",
    "run_until_signal",
]
