"""How configurations combine: the child is laid over the parent, by Ignition's own rules.

Single values: the child's when it has one. Lists whose elements have a key (path, name, source,
the value itself) merge element by element and keep the parent's order, new ones last. References
and appended contents simply follow each other. A path is one node: a child's file takes the place
of a parent's directory or link.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import msgspec

from hypershift.ignition.config import Config, Directory, File, Link, Node, References, Storage
from hypershift.ignition.resource import Value

V = TypeVar("V", bound=Value)
T = TypeVar("T")

#: What identifies an element of a list, by the field's name.
KEYS: Final[dict[str, Callable[[Any], object]]] = {
    "users": lambda user: user.name,
    "units": lambda unit: unit.name,
    "dropins": lambda dropin: dropin.name,
    "http_headers": lambda header: header.name,
    "certificate_authorities": lambda authority: authority.source,
    "directories": lambda node: node.path,
    "files": lambda node: node.path,
    "links": lambda node: node.path,
    "ssh_authorized_keys": lambda value: value,
    "no_proxy": lambda value: value,
}


def merge(parent: Config, *children: Config) -> Config:
    """Lay configurations over each other, the last one winning."""
    for child in children:
        parent = _merged(parent, child)
    return parent


def _merged(parent: V, child: V) -> V:
    base: Value = parent
    if isinstance(parent, Storage) and isinstance(child, Storage):
        base = _without_paths(parent, child)
    fields = type(parent).__struct_fields__
    return type(parent)(
        **{name: _value(name, getattr(base, name), getattr(child, name)) for name in fields}
    )


def _value(name: str, old: Any, new: Any) -> Any:
    if isinstance(new, Value):
        return _merged(old, new)
    if isinstance(new, tuple):
        return _keyed(old, new, KEYS[name]) if name in KEYS else (*old, *new)
    return old if new is None else new


def _keyed(old: tuple[T, ...], new: tuple[T, ...], key: Callable[[T], object]) -> tuple[T, ...]:
    merged = {key(item): item for item in old}
    for item in new:
        before = merged.get(key(item))
        merged[key(item)] = (
            _merged(before, item) if isinstance(before, Value) and isinstance(item, Value) else item
        )
    return tuple(merged.values())


def _without_paths(parent: Storage, child: Storage) -> Storage:
    """Drop the parent's nodes whose path the child uses for another kind of node."""
    return Storage(
        directories=_others(parent.directories, child.files, child.links),
        files=_others(parent.files, child.directories, child.links),
        links=_others(parent.links, child.directories, child.files),
    )


N = TypeVar("N", Directory, File, Link)


def _others(nodes: tuple[N, ...], *taken: Iterable[Node]) -> tuple[N, ...]:
    paths = {node.path for group in taken for node in group}
    return tuple(node for node in nodes if node.path not in paths)


def without_references(config: Config) -> Config:
    """The configuration once what it refers to has been merged into it."""
    ignition = msgspec.structs.replace(config.ignition, config=References())
    return msgspec.structs.replace(config, ignition=ignition)
