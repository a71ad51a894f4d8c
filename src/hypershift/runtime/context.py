"""What a pass may use: the API, time, events, logs and the watches of other clusters."""

import random
from dataclasses import dataclass

from hypershift.kit import Clock
from hypershift.kube import Client
from hypershift.runtime.conditions import Writer
from hypershift.runtime.events import Events
from hypershift.runtime.logs import Log
from hypershift.runtime.remotes import Remotes


@dataclass(frozen=True, slots=True)
class Context:
    """Everything outside the object itself that a phase may touch."""

    kube: Client
    """Reads from the shared cache where a reflector runs, else live; writes as this controller."""
    live: Client
    """The same server without a cache, for the read that must not be old."""
    clock: Clock
    events: Events
    log: Log
    remotes: Remotes
    rng: random.Random
    writer: Writer | None = None
    """Who sets conditions in this pass; without one, ownership is not checked."""
