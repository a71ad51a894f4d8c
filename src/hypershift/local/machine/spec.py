"""What a machine is made of, as a value that survives on disk beside the machine."""

import hashlib
import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

import msgspec

from hypershift.kit import InvalidSpec, TransientError

#: The longest name that Linux gives a link.
_LINK_NAME: Final = 15
#: A name becomes a directory, a control group and an argument in scripts.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,199}")
#: A machine's metadata is in files of one line each.
_FACT: Final = re.compile(r"[A-Za-z0-9._:/-]{0,512}")
#: How many user and group ids a machine has, and those of the host that are given to machines.
IDS: Final = 65536
ALL_IDS: Final = range(1 << 30, 1 << 31, IDS)
#: The control group above those of every machine.
TOP_GROUP: Final = "hypershift"


class Attachment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the machine hangs on a bridge of the host."""

    bridge: str
    #: With its prefix length: 10.0.0.5/16.
    address: str
    gateway: str = ""
    #: The same in IPv6, where the bridge has it.
    address_v6: str = ""
    gateway_v6: str = ""
    mac: str = ""
    mtu: int = 1500
    resolvers: tuple[str, ...] = ()
    #: For pods of a cluster that has no IPv4, in a file of its own: others would ask in vain.
    resolvers_v6: tuple[str, ...] = ()
    search: tuple[str, ...] = ()


class Limits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the machine may use at most; None is all that the host has."""

    #: In thousandths of a core.
    cpu: int | None = None
    #: In bytes.
    memory: int | None = None


class Metadata(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The metadata that a cloud gives an instance."""

    hostname: str
    instance_id: str = ""
    provider_id: str = ""
    zone: str = ""
    region: str = ""


class MachineSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A machine: its name within a scope, its image, its disk and its ties to the host."""

    name: str
    #: Whose machine it is (an embedded cluster, a hosted one): names are unique within it.
    scope: str
    #: The extracted machine-os image, shared and never written.
    os_tree: Path
    #: Holds the disk, the console and what is known of the running machine.
    directory: Path
    network: Attachment
    metadata: Metadata
    limits: Limits = Limits()
    #: First of the host's user and group ids that are the machine's own; without them root of the
    #: machine is root of the host.
    ids: int | None = None

    @property
    def group(self) -> str:
        """The control group that everything in the machine belongs to."""
        return group_of(self.scope, self.name)

    @property
    def link(self) -> str:
        """The host's end of the machine's wire."""
        return link_of(self.scope, self.name)

    @property
    def mac(self) -> str:
        """The machine's hardware address: the same at every boot."""
        digest = _digest(self.scope, self.name)
        own = ":".join(digest[at : at + 2] for at in range(0, 10, 2))
        return self.network.mac or f"02:{own}"


def group_of(scope: str, name: str) -> str:
    """The control group of the machine with this name."""
    return f"{TOP_GROUP}/{scope}/{name}"


def link_of(scope: str, name: str) -> str:
    """The host's end of the wire of the machine with this name."""
    return f"hs{_digest(scope, name)}"[:_LINK_NAME]


def ids_of(scope: str, name: str, taken: Collection[int | None] = ()) -> int:
    """The first id of a range that none of `taken` has; the search starts at a hash of the name.

    Machines of another embedded cluster are not among `taken`. Two that share a range by chance
    lose this one boundary between each other, but are still in separate namespaces.
    """
    start = int(_digest(scope, name)[:8], 16)
    for step in range(len(ALL_IDS)):
        first = ALL_IDS[(start + step) % len(ALL_IDS)]
        if first not in taken:
            return first
    raise TransientError(f"all ranges of ids are taken: none is left for machine {name}")


def _digest(scope: str, name: str) -> str:
    return hashlib.sha256(f"{scope}/{name}".encode()).hexdigest()


def check(spec: MachineSpec) -> None:
    """Refuse names and paths that would end up outside of their place."""
    for field in ("name", "scope"):
        value = getattr(spec, field)
        if not _NAME.fullmatch(value):
            raise InvalidSpec(f"machine {field} {value!r} is not a name", field=field)
    for field, value in msgspec.structs.asdict(spec.metadata).items():
        if not _FACT.fullmatch(value):
            raise InvalidSpec(f"machine {field} {value[:80]!r} has strange characters", field=field)
    if spec.ids is not None and spec.ids not in ALL_IDS:
        raise InvalidSpec(f"machine ids from {spec.ids} are not given to machines", field="ids")
    for field in ("os_tree", "directory"):
        path = str(getattr(spec, field))
        # overlayfs reads these two as separators.
        if not path.startswith("/") or ":" in path or "," in path:
            raise InvalidSpec(
                f"{field} {path!r} must be absolute, without ':' and ','", field=field
            )


def encode(spec: MachineSpec) -> bytes:
    """The value as JSON."""
    return msgspec.json.format(msgspec.json.encode(spec, enc_hook=_encode), indent=1)


def decode(document: bytes) -> MachineSpec:
    """The value out of JSON."""
    spec = msgspec.json.decode(document, type=MachineSpec, dec_hook=_decode)
    check(spec)
    return spec


def _encode(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError


def _decode(kind: type, value: object) -> object:
    if kind is Path:
        return Path(str(value))
    raise NotImplementedError
