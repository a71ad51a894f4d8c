"""What the clusters of one host share: who holds which range, and the sysctls as found."""

import contextlib
import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network
from pathlib import Path

from hypershift.kit import UsageError
from hypershift.local.cluster import plan
from hypershift.local.cluster.state import write_file

HOST_DIRECTORY = Path("/var/lib/hypershift-local")
RUNTIME_DIRECTORY = Path("/run/hypershift-local")

#: Raised when lower, never lowered. Many kubelets on one host run out of inotify instances first.
#: Each container has a key ring of its own, and root of a machine is an ordinary user here.
WANTED_SYSCTLS: Mapping[str, int] = {
    "kernel.keys.maxkeys": 10_000,
    "kernel.keys.maxbytes": 1_000_000,
    "fs.inotify.max_user_instances": 8192,
    "fs.inotify.max_user_watches": 1048576,
    "net.ipv4.ip_forward": 1,
}
#: The same for a host whose clusters have IPv6. One that forwards listens to its routers no more,
#: unless each link says that it does (2), and its own default route would end after a while.
FORWARDING_V6 = "net.ipv6.conf.all.forwarding"
LISTENS, LISTENS_ANYWAY = 1, 2
#: Links that lead to no router: the loopback, clusters' bridges and the wires of machines.
NO_ROUTERS = re.compile(r"all|lo|hypershift\d+|hs[0-9a-f]{13}")

#: Off: otherwise the host's rules see frames between machines, and a connection that they lead
#: back to the machine it came from is bridged into nowhere. Other bridges get their own switch.
BRIDGE_FILTERS = ("iptables", "ip6tables")
OUR_BRIDGES = "hypershift"


def bridge_filter(tables: str) -> str:
    """The sysctl that shows frames between ports of bridges to the host's rules."""
    return f"net.bridge.bridge-nf-call-{tables}"


@dataclass(frozen=True, slots=True)
class Host:
    """The host-wide directory, and where the kernel's settings live (tests have others)."""

    directory: Path = HOST_DIRECTORY
    sysctls: Path = Path("/proc/sys")
    links: Path = Path("/sys/class/net")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Wait for other commands that change what clusters share; they hold it for moments."""
        self.directory.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def claims(self) -> dict[int, str]:
        """The state directory that holds each index."""
        found = {}
        for path in self.directory.glob("range-*"):
            found[int(path.name.removeprefix("range-"))] = path.read_text().strip()
        return found

    def claim(self, root: Path, routes: tuple[IPv4Network, ...]) -> int:
        """Give this state directory an index: the one it holds already, or the first free one."""
        with self.locked():
            held = self.claims()
            for index, owner in held.items():
                if owner == str(root):
                    return index
            index = plan.free_index(held, routes)
            write_file(self._claim_file(index), f"{root}\n")
            return index

    def claim_again(self, root: Path, index: int) -> None:
        """Take back the index that a cluster's data were made for, e.g. on a copied directory."""
        with self.locked():
            owner = self.claims().get(index, str(root))
            if owner != str(root):
                raise UsageError(f"the address range of {root} is in use by the cluster in {owner}")
            write_file(self._claim_file(index), f"{root}\n")

    def release(self, index: int) -> None:
        """Give an index back; the last one to leave restores the sysctls."""
        with self.locked():
            self._claim_file(index).unlink(missing_ok=True)
            if self.claims():
                return
            self.restore_sysctls()
            for name in ("lock", "hosts.lock"):
                (self.directory / name).unlink(missing_ok=True)
        try:
            self.directory.rmdir()
        except OSError:
            return

    def raise_sysctls(self, *, ipv6: bool = False) -> dict[str, int]:
        """Raise what is too low, remembering the first value seen; returns what was changed."""
        with self.locked():
            remembered = self._remembered()
            wanted = {**WANTED_SYSCTLS, **(self._forwarding_v6() if ipv6 else {})}
            low = {
                name: value
                for name, value in wanted.items()
                if self._sysctl(name).exists() and self._read(name) < value
            }
            for name in low:
                remembered.setdefault(name, self._read(name))
            if low:
                write_file(self._memory, json.dumps(remembered))
            for name, value in low.items():
                self._write(name, value)
            return low

    def switch_bridge_filter_off(self) -> bool:
        """Keep the host's rules away from frames between machines; False when they are."""
        with self.locked():
            switched = [self._switch_off(tables) for tables in BRIDGE_FILTERS]
            return any(switched)

    def _switch_off(self, tables: str) -> bool:
        name = bridge_filter(tables)
        if not self._sysctl(name).exists() or not self._read(name):
            return False
        others = [path for path in self._other_bridges(tables) if not int(path.read_text())]
        remembered = {**self._remembered(), name: 1}
        write_file(self._memory, json.dumps(remembered))
        known = {*self._switched(), *(str(path) for path in others)}
        write_file(self._switches, json.dumps(sorted(known)))
        for path in others:
            path.write_text("1\n")
        self._write(name, 0)
        return True

    def _forwarding_v6(self) -> dict[str, int]:
        """Links that learn from routers first, so that they never stop."""
        links = sorted(self.sysctls.glob("net/ipv6/conf/*/accept_ra"))
        outside = [path for path in links if not NO_ROUTERS.fullmatch(path.parts[-2])]
        names = [str(path.relative_to(self.sysctls)) for path in outside]
        learning = [name for name in names if self._read(name) == LISTENS]
        return {**dict.fromkeys(learning, LISTENS_ANYWAY), FORWARDING_V6: 1}

    def restore_sysctls(self) -> None:
        """Put back the values from before the first cluster of this host."""
        for name, value in self._remembered().items():
            with contextlib.suppress(FileNotFoundError):  # of a link that went away meanwhile
                self._write(name, value)
        for name in self._switched():
            with contextlib.suppress(OSError):  # a bridge that went away meanwhile
                Path(name).write_text("0\n")
        self._memory.unlink(missing_ok=True)
        self._switches.unlink(missing_ok=True)

    @property
    def _memory(self) -> Path:
        return self.directory / "sysctls.json"

    @property
    def _switches(self) -> Path:
        return self.directory / "bridges.json"

    def _switched(self) -> list[str]:
        try:
            return [str(name) for name in json.loads(self._switches.read_text())]
        except FileNotFoundError:
            return []

    def _other_bridges(self, tables: str) -> list[Path]:
        found = sorted(self.links.glob(f"*/bridge/nf_call_{tables}"))
        return [path for path in found if not path.parts[-3].startswith(OUR_BRIDGES)]

    def _claim_file(self, index: int) -> Path:
        return self.directory / f"range-{index}"

    def _remembered(self) -> dict[str, int]:
        try:
            return {
                str(name): int(value)
                for name, value in json.loads(self._memory.read_text()).items()
            }
        except FileNotFoundError:
            return {}

    def _read(self, name: str) -> int:
        return int(self._sysctl(name).read_text())

    def _write(self, name: str, value: int) -> None:
        self._sysctl(name).write_text(f"{value}\n")

    def _sysctl(self, name: str) -> Path:
        """A name with slashes is a path already: links have dots in their names."""
        return self.sysctls / (name if "/" in name else name.replace(".", "/"))


def socket_path(index: int) -> Path:
    """Where a cluster's supervisor listens: short, since socket paths are limited to 107 bytes."""
    return RUNTIME_DIRECTORY / f"{index}.sock"
