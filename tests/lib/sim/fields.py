"""Field ownership as server-side apply keeps it: sets of paths, and the `fieldsV1` they are.

A path is a tuple of steps: `f:name` for a field, `k:{...}` for an entry of a keyed list, `v:...`
for a member of a set. A list that is neither, and an atomic map, is one leaf.
"""

import json
from dataclasses import dataclass
from typing import Any

from hypershift.kube.shape import duplicate

Path = tuple[str, ...]
Paths = dict[Path, None]

_IGNORED = frozenset(
    {
        ("f:apiVersion",),
        ("f:kind",),
        ("f:metadata", "f:name"),
        ("f:metadata", "f:namespace"),
        ("f:metadata", "f:uid"),
        ("f:metadata", "f:resourceVersion"),
        ("f:metadata", "f:generation"),
        ("f:metadata", "f:creationTimestamp"),
        ("f:metadata", "f:managedFields"),
        ("f:metadata", "f:selfLink"),
        ("f:metadata", "f:generateName"),
        ("f:metadata", "f:deletionTimestamp"),
        ("f:metadata", "f:deletionGracePeriodSeconds"),
    }
)


@dataclass(frozen=True, slots=True)
class Lists:
    """How the lists and maps of a kind merge, by field name."""

    keyed: dict[str, tuple[str, ...]]
    sets: frozenset[str]
    atomic_maps: frozenset[str] = frozenset()


METADATA = Lists({"ownerReferences": ("uid",)}, frozenset({"finalizers"}))
BUILT_IN = Lists(
    {
        "conditions": ("type",),
        "containers": ("name",),
        "env": ("name",),
        "imagePullSecrets": ("name",),
        "initContainers": ("name",),
        "ownerReferences": ("uid",),
        "ports": ("port", "protocol"),
        "volumeMounts": ("mountPath",),
        "volumes": ("name",),
        "webhooks": ("name",),
    },
    frozenset({"finalizers"}),
    frozenset({"selector", "nodeSelector"}),
)
#: Container ports are keyed by another field than those of a Service.
CONTAINER_PORTS = ("containerPort", "protocol")
_DEFAULTS = {"protocol": "TCP"}


def paths(value: Any, lists: Lists) -> Paths:
    """Every leaf of an object that somebody can own."""
    found: list[Path] = []
    _walk(value, (), "", lists, found)
    return {
        path: None
        for path in found
        if path and path[:1] not in _IGNORED and path[:2] not in _IGNORED
    }


def _walk(value: Any, path: Path, field: str, lists: Lists, found: list[Path]) -> None:
    if isinstance(value, dict) and value and field not in lists.atomic_maps:
        if path and path[-1].startswith("k:"):
            found.append(path)
        for name, item in value.items():
            below = (*path, f"f:{name}")
            if isinstance(item, (dict, list)):
                _walk(item, below, name, lists, found)
            else:
                found.append(below)
    elif isinstance(value, list) and value and (entries := _entries(value, field, lists)):
        for step, item in entries:
            _walk(item, (*path, step), "", lists, found)
    else:
        found.append(path)


def _entries(value: list[Any], field: str, lists: Lists) -> list[tuple[str, Any]] | None:
    if field in lists.sets:
        return [(f"v:{json.dumps(item)}", item) for item in value]
    if field in lists.keyed and all(isinstance(item, dict) for item in value):
        keys = lists.keyed[field]
        if field == "ports" and any("containerPort" in item for item in value):
            keys = CONTAINER_PORTS
        return [(_step(item, keys), item) for item in value]
    return None


def _step(item: dict[str, Any], keys: tuple[str, ...]) -> str:
    named = {key: item.get(key, _DEFAULTS.get(key)) for key in keys}
    return "k:" + json.dumps(named, sort_keys=True, separators=(",", ":"))


# Reading and writing one path


def value_at(obj: Any, path: Path) -> Any:
    """What an object has at a path; None when it has nothing."""
    for step in path:
        obj = _child(obj, step)
        if obj is None:
            return None
    return obj


def _child(obj: Any, step: str) -> Any:
    kind, name = step[:2], step[2:]
    if kind == "f:":
        return obj.get(name) if isinstance(obj, dict) else None
    if not isinstance(obj, list):
        return None
    wanted = json.loads(name)
    if kind == "v:":
        return wanted if wanted in obj else None
    return next((item for item in obj if _matches(item, wanted)), None)


def _matches(item: Any, wanted: dict[str, Any]) -> bool:
    return isinstance(item, dict) and all(
        item.get(key, _DEFAULTS.get(key)) == value for key, value in wanted.items()
    )


def remove(obj: Any, path: Path, kept: Paths, above: Path = ()) -> None:
    """Take a leaf out of an object, and the maps and lists that it leaves empty and unowned."""
    step, rest = path[0], path[1:]
    if rest:
        child = _child(obj, step)
        if child is None:
            return
        remove(child, rest, kept, (*above, step))
        if child or (*above, step) in kept:
            return
    _take_out(obj, step)


def prune(obj: Any, surplus: Paths, kept: Paths) -> None:
    """Take out the leaves that their last owner no longer names.

    An entry of a keyed list goes as a whole, unless somebody still owns a part of it: then the
    fields that are its key stay too.
    """
    for path in sorted(surplus, key=len):
        if path[-1].startswith("k:") and not any(other[: len(path)] == path for other in kept):
            remove(obj, path, kept)
    for path in sorted(surplus, key=len):
        if path[-1].startswith("k:") or _is_key(path) or value_at(obj, path) is None:
            continue
        if not any(other[: len(path)] == path for other in kept):  # an empty map that has grown
            remove(obj, path, kept)


def _is_key(path: Path) -> bool:
    previous = path[-2] if len(path) > 1 else ""
    return previous.startswith("k:") and path[-1][2:] in json.loads(previous[2:])


def _take_out(parent: Any, step: str) -> None:
    if step.startswith("f:"):
        parent.pop(step[2:], None)
        return
    wanted = json.loads(step[2:])
    for item in list(parent):
        if item == wanted or (isinstance(wanted, dict) and _matches(item, wanted)):
            parent.remove(item)


def merge(live: Any, applied: Any, lists: Lists, field: str = "") -> Any:
    """The live value with an applied one laid over it."""
    if isinstance(live, dict) and isinstance(applied, dict) and field not in lists.atomic_maps:
        merged = dict(live)
        for name, value in applied.items():
            merged[name] = merge(live.get(name), value, lists, name)
        return merged
    if isinstance(live, list) and isinstance(applied, list):
        wanted, known = _entries(applied, field, lists), _entries(live, field, lists)
        if wanted is not None and (known is not None or not live):
            return _merge_entries(dict(known or ()), dict(wanted), lists)
    return duplicate(applied)


def _merge_entries(known: dict[str, Any], wanted: dict[str, Any], lists: Lists) -> list[Any]:
    merged = {
        step: merge(item, wanted[step], lists) if step in wanted else item
        for step, item in known.items()
    }
    return list((merged | {k: v for k, v in wanted.items() if k not in known}).values())


# The wire form


def to_fields(owned: Paths) -> dict[str, Any]:
    """The `fieldsV1` of a set of paths."""
    root: dict[str, Any] = {}
    for path in owned:
        place = root
        for step in path:
            place = place.setdefault(step, {})
        if path[-1].startswith("k:"):
            place["."] = {}
    return root
