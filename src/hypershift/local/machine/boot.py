"""The machine's half of its start: pid 1, from empty namespaces to busybox init.

    network, mounts, first boot: fetch and apply the configuration, compile units, change root

With users of its own this half is no user of the host any more: what it needs of the host is
imported, opened or shown on the stage before (`ready`, `Store.hold`, `mounts.stage`).
"""

import importlib
import os
import socket
import time
import uuid
from pathlib import Path
from typing import Final

from hypershift.ignition import Config, decode
from hypershift.local.machine import cgroup, init, metadata, mounts, network, tree, units
from hypershift.local.machine.apply import apply
from hypershift.local.machine.confine import confine
from hypershift.local.machine.spec import MachineSpec
from hypershift.local.machine.store import Store
from hypershift.local.machine.syscalls import bind

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BUSYBOX = "/usr/bin/busybox"
#: What a first boot needs and later ones do without: TLS, and names as `socket` encodes them.
FIRST_BOOT: Final = ("hypershift.local.machine.fetch", "encodings.idna")


def ready(*, fresh: bool) -> None:
    """Import what is needed later, while the host's files can be read."""
    if fresh:
        for name in FIRST_BOOT:
            importlib.import_module(name)


def boot(store: Store, spec: MachineSpec, hierarchies: cgroup.Hierarchies, *, fresh: bool) -> None:
    """From empty namespaces to init, in the stage of the host's half; does not return."""
    began = time.monotonic()
    socket.sethostname(spec.metadata.hostname)
    hierarchies.settle(spec.group, os.getpid())
    network.configure(spec.network)
    root = mounts.assemble(hierarchies, own_users=spec.ids is not None)
    metadata.publish(spec, root)
    mounts.shadow_host_settings(root, str(uuid.uuid4()), spec.limits.memory)
    mounts.hide_host(root)
    config = fetched(store, root) if fresh else None
    mounts.enter(root)
    # From here on no path leads to the host, even with links in the image or the disk.
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


def fetched(store: Store, root: Path) -> Config:
    """The whole configuration; the host's interpreter and authorities are still in reach."""
    store.stage = "ignition"
    from hypershift.local.machine.fetch import Fetcher, resolve  # noqa: PLC0415 - see `ready`

    # Names are looked up as the machine does it, not as the host.
    resolver = root / metadata.RESOLVER
    if resolver.stat().st_size and Path("/etc/resolv.conf").exists():
        bind(resolver, "/etc/resolv.conf")
    return resolve(decode(store.user_data()), Fetcher(say))


def provision(store: Store, spec: MachineSpec, root: Path, config: Config) -> None:
    """Apply the user data to the disk; an interrupted attempt is repeated."""
    metadata.install(spec, root)
    written = apply(config, root)
    # Units that cannot run are refused now, while the disk does not count as provisioned.
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
