"""Short hashes and the names made with them, equal to the original's in every digit."""

from collections.abc import Mapping
from typing import Any

from hypershift.ignition.goyaml import to_json
from hypershift.kit.names import fnv1a

_HASH_LENGTH = 8


def of_text(text: str) -> str:
    """The hash of a Go string: over its UTF-8 bytes."""
    return fnv1a(text.encode("utf-8", "surrogateescape"))


def of_bytes(data: bytes) -> str:
    """The hash of a Go byte slice: over the text `[1 2 3]` that Go prints for it."""
    return fnv1a(f"[{' '.join(map(str, data))}]".encode())


def of_json(value: Any) -> str:
    """The hash of a value's Go JSON; keys stay in the order given, as struct fields do."""
    return of_text(to_json(value, sort=False))


def of_config_map(data: Mapping[str, str] | None) -> str:
    """The hash of a ConfigMap's data; empty for none."""
    if not data:
        return ""
    keys = sorted(data, key=lambda key: key.encode())
    return of_text("".join(f"{key}\0{data[key]}\0" for key in keys))


def name(base: str, suffix: str, limit: int) -> str:
    """`base-suffix`, shortened with a hash where it exceeds the limit (in bytes)."""
    return _name(base, suffix, limit, smallest=1)


def shortened(base: str, suffix: str, limit: int) -> str:
    """As `name`, but a base may vanish whole before the suffix does: routes, mirrored configs."""
    return _name(base, suffix, limit, smallest=0)


def _name(base: str, suffix: str, limit: int, *, smallest: int) -> str:
    if limit <= 0:
        return ""
    raw, whole = base.encode(), f"{base}-{suffix}".encode()
    if len(whole) <= limit:
        return whole.decode()
    kept = limit - _HASH_LENGTH - 2 - len(suffix.encode())
    if kept >= smallest:
        short = b"%b-%b-%b" % (raw[:kept], of_text(base).encode(), suffix.encode())
    else:
        kept = max(0, min(limit - _HASH_LENGTH - 1, len(raw)))
        short = b"%b-%b" % (raw[:kept], fnv1a(whole).encode())
    return short[:limit].decode("utf-8", "replace")
