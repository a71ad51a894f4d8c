"""The state directory of one embedded cluster: what it is, where its files are, who holds it."""

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from hypershift.kit import UsageError, replace_file
from hypershift.local.cluster.plan import Plan, checked_name

STATE_VERSION = 1
DEFAULT_NAME = "local"


class NewerState(UsageError):
    """A state directory of an unknown version; it is not changed."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What the user asked for, as written in cluster.json."""

    name: str
    index: int
    nodes: int = 1
    zones: int = 1
    kubernetes: str = ""
    powered_off: tuple[str, ...] = ()
    #: Decided when the cluster is made: machines that exist already get no second address.
    ipv6: bool = False
    version: int = STATE_VERSION

    @property
    def plan(self) -> Plan:
        return Plan(self.index, self.ipv6)


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths in one state directory."""

    root: Path
    name: str = field(default=DEFAULT_NAME)

    @property
    def spec_file(self) -> Path:
        return self.root / "cluster.json"

    @property
    def pki(self) -> Path:
        return self.root / "pki"

    @property
    def kubeconfigs(self) -> Path:
        return self.root / "kubeconfig"

    @property
    def admin(self) -> Path:
        return self.kubeconfigs / "admin.kubeconfig"

    @property
    def units(self) -> Path:
        return self.root / "units"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def config(self) -> Path:
        return self.root / "config"

    @property
    def machines(self) -> Path:
        return self.root / "machines"

    @property
    def programs(self) -> Path:
        """What the units run."""
        return self.root / "programs"

    @property
    def hosted(self) -> Path:
        """The machines of hosted clusters."""
        return self.machines / "hosted"

    @property
    def trees(self) -> Path:
        """The unpacked roots of the machines of hosted clusters."""
        return self.root / "trees"

    @property
    def events(self) -> Path:
        """Progress of the supervisor, one JSON line each."""
        return self.logs / "events.jsonl"

    def data(self, unit: str) -> Path:
        return self.root / unit

    def make(self) -> None:
        """Create the directories that every command expects; only the owner may look inside."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o700)
        for part in (self.pki, self.kubeconfigs, self.units, self.logs, self.config, self.machines):
            part.mkdir(exist_ok=True)


def base_directory(explicit: str | None = None) -> Path:
    """Where clusters live: the flag, $HYPERSHIFT_STATE, or the user's data directory."""
    if chosen := explicit or os.environ.get("HYPERSHIFT_STATE"):
        return Path(chosen).expanduser().absolute()
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "hypershift"


def layout(name: str, base: Path) -> Layout:
    """The layout of the cluster with this name."""
    return Layout(base / checked_name(name), name)


def load(where: Layout) -> Spec | None:
    """Read cluster.json; None when there is no such cluster, a sentence when it is not ours."""
    try:
        document = json.loads(where.spec_file.read_text())
    except FileNotFoundError:
        return None
    except (ValueError, OSError) as error:
        raise UsageError(
            f"{where.spec_file} cannot be read ({error}); "
            f"`hypershift local reset --name {where.name}` removes what is left of the cluster"
        ) from error
    return parse(document, where)


def parse(document: Any, where: Layout) -> Spec:
    """Check the version stamp before anything else: a newer state is never touched."""
    version = document.get("version") if isinstance(document, dict) else None
    if not isinstance(version, int):
        raise UsageError(f"{where.spec_file} is not the state of a cluster; nothing was changed")
    if version > STATE_VERSION:
        raise NewerState(
            f"{where.root} was written by a newer hypershift (state version {version}, this one "
            f"knows {STATE_VERSION}); use that version, nothing was changed"
        )
    known = {name: document[name] for name in Spec.__dataclass_fields__ if name in document}
    try:
        return Spec(**{**known, "powered_off": tuple(known.get("powered_off", ()))})
    except TypeError as error:
        raise UsageError(f"{where.spec_file} is incomplete: {error}") from error


def save(where: Layout, spec: Spec) -> None:
    """Write cluster.json so that a crash leaves the old or the new one."""
    write_file(where.spec_file, json.dumps(asdict(spec), indent=1) + "\n")


def with_power(spec: Spec, machine: str, *, on: bool) -> Spec:
    """Remember that the user switched a machine off, so that it is not started again."""
    rest = tuple(name for name in spec.powered_off if name != machine)
    return replace(spec, powered_off=rest if on else (*rest, machine))


def clusters(base: Path) -> list[Layout]:
    """Every cluster below the base directory, by name."""
    if not base.is_dir():
        return []
    found = (path for path in base.iterdir() if (path / "cluster.json").exists())
    return [Layout(path, path.name) for path in sorted(found)]


def remove(where: Layout) -> None:
    """Delete the directory, and the base directory when it is empty then.

    Machines have unpacked images on their disks, many thousands of files: `rm` is several times
    faster than our own loop over them.
    """
    if where.root.exists():
        subprocess.run(("rm", "-rf", "--one-file-system", "--", str(where.root)), check=False)
    shutil.rmtree(where.root, ignore_errors=True)
    try:
        where.root.parent.rmdir()
    except OSError:
        return


def write_file(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Replace a file atomically, by default readable by its owner alone."""
    data = content.encode() if isinstance(content, str) else content
    replace_file(path, data, mode=mode, sync=True)


@contextmanager
def locked(path: Path, busy: str) -> Iterator[None]:
    """Hold an advisory lock while the block runs, or raise at once and name its holder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(busy) from error
        yield
    finally:
        os.close(descriptor)
