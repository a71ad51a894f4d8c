"""Names of hosted clusters on the host itself: a marked block of /etc/hosts for each cluster."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hypershift.local.host.shared import HOST_DIRECTORY

HOSTS = Path("/etc/hosts")


@dataclass(frozen=True, slots=True)
class HostNames:
    """The block of one embedded cluster; everything else in the file is left as it is."""

    index: int
    file: Path = HOSTS
    lock: Path = HOST_DIRECTORY / "hosts.lock"

    @property
    def _marks(self) -> tuple[str, str]:
        return f"# hypershift-local {self.index} begin", f"# hypershift-local {self.index} end"

    def keep(self, names: Mapping[str, str]) -> None:
        """Write the names; without any, the block goes too."""
        with self._locked():
            before = self.file.read_text() if self.file.exists() else ""
            after = self.changed(before, names)
            if after != before:
                self._write(after)

    def _write(self, text: str) -> None:
        """Write the file in place, and never empty it first: a crash leaves no host without names.

        In containers the file is a mount that cannot be replaced.
        """
        with os.fdopen(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o644), "r+") as file:
            file.write(text)
            file.truncate()

    def changed(self, text: str, names: Mapping[str, str]) -> str:
        """The file with these names in our block."""
        begin, end = self._marks
        lines = [f"{address} {name}" for name, address in sorted(names.items())]
        block = [begin, *lines, end] if lines else []
        kept = "".join(f"{line}\n" for line in self._others(text))
        return kept + "".join(f"{line}\n" for line in block)

    def _others(self, text: str) -> Iterator[str]:
        begin, end = self._marks
        ours = False
        for line in text.splitlines():
            if line == begin:
                ours = True
            if not ours:
                yield line
            if line == end:
                ours = False

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.lock.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
