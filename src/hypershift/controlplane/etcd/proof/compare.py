"""Compare the scratch control plane with what was stored, object by object, at one revision."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from hypershift.api.conditions import RestoreProofReason as Reason
from hypershift.controlplane.etcd.proof import served, stored
from hypershift.controlplane.etcd.proof.comparison import (
    differences,
    listed_kinds,
    one_line,
    unserved,
)
from hypershift.controlplane.etcd.proof.folder import CANARY, LOOPBACK, Folder
from hypershift.controlplane.etcd.proof.verdict import Disproved, Verdict
from hypershift.controlplane.etcd.snapshot import Tally

ETCD: Final = f"http://{LOOPBACK}:2379"
PORT: Final = 6443
#: Seconds for etcd and then for the API server to start with the data.
PATIENCE: Final = 300.0
LOOK: Final = 0.2


@dataclass(frozen=True, slots=True)
class Plane:
    """The scratch control plane: its etcd, its API server, and the time."""

    ask: stored.Ask
    get: served.Get
    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    patience: float = PATIENCE


def plane(folder: Folder, patience: float = PATIENCE) -> Plane:
    """The programs beside this one."""
    api = served.api(LOOPBACK, PORT, folder.authority, folder.token)
    return Plane(stored.gateway(ETCD), api, patience=patience)


def compare(plane: Plane, folder: Folder, canary: str) -> Verdict:
    """Wait for the control plane, and compare; Disproved says what is not as it was."""
    expected = json.loads(folder.expected.read_text())
    contents = expected["contents"]
    revision = int(contents["revision"])
    _await(plane, "etcd", lambda: plane.ask("/v3/maintenance/status", {}))
    _await(plane, "the API server", lambda: plane.get("/readyz", "*/*"))
    seconds = plane.now() - float(expected["began"])
    wanted = listed_kinds(contents)
    _check_stored(plane, wanted, revision)
    seen = _check_canary(plane, canary, revision)
    objects, apart = _check_served(plane, wanted, revision)
    kinds = f"{contents['keys']} keys of {len(wanted)} kinds at revision {revision} are equal"
    message = f"restored in {seconds:.0f} s: {kinds}, the API server reads {objects} objects"
    if not seen:
        message += ", the snapshot has no mark of its backup"
    if apart:
        message += f"; not read, because they need servers of the cluster: {one_line(apart)}"
    return Verdict(
        Reason.RESTORED,
        message,
        seconds,
        int(contents["size"]),
        int(contents["keys"]),
        len(wanted),
        revision,
        objects,
    )


def _await(plane: Plane, what: str, ask: Callable[[], Any]) -> None:
    """Ask until there is an answer."""
    end = plane.now() + plane.patience
    while True:
        try:
            ask()
        except (OSError, ValueError, served.Failed) as error:
            if plane.now() > end:
                why = f"{what} did not start within {plane.patience:.0f} s: {error}"
                raise Disproved(Reason.NOT_STARTED, why) from None
        else:
            return
        plane.sleep(LOOK)


def _check_stored(plane: Plane, wanted: dict[str, Tally], revision: int) -> None:
    try:
        found = stored.tallies(stored.entries(plane.ask, revision))
    except urllib.error.HTTPError as error:
        error.close()
        text = f"etcd does not give revision {revision}: it answers {error.code}"
        raise Disproved(Reason.DIFFERENT, text) from None
    if changed := list(differences(wanted, found)):
        raise Disproved(Reason.DIFFERENT, f"etcd has other objects: {one_line(changed)}")


def _check_canary(plane: Plane, canary: str, revision: int) -> bool:
    """Whether the snapshot says which backup it is; another one's is refused."""
    found = stored.value_of(plane.ask, CANARY.encode(), revision)
    if found is None:
        return False
    if found.decode(errors="replace") != canary:
        raise Disproved(Reason.SNAPSHOT_BAD, "the snapshot in the store is that of another backup")
    return True


def _check_served(plane: Plane, wanted: dict[str, Tally], revision: int) -> tuple[int, list[str]]:
    """The number of objects that the API server read, and resources that it cannot read here."""
    counted: dict[tuple[str, str], int] = {}
    apart: list[str] = []
    own: list[str] = []
    for one in served.resources(plane.get):
        try:
            counted[one.group, one.name] = served.count(plane.get, one, revision)
        except served.Failed as error:
            # A conversion webhook runs on nodes, and a proof has none.
            beside = "webhook" in error.message
            (apart if beside else own).append(f"{one.title}: {error.message}")
    if own:
        raise Disproved(Reason.DIFFERENT, f"the API server cannot read {one_line(own)}")
    if changed := list(unserved(wanted, counted)):
        raise Disproved(Reason.DIFFERENT, one_line(changed))
    # The same objects in two groups count once.
    return sum({name: n for (_, name), n in counted.items()}.values()), apart
