"""The Go structs behind configuration documents: which fields exist, and which are shown."""

from hypershift.ignition.go_types.kinds import KEPT, WRITTEN
from hypershift.ignition.go_types.reading import Place, Struct, name_of
from hypershift.ignition.go_types.registered import MACHINE_CONFIG_API, go_type
from hypershift.ignition.go_types.tuning import OTHERS, TUNING
from hypershift.kit import InvalidSpec, Manifest

__all__ = [
    "MACHINE_CONFIG_API",
    "OTHERS",
    "TUNING",
    "check",
    "decode",
    "decode_as",
    "go_type",
    "name_of",
]


def decode(kind: str, content: Manifest) -> Manifest:
    """A document as its Go struct holds it, ready to be written."""
    return decode_as(WRITTEN[kind], content)


def check(kind: str, content: Manifest) -> Manifest:
    """As `decode`, of a kind whose own text is kept: refuses what Go could not read."""
    return decode_as(KEPT[kind], content)


def decode_as(struct: Struct, content: Manifest, unknown: list[str] | None = None) -> Manifest:
    """A document as a struct holds it; what the struct does not have is added to `unknown`."""
    place = Place(struct.name, unknown=[] if unknown is None else unknown)
    try:
        return struct.decoded(content, place)
    except RecursionError as error:
        raise InvalidSpec("exceeded max depth") from error
