"""What the clusters of one host share: who holds which range, and the sysctls as found."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network
from pathlib import Path

from hypershift.kit import UsageError
from hypershift.local import plan
from hypershift.local.state import write_file

HOST_DIRECTORY = Path("/var/lib/hypershift-local")
RUNTIME_DIRECTORY = Path("/run/hypershift-local")

#: Raised when lower, never lowered. Many kubelets on one host run out of inotify instances first.
WANTED_SYSCTLS: Mapping[str, int] = {
    "fs.inotify.max_user_instances": 8192,
    "fs.inotify.max_user_watches": 1048576,
    "net.ipv4.ip_forward": 1,
}


@dataclass(frozen=True, slots=True)
class Host:
    """The host-wide directory, and where sysctls live (both can be moved for tests)."""

    directory: Path = HOST_DIRECTORY
    sysctls: Path = Path("/proc/sys")

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
            (self.directory / "lock").unlink(missing_ok=True)
        try:
            self.directory.rmdir()
        except OSError:
            return

    def raise_sysctls(self) -> dict[str, int]:
        """Raise what is too low, remembering the first value seen; returns what was changed."""
        with self.locked():
            remembered = self._remembered()
            low = {
                name: value for name, value in WANTED_SYSCTLS.items() if self._read(name) < value
            }
            for name in low:
                remembered.setdefault(name, self._read(name))
            if low:
                write_file(self._memory, json.dumps(remembered))
            for name, value in low.items():
                self._write(name, value)
            return low

    def restore_sysctls(self) -> None:
        """Put back the values from before the first cluster of this host."""
        for name, value in self._remembered().items():
            self._write(name, value)
        self._memory.unlink(missing_ok=True)

    @property
    def _memory(self) -> Path:
        return self.directory / "sysctls.json"

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
        return self.sysctls / name.replace(".", "/")


def socket_path(index: int) -> Path:
    """Where a cluster's supervisor listens: short, since socket paths are limited to 107 bytes."""
    return RUNTIME_DIRECTORY / f"{index}.sock"
