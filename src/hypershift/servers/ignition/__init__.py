"""The ignition server: hands each machine its configuration, against the token of its pool.

machine ── token, pool, hash ──► app ──► token Secret, control plane, release ──► payload
leader: `controllers` check payloads, rotate tokens, replace and publish the CA; all: `serve`.
"""

from typing import Any

from hypershift.release import Lookup
from hypershift.runtime import Controller
from hypershift.servers.ignition import publish, replace, tokens
from hypershift.servers.ignition.app import Server
from hypershift.servers.ignition.listen import running, serve
from hypershift.servers.ignition.settings import METRICS_PORT, Settings

__all__ = [
    "METRICS_PORT",
    "Server",
    "Settings",
    "controllers",
    "running",
    "serve",
]


def controllers(settings: Settings, releases: Lookup) -> tuple[Controller[Any], ...]:
    """What the leader runs beside the server."""
    own = (tokens.controller(settings, releases), replace.controller(settings))
    return (*own, publish.controller(settings)) if settings.shared else own
