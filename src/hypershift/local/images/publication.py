"""What a cluster's registry serves, as its state directory records it."""

import msgspec

from hypershift.local.cluster.state import Layout, write_file

FILE = "images.json"


class Published(msgspec.Struct, frozen=True):
    """The payload that the cluster was brought up with."""

    #: The release by tag and digest: people read the tag, and the digest counts.
    release: str
    digest: str
    #: References by tag name.
    images: dict[str, str]
    #: The unpacked root of the machines.
    os_tree: str


def published(where: Layout) -> Published | None:
    """What was published before."""
    try:
        return msgspec.json.decode((where.config / FILE).read_bytes(), type=Published)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def record(where: Layout, made: Published) -> None:
    """Keep what was published."""
    write_file(where.config / FILE, msgspec.json.encode(made))


def release_of(where: Layout) -> str:
    """The release of a cluster by its digest; empty when none was published."""
    made = published(where)
    if made is None:
        return ""
    # State of older versions has the tag alone.
    return made.release if "@" in made.release else f"{made.release}@{made.digest}"
