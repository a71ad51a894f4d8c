"""Decide how far a change of key is, from what the API servers run; history only reports it.

    nothing known ── all rewritten ──►  active A  ── the spec wants B ──►  active A, target B
                                          ▲                                       │
                                          └── all rewritten with the target ◄─────┘

The control plane operator follows the target: read with it everywhere, then write with it. Only
when the target is gone from the status does it let go of older keys.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from hypershift.api.conditions import (
    Condition,
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
    true,
)
from hypershift.controlplane.kube_apiserver.encryption import KeySpec, fingerprint, names_of
from hypershift.kit import Manifest, rfc3339

MOST = 5
COMPLETED, INTERRUPTED = "Completed", "Interrupted"


class State(StrEnum):
    """How far a change is, as its entry in the history says."""

    READ_ONLY = "ReadOnlyDeploy"
    PROMOTE = "WritePromote"
    MIGRATING = "Migrating"


CONDITION = ControlPlaneCondition.ETCD_ENCRYPTION_UP_TO_DATE
UP_TO_DATE = true(
    CONDITION,
    "All stored data is encrypted with the active key",
    ControlPlaneReason.RE_ENCRYPTED,
)


@dataclass(frozen=True, slots=True)
class Servers:
    """What the API servers were last given, and whether all of them run it."""

    providers: list[Manifest]
    converged: bool = False

    @property
    def writer(self) -> str:
        """The name of the key that they write with; empty while they write plain text."""
        names, plain_first = names_of(self.providers)
        return "" if plain_first or not names else names[0]


@dataclass(frozen=True, slots=True)
class Plan:
    """The status to come to now, what to say about it, and what has to be rewritten."""

    status: Manifest
    condition: Condition
    #: The key that everything has to be rewritten with now; None while that has to wait.
    rewrite: Manifest | None = None
    steady: bool = False


def plan(status: Manifest, spec: KeySpec, servers: Servers, now: datetime) -> Plan:
    """The next step of a cluster's encryption."""
    wanted, active, target = spec.wanted, status.get("activeKey"), status.get("targetKey")
    if target is not None:
        # A newer wish waits for the change under way.
        return _underway(status, spec, servers, now)
    if wanted is None:
        return Plan(status, _failed("the Secret of the active key does not hold a key"))
    if active is None:
        return _first(status, spec, servers, wanted)
    if spec.name_in(servers.providers, active) != servers.writer or not servers.writer:
        # Somebody has changed what the servers write with, or our status is an old one.
        return _first(_without(status, "activeKey"), spec, servers, wanted)
    if fingerprint(active) == fingerprint(wanted):
        return Plan(status, UP_TO_DATE, steady=True)
    return _underway(_begun(status, active, wanted, now), spec, servers, now)


def completed(status: Manifest, key: Manifest, now: datetime) -> Manifest:
    """The status once everything stored is encrypted with a key."""
    done = _without(status, "targetKey") | {"activeKey": key}
    return _ended(done, COMPLETED, now)


def _first(status: Manifest, spec: KeySpec, servers: Servers, wanted: Manifest) -> Plan:
    """Nothing is known of what is stored: it is, once it has been rewritten."""
    if not servers.writer or spec.name_in(servers.providers, wanted) != servers.writer:
        return Plan(
            status, _waiting(ControlPlaneReason.READ_ONLY_ROLLOUT, "the active key is being rolled")
        )
    if not servers.converged:
        return Plan(status, _converging())
    return Plan(status, _migrating(), rewrite=wanted)


def _underway(status: Manifest, spec: KeySpec, servers: Servers, now: datetime) -> Plan:
    target = status["targetKey"]
    name = spec.name_in(servers.providers, target)
    if not name and not spec.available(target):
        # Nothing was ever written with a key that no server was given.
        ended = _ended(_without(status, "targetKey"), INTERRUPTED, now)
        return plan(ended, spec, servers, now)
    if not name or (name != servers.writer and not servers.converged):
        text = "the new key is being made readable for every API server"
        waiting = _waiting(ControlPlaneReason.READ_ONLY_ROLLOUT, text)
        return Plan(_at(status, State.READ_ONLY), waiting)
    if name != servers.writer:
        text = "every API server can read with the new key and is to write with it now"
        return Plan(_at(status, State.PROMOTE), _waiting(ControlPlaneReason.WRITE_PROMOTION, text))
    if not servers.converged:
        return Plan(_at(status, State.PROMOTE), _converging())
    return Plan(_at(status, State.MIGRATING), _migrating(), rewrite=target)


def _begun(status: Manifest, old: Manifest, new: Manifest, now: datetime) -> Manifest:
    entry = {
        "from": _summary(old),
        "to": _summary(new),
        "startedTime": rfc3339(now),
        "state": str(State.READ_ONLY),
    }
    history = [entry, *(status.get("history") or ())][:MOST]
    return status | {"targetKey": new, "history": history}


def _at(status: Manifest, state: State) -> Manifest:
    """The status with its running entry at a state."""
    history: list[dict[str, Any]] = list(status.get("history") or ())
    if not history or history[0].get("completionTime"):
        return status
    return status | {"history": [history[0] | {"state": str(state)}, *history[1:]]}


def _ended(status: Manifest, state: str, now: datetime) -> Manifest:
    history: list[dict[str, Any]] = list(status.get("history") or ())
    if not history or history[0].get("completionTime"):
        return status
    last = history[0] | {"state": state, "completionTime": rfc3339(now)}
    return status | {"history": [last, *history[1:]]}


def _without(status: Manifest, field_name: str) -> Manifest:
    return {name: value for name, value in status.items() if name != field_name}


def _summary(key: Manifest) -> Manifest:
    return {"provider": key["provider"], "fingerprint": fingerprint(key)}


def _waiting(reason: ControlPlaneReason, text: str) -> Condition:
    return false(CONDITION, reason, f"{text[0].upper()}{text[1:]}")


def _converging() -> Condition:
    text = "the API servers are being rolled to write with the new key"
    return _waiting(ControlPlaneReason.WAITING_FOR_CONVERGENCE, text)


def _migrating() -> Condition:
    return _waiting(
        ControlPlaneReason.RE_ENCRYPTING, "stored data is being rewritten with the new key"
    )


def _failed(text: str) -> Condition:
    return _waiting(ControlPlaneReason.RE_ENCRYPTION_FAILED, text)
