"""The first seconds of a machine: `python -m hypershift.local.machine.stage1 DIRECTORY`.

    on the host    join the machine's control group, leave for new namespaces, lay the wire, fork
      └─ pid 1     network, mounts, first boot: fetch and apply the configuration, compile units,
                   change root, become busybox init

The process that started it may end at any time: nothing here depends on it any more.
"""

import os
import shutil
import socket
import sys
import time
import uuid
from pathlib import Path

from hypershift.ignition import Config, decode
from hypershift.kit import HypershiftError
from hypershift.local.machine import (
    cgroup,
    init,
    metadata,
    mounts,
    network,
    process,
    tree,
    units,
)
from hypershift.local.machine.apply import apply, drop
from hypershift.local.machine.confine import confine
from hypershift.local.machine.netlink import Netlink
from hypershift.local.machine.spec import MachineSpec
from hypershift.local.machine.store import Store
from hypershift.local.machine.syscalls import MACHINE_NAMESPACES, bind, unshare

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BUSYBOX = "/usr/bin/busybox"


def main(directory: Path) -> None:
    """Bring up the machine of this directory, and return once its pid 1 is on its own."""
    store = Store(directory)
    spec = store.spec()
    hierarchies = cgroup.detect()
    store.stage = "network"
    hierarchies.create(spec.group, spec.limits)
    hierarchies.join(spec.group, os.getpid())
    bridge = network.bridge_index(spec.network)
    with Netlink() as host:
        unshare(MACHINE_NAMESPACES)
        network.connect(host, spec, bridge, os.getpid())
    pid = os.fork()
    if pid == 0:
        _first(store, spec, hierarchies)
    store.record(process.identity(pid))


def _first(store: Store, spec: MachineSpec, hierarchies: cgroup.Hierarchies) -> None:
    """Pid 1: boot, or say why not."""
    try:
        os.setsid()
        boot(store, spec, hierarchies)
    except (HypershiftError, OSError) as error:
        say(f"boot failed: {error}")
        store.stage = f"failed: {error}"
    os._exit(1)


def boot(store: Store, spec: MachineSpec, hierarchies: cgroup.Hierarchies) -> None:
    """From empty namespaces to init; does not return."""
    began = time.monotonic()
    socket.sethostname(spec.metadata.hostname)
    hierarchies.settle(spec.group, os.getpid())
    network.configure(spec.network)
    fresh = not store.provisioned()
    if fresh:
        make_way(store)
    root = mounts.assemble(spec, hierarchies)
    metadata.publish(spec, root)
    mounts.shadow_host_settings(root, str(uuid.uuid4()), spec.limits.memory)
    mounts.hide_host(root)
    config = fetched(store, root) if fresh else None
    store.hold()
    mounts.enter(root)
    # From here on no path leads to the host, whatever the image or the disk has in our way.
    root = Path("/")
    if config is not None:
        provision(store, spec, root, config)
    services = units.enabled_services(root)
    init.install(services, root)
    sysctls(root)
    say(f"machine {spec.name} boots {len(services)} units, {time.monotonic() - began:.2f} s")
    store.stage = "running"
    confine(without=hierarchies.needed_calls)
    os.execve(BUSYBOX, ["init"], {"PATH": PATH, "HOME": "/root", "TERM": "dumb"})  # noqa: S606


def make_way(store: Store) -> None:
    """Take the former configuration off the disk, or the remains of an attempt that broke off."""
    if store.written():
        drop(store.written(), store.disk / "root", store.disk / "var")
        return
    for name in ("root", "work"):
        shutil.rmtree(store.disk / name, ignore_errors=True)


def fetched(store: Store, root: Path) -> Config:
    """The whole configuration; the host's interpreter and authorities are still in reach."""
    store.stage = "ignition"
    from hypershift.local.machine.fetch import Fetcher, resolve  # noqa: PLC0415 - later boots do without TLS

    # Names are looked up as the machine does it, not as the host.
    resolver = root / metadata.RESOLVER
    if resolver.stat().st_size and Path("/etc/resolv.conf").exists():
        bind(resolver, "/etc/resolv.conf")
    return resolve(decode(store.user_data()), Fetcher(say))


def provision(store: Store, spec: MachineSpec, root: Path, config: Config) -> None:
    """Bring the disk to what the user data says; an interrupted attempt is simply made again."""
    metadata.install(spec, root)
    written = apply(config, root)
    # Whatever cannot run is refused now, while the disk does not count as provisioned.
    init.scripts(units.enabled_services(root))
    files, named = len(config.storage.files), len(config.systemd.units)
    say(f"ignition: applied {files} files and {named} units")
    store.mark_provisioned(written)


def sysctls(root: Path) -> None:
    """Apply what /etc/sysctl.d asks of the machine's own network."""
    settings: dict[str, str] = {}
    for name in tree.names(root, "/etc/sysctl.d", "*.conf"):
        for line in (tree.read_text(root, f"/etc/sysctl.d/{name}") or "").splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.lstrip().startswith(("#", ";")):
                settings[key.strip()] = value.strip()
    for name in network.apply_sysctls(settings):
        say(f"sysctl {name} belongs to the host, left alone")


def say(message: str) -> None:
    """A line on the machine's console."""
    stamp = time.strftime("%H:%M:%S", time.gmtime())
    print(f"[{stamp}] {message}", flush=True)  # noqa: T201 - standard output is the console


if __name__ == "__main__":
    main(Path(sys.argv[1]))
