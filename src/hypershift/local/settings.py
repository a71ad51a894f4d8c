"""What `local up` tells the supervisor, in a file that a restarted supervisor reads again."""

import hashlib
from pathlib import Path

import msgspec

from hypershift.local.state import Layout, write_file


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was decided before the supervisor starts."""

    binaries: dict[str, Path]
    nft: tuple[str, ...]
    mtu: int


def path(where: Layout) -> Path:
    return where.config / "supervisor.json"


def save(where: Layout, settings: Settings) -> None:
    """Write the settings."""
    write_file(path(where), msgspec.json.encode(settings, enc_hook=str))


def load(where: Layout) -> Settings:
    """Read the settings."""
    return msgspec.json.decode(path(where).read_bytes(), type=Settings, dec_hook=_path)


def digest(where: Layout) -> str:
    """Changes when a running supervisor should be replaced by one that reads everything anew."""
    files = (where.spec_file, path(where))
    return hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest()[:16]


def _path(_kind: type, value: object) -> Path:
    return Path(str(value))
