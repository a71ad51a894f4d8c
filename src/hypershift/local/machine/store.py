"""The files of a machine on the host: its spec, user data, console and state.

DIRECTORY/
  spec.json     what the machine is
  user-data     its Ignition configuration (secret)
  disk/         survives reboots: root/ (over the image), var/
  console.log   what the machine says, this boot; console.log.1 the boot before
  run.json      the running machine's pid 1
  stage         how far the boot came: network, ignition, running, or failed and why
  provisioned   digest of the configuration on the disk
"""

import hashlib
import os
from pathlib import Path

import msgspec

from hypershift.kit import replace_file
from hypershift.local.machine import spec as specs
from hypershift.local.machine.process import Identity
from hypershift.local.machine.spec import MachineSpec


class Provision(msgspec.Struct, frozen=True):
    """What is on the disk: the configuration by its digest, and the paths that it wrote."""

    digest: str = ""
    paths: tuple[str, ...] = ()


class Store:
    """The files of one machine."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._held: int | None = None
        self.console = directory / "console.log"
        self.disk = directory / "disk"

    def hold(self) -> None:
        """Keep the directory open: the booting machine leaves the host's root and still reports."""
        self._held = os.open(self.directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def give(self, owner: int) -> None:
        """Let the booting machine, which is that user by then, report and read its user data.

        Only by the directory that is held: paths to it are closed to every other user.
        """
        for name in (".", "user-data"):
            os.chown(self.directory / name, owner, owner, follow_symlinks=False)

    def exists(self) -> bool:
        """Whether there is a machine here."""
        return (self.directory / "spec.json").exists()

    def spec(self) -> MachineSpec:
        """What the machine is."""
        return specs.decode((self.directory / "spec.json").read_bytes())

    def save(self, spec: MachineSpec, user_data: bytes | None) -> None:
        """Write what the machine is, and from what it boots when that is given."""
        self.directory.mkdir(parents=True, exist_ok=True)
        self.disk.mkdir(exist_ok=True)
        self._write("spec.json", specs.encode(spec))
        if user_data is not None:
            self._write("user-data", user_data)

    def user_data(self) -> bytes:
        """The configuration that the machine boots from."""
        return self._read("user-data")

    def running(self) -> Identity | None:
        """Pid 1 of the machine as last recorded."""
        try:
            return msgspec.json.decode((self.directory / "run.json").read_bytes(), type=Identity)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def record(self, identity: Identity | None) -> None:
        """Remember pid 1, or that there is none."""
        if identity is None:
            (self.directory / "run.json").unlink(missing_ok=True)
        else:
            self._write("run.json", msgspec.json.encode(identity))

    @property
    def stage(self) -> str:
        """How far the boot came."""
        try:
            return (self.directory / "stage").read_text()
        except FileNotFoundError:
            return ""

    @stage.setter
    def stage(self, value: str) -> None:
        self._write("stage", value.encode())

    def provisioned(self) -> bool:
        """Whether the user data was applied to the disk."""
        return self._provision().digest == self._wanted()

    def written(self) -> tuple[str, ...]:
        """What the last configuration wrote."""
        return self._provision().paths

    def mark_provisioned(self, paths: tuple[str, ...]) -> None:
        """Remember that the user data was applied to the disk."""
        self._write("provisioned", msgspec.json.encode(Provision(self._wanted(), paths)))

    def _provision(self) -> "Provision":
        try:
            return msgspec.json.decode(self._read("provisioned"), type=Provision)
        except (FileNotFoundError, msgspec.DecodeError):
            return Provision()

    def rotate_console(self) -> None:
        """Begin a new console, keeping the last boot's."""
        if self.console.exists():
            self.console.replace(self.console.with_name("console.log.1"))

    def _wanted(self) -> str:
        return hashlib.sha256(self.user_data()).hexdigest()

    def _read(self, name: str) -> bytes:
        place = name if self._held is not None else self.directory / name
        descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._held)
        with os.fdopen(descriptor, "rb") as file:
            return file.read()

    def _write(self, name: str, contents: bytes) -> None:
        """Replace a file whole; only root may read it."""
        replace_file(
            name if self._held is not None else self.directory / name, contents, self._held
        )
