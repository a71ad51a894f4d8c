"""Desired against live: which fields that we want are not what the server has."""

import re
from collections.abc import Iterator
from decimal import Decimal
from hashlib import blake2b
from typing import Any

import msgspec

from hypershift.kit import Manifest

#: The key by which the API identifies entries of a list; other lists are compared by position.
MERGE_KEYS: dict[str, tuple[str, ...]] = {
    "conditions": ("type",),
    "containers": ("name",),
    "env": ("name",),
    "ephemeralContainers": ("name",),
    "hostAliases": ("ip",),
    "imagePullSecrets": ("name",),
    "initContainers": ("name",),
    "ownerReferences": ("uid",),
    "secrets": ("name",),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"),
    "volumeClaimTemplates": ("metadata",),
    "volumeDevices": ("devicePath",),
    "volumeMounts": ("mountPath",),
    "volumes": ("name",),
    "webhooks": ("name",),
}
#: Lists of plain values to which others may add theirs.
SETS = frozenset({"finalizers"})

_QUANTITY = re.compile(r"^([+-]?[0-9.]+)([eE][+-]?[0-9]+|[numkMGTPE]i?|Ki)?$")
_SCALE = {
    suffix: Decimal(10) ** power
    for suffix, power in zip("numkMGTPE", (-9, -6, -3, 3, 6, 9, 12, 15, 18), strict=True)
}
_SCALE |= {f"{suffix}i": Decimal(1024) ** power for power, suffix in enumerate("KMGTPE", start=1)}
_QUANTITIES = frozenset({"requests", "limits", "capacity", "allocatable", "hard"})


def digest(value: Any) -> str:
    """A short name for a piece of JSON, the same for the same content."""
    encoded = msgspec.json.encode(value, order="deterministic")
    return blake2b(encoded, digest_size=8).hexdigest()


def differences(desired: Any, live: Any, path: str = "") -> Iterator[str]:
    """The paths of the desired leaves that the live object lacks or has otherwise.

    What the server adds (defaults, others' entries) is no difference, nor how it spells a quantity,
    nor an empty value that it leaves out.
    """
    if isinstance(desired, dict) and isinstance(live, dict):
        for name, value in desired.items():
            yield from differences(value, live.get(name), f"{path}.{name}" if path else name)
    elif isinstance(desired, list) and isinstance(live, list):
        yield from _list_differences(desired, live, path)
    elif not _same(desired, live, path):
        yield path


def _list_differences(desired: list[Any], live: list[Any], path: str) -> Iterator[str]:
    pairs = matched(desired, live, path.rpartition(".")[2])
    if pairs is None:
        yield path
        return
    for label, wanted, found in pairs:
        yield from differences(wanted, found, f"{path}[{label}]")


def matched(desired: list[Any], live: list[Any], field: str) -> list[tuple[str, Any, Any]] | None:
    """Each desired entry beside the live one that it means; None when the lists do not pair up."""
    field = field.partition("[")[0]
    if field in SETS:
        return [(str(item), item, item if item in live else None) for item in desired]
    if keys := MERGE_KEYS.get(field):
        by_key = {_identity(item, keys): item for item in live}
        named = [(_identity(item, keys), item) for item in desired]
        return [(name, item, by_key.get(name)) for name, item in named]
    if len(desired) != len(live):
        return None
    return [(str(place), *pair) for place, pair in enumerate(zip(desired, live, strict=True))]


def _identity(item: Any, keys: tuple[str, ...]) -> str:
    if not isinstance(item, dict):
        return str(item)
    values = (item.get(key) for key in keys)
    return ",".join(str(v.get("name") if isinstance(v, dict) else v) for v in values)


def project(live: Any, desired: Any, field: str = "") -> Any:
    """The part of the live object that the desired one speaks about."""
    if isinstance(desired, dict) and isinstance(live, dict):
        return {name: project(live.get(name), value, name) for name, value in desired.items()}
    if isinstance(desired, list) and isinstance(live, list):
        pairs = matched(desired, live, field)
        return live if pairs is None else [project(found, wanted) for _, wanted, found in pairs]
    return live


def _same(desired: Any, live: Any, path: str) -> bool:
    if desired == live and type(desired) is type(live):
        return True
    if live is None:
        return not desired
    spoken = path.split(".")
    if len(spoken) > 1 and (spoken[-2] in _QUANTITIES or spoken[-1] in {"storage", "sizeLimit"}):
        return quantity(str(desired)) == quantity(str(live))
    return isinstance(desired, int | float) and desired == live and not isinstance(live, bool)


def quantity(text: str) -> Decimal | str:
    """The number that a quantity means, so that `0.5` and `500m` are the same."""
    found = _QUANTITY.match(text)
    if not found:
        return text
    number, suffix = Decimal(found[1]), found[2] or ""
    if suffix[:1] in {"e", "E"} and suffix[1:]:
        return number.scaleb(int(suffix[1:]))
    return number * _SCALE.get(suffix, Decimal(1))


def merge_patch(old: Any, new: Any) -> Any:
    """The JSON merge patch from old to new; an empty map when they are equal."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    patch: Manifest = {}
    for name in old:
        if name not in new:
            patch[name] = None
    for name, value in new.items():
        if name not in old:
            patch[name] = value
        elif old[name] != value:
            patch[name] = merge_patch(old[name], value)
    return patch
