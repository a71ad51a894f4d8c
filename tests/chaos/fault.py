"""Breaks things as a plan says, and mends what it broke itself.

The host's clock cannot be moved for a machine alone, and its disk is everybody's: clocks and full
disks are not among the faults.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.chaos.plan import Action, Fault, Target
from tests.chaos.target import Fleet, Victim
from tests.e2e.embedded import Manifest
from tests.e2e.hosted import Hosted

from hypershift.local.host import tools

TABLE = "inet chaos"
#: Of ten packets so many are lost.
LOST_OF_TEN = 3
#: A slow process runs for this part of each tenth of a second.
BEAT, RUNS = 0.1, 0.03
#: Kinds that a control plane operator writes and that can be made anew from nothing.
WORKLOADS = ("deployments", "statefulsets", "services", "configmaps", "poddisruptionbudgets")
POLICIES = ("networkpolicies", "roles", "rolebindings")
#: Authorities and keys are the user's to lose: what they signed would be worthless without them.
LEAVES = (
    "kube-scheduler-client-cert-key",
    "kube-controller-manager-client-cert-key",
    "konnectivity-client",
)
#: Kubernetes' own object of each namespace.
FOREIGN = "kube-root-ca.crt"


class NothingToBreakError(Exception):
    """No candidate is there: the process is being started, or the API cannot be asked."""


@contextmanager
def broken(fault: Fault, fleet: Fleet) -> Iterator[str]:
    """Break something for the length of the fault; yields what exactly was hit."""
    match fault.action:
        case Action.KILL:
            victim = _victim(fault, fleet)
            _signal(victim, signal.SIGKILL)
            yield victim.name
        case Action.FREEZE:
            victim = _victim(fault, fleet)
            with _stopped(victim):
                yield victim.name
        case Action.SLOW:
            victim = _victim(fault, fleet)
            yield victim.name
            _stutter(victim, fault.seconds)
        case Action.CUT | Action.LOSE:
            victim = _victim(fault, fleet)
            with _filtered(victim, 10 if fault.action is Action.CUT else LOST_OF_TEN):
                yield victim.name
        case Action.DELETE:
            yield _delete(fault, fleet)
        case Action.EDIT:
            yield _edit(fault, fleet)


def wait(fault: Fault) -> None:
    """Let a fault last; a slow process was held back for its whole time already."""
    if fault.action is not Action.SLOW:
        time.sleep(fault.seconds)


def _victim(fault: Fault, fleet: Fleet) -> Victim:
    try:
        found = fleet.victims(fault.target)
    except AssertionError as error:  # kubectl's complaint: the management API is away
        raise NothingToBreakError(str(error)) from error
    if not found:
        raise NothingToBreakError(fault.target)
    return fault.chosen(found)


def _signal(victim: Victim, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(victim.pid, number)


@contextmanager
def _stopped(victim: Victim) -> Iterator[None]:
    _signal(victim, signal.SIGSTOP)
    try:
        yield
    finally:
        _signal(victim, signal.SIGCONT)


def _stutter(victim: Victim, seconds: float) -> None:
    """Let a process run for a part of the time only."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with _stopped(victim):
            time.sleep(BEAT - RUNS)
        time.sleep(RUNS)


@contextmanager
def _filtered(victim: Victim, of_ten: int) -> Iterator[None]:
    """Drop packets that a machine sends or gets; what stays inside of it is not touched."""
    rules = "; ".join(
        (
            f"add table {TABLE}",
            *(
                f"add chain {TABLE} {hook} {{ type filter hook {hook} priority -300 ; }}"
                for hook in ("prerouting", "postrouting")
            ),
            f"add rule {TABLE} prerouting iifname eth0 numgen random mod 10 < {of_ten} drop",
            f"add rule {TABLE} postrouting oifname eth0 numgen random mod 10 < {of_ten} drop",
        )
    )
    _nft(victim, rules, check=True)
    try:
        yield
    finally:
        _nft(victim, f"delete table {TABLE}", check=False)


def _nft(victim: Victim, rules: str, *, check: bool) -> None:
    nft = asyncio.run(tools.nft())
    argv = ("nsenter", f"--net=/proc/{victim.pid}/ns/net", *nft, rules)
    subprocess.run(argv, check=check, capture_output=True)


def _delete(fault: Fault, fleet: Fleet) -> str:
    hosted, kind, name = _object(fault, fleet)
    words = ("delete", kind, name, "-n", hosted.plane, "--wait=false", "--ignore-not-found")
    fleet.management.try_kubectl(*words)
    return f"{hosted.name} {kind} {name}"


def _edit(fault: Fault, fleet: Fleet) -> str:
    """Take away what matters of an object, as a careless administrator does."""
    hosted, kind, name = _object(fault, fleet)
    patch: Manifest = {"metadata": {"labels": {"chaos": str(fault.choice)}}}
    match kind:
        case "deployments":
            patch["spec"] = {"replicas": 0}
        case "services":
            patch["spec"] = {"selector": {"app": "nobody"}}
        case "networkpolicies":
            patch["spec"] = {"ingress": [{}]}
        case "roles":
            patch["rules"] = []
        case "configmaps":
            patch["data"] = {"chaos": "was here"}
        case _:
            pass
    words = ("patch", kind, name, "-n", hosted.plane, "--type=merge", "-p", json.dumps(patch))
    fleet.management.try_kubectl(*words)
    return f"{hosted.name} {kind} {name}"


def _object(fault: Fault, fleet: Fleet) -> tuple[Hosted, str, str]:
    """An object of a control plane, chosen by kind first so that each kind has its turn."""
    rng = random.Random(fault.choice)  # noqa: S311 - a test's chance
    hosted = rng.choice(fleet.hosted)
    if fault.target is Target.LEAF:
        return hosted, "secrets", rng.choice(LEAVES)
    kind = rng.choice(WORKLOADS if fault.target is Target.WORKLOAD else POLICIES)
    try:
        found = fleet.management.get(kind, "-n", hosted.plane)
    except AssertionError as error:
        raise NothingToBreakError(str(error)) from error
    names = sorted(one["metadata"]["name"] for one in found if _can_be_made_anew(one))
    if not names:
        raise NothingToBreakError(f"{kind} of {hosted.name}")
    return hosted, kind, rng.choice(names)


def _can_be_made_anew(found: Manifest) -> bool:
    """A load balancer's address is not: it goes with its Service, and nodes know it."""
    balanced = found.get("spec", {}).get("type") == "LoadBalancer"
    return found["metadata"]["name"] != FOREIGN and not balanced
