"""Which machines of a pool are upgraded in place next: pure, from what each of them says.

waiting ──► drain ──► reprovision ──► (boots) ──► uncordon ──► done
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How far one machine is."""

    WAITING = "waiting"  # runs the old configuration, untouched
    DRAINING = "draining"  # cordoned, its pods are leaving
    BOOTING = "booting"  # received the new configuration
    RETURNING = "returning"  # runs the new configuration, but takes no pods yet
    DONE = "done"
    FAILED = "failed"  # did not come back


@dataclass(frozen=True, slots=True)
class Target:
    """What every machine shall run."""

    config_hash: str
    user_data: str
    image: str


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen of one machine and its node."""

    name: str
    node: str
    current_user_data: str
    current_image: str
    desired_user_data: str
    desired_image: str
    cordoned: bool
    draining_for: str  # the configuration that we cordoned it for
    node_ready: bool
    boot: str = ""  # changes whenever the node is started
    #: Whether the node was started since we asked for that: what it said before counts no more.
    rebooted: bool = True
    failure: str = ""


def state_of(sight: Sight, target: Target) -> State:
    """How far a machine is on its way to the target."""
    current = (sight.current_user_data, sight.current_image)
    desired = (sight.desired_user_data, sight.desired_image)
    wanted = (target.user_data, target.image)
    if sight.failure and desired == wanted:
        return State.FAILED
    if current == wanted and sight.node_ready and sight.rebooted:
        return State.RETURNING if sight.cordoned and sight.draining_for else State.DONE
    if wanted in (current, desired):
        return State.BOOTING
    return State.DRAINING if sight.draining_for else State.WAITING


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do now, by machine name."""

    drain: tuple[str, ...] = ()
    uncordon: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    complete: bool = False


def plan(sights: Sequence[Sight], target: Target, max_unavailable: int) -> Plan:
    """Take up as many machines as may be away at once; a failed one stops the rest."""
    states = {one.name: state_of(one, target) for one in sights}

    def of(*wanted: State) -> tuple[str, ...]:
        return tuple(name for name, state in states.items() if state in wanted)

    away = of(State.DRAINING, State.BOOTING, State.RETURNING, State.FAILED)
    room = max(0, max_unavailable - len(away))
    fresh = () if of(State.FAILED) else of(State.WAITING)[:room]
    return Plan(
        drain=of(State.DRAINING) + fresh,
        uncordon=of(State.RETURNING),
        done=of(State.DONE, State.RETURNING),
        failed=of(State.FAILED),
        complete=all(state is State.DONE for state in states.values()),
    )


def progress(target: Target, total: int, done: int) -> str:
    """What the pool shows while nodes are being upgraded."""
    return (
        f"Nodepool update in progress. Target Config version: {target.config_hash}. "
        f"Total Nodes: {total}. Upgraded: {done}"
    )
