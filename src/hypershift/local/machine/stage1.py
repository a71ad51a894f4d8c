"""The host's half of a machine's start: `python -m hypershift.local.machine.stage1 DIRECTORY`.

    on the host    join the machine's control group, lay out image, disk and devices
      └─ separate.py   users and namespaces; the host lays the wire
           └─ boot.py      pid 1: becomes busybox init

The process that started it may end at any time: nothing here depends on it any more.
"""

import os
import shutil
import sys
from functools import partial
from pathlib import Path

from hypershift.kit import HypershiftError
from hypershift.local.machine import cgroup, network, process
from hypershift.local.machine.apply import drop
from hypershift.local.machine.boot import boot, ready, say
from hypershift.local.machine.netlink import Netlink
from hypershift.local.machine.separate import separated
from hypershift.local.machine.spec import MachineSpec
from hypershift.local.machine.store import Store


def main(directory: Path) -> None:
    """Bring up the machine of this directory, and return once its pid 1 is on its own."""
    store = Store(directory)
    spec = store.spec()
    hierarchies = cgroup.detect()
    store.stage = "network"
    hierarchies.create(spec.group, spec.limits)
    hierarchies.join(spec.group, os.getpid())
    fresh = not store.provisioned()
    if fresh:
        make_way(store)
    ready(fresh=fresh)
    store.hold()
    if spec.ids is None:
        say("this machine has the users of the host: root here is root there")
    else:
        hierarchies.give(spec.group, spec.ids)
        store.give(spec.ids)
    if why_not := hierarchies.restrict(spec.group, own_users=spec.ids is not None):
        say(f"this machine may open every device that it can make: {why_not}")
    bridge = network.bridge_index(spec.network)
    with Netlink() as host:
        connect = partial(network.connect, host, spec, bridge)
        with separated(spec, connect, lambda: _first(store, spec, hierarchies, fresh=fresh)) as pid:
            store.record(process.identity(pid))


def _first(
    store: Store, spec: MachineSpec, hierarchies: cgroup.Hierarchies, *, fresh: bool
) -> None:
    """Pid 1: boot, or record why not."""
    try:
        os.setsid()
        boot(store, spec, hierarchies, fresh=fresh)
    except (HypershiftError, OSError) as error:
        say(f"boot failed: {error}")
        store.stage = f"failed: {error}"


def make_way(store: Store) -> None:
    """Take the former configuration off the disk, or the remains of an attempt that broke off."""
    if store.written():
        drop(store.written(), store.disk / "root", store.disk / "var")
        return
    for name in ("root", "work"):
        shutil.rmtree(store.disk / name, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
