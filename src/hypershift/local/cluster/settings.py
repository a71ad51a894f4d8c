"""The settings of the supervisor, in a file that a restarted supervisor reads again."""

import hashlib
from pathlib import Path

import msgspec

import hypershift
from hypershift.local.cluster.state import Layout, write_file


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
    """Changes when a running supervisor should be replaced by a new one."""
    files = (where.spec_file, path(where))
    told = b"".join(each.read_bytes() for each in files)
    return hashlib.sha256(told + _program().encode()).hexdigest()[:16]


def _program() -> str:
    """Changes when this program was installed again or edited."""
    sources = sorted(Path(hypershift.__file__).parent.rglob("*.py"))
    return repr([(each.name, each.stat().st_mtime_ns) for each in sources])


def _path(_kind: type, value: object) -> Path:
    return Path(str(value))
