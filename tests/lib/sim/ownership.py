"""Who owns which field of an object, and what apply and update make of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.lib.sim.fields import (
    Lists,
    Path,
    Paths,
    merge,
    paths,
    prune,
    to_fields,
    value_at,
)

from hypershift.kit import Manifest
from hypershift.kube.shape import duplicate


class Owner(NamedTuple):
    """A field manager in one of its roles."""

    manager: str
    operation: str
    subresource: str = ""


Owners = Mapping[Owner, Paths]


@dataclass(frozen=True, slots=True)
class FieldConflict(Exception):
    """Fields that an apply without force would take from others."""

    taken: tuple[tuple[Owner, Path], ...]


def after_update(
    owners: Owners, before: Manifest, after: Manifest, owner: Owner, lists: Lists
) -> dict[Owner, Paths]:
    """Ownership after a write that is not an apply: what it changed is the writer's alone."""
    old, new = paths(before, lists), paths(after, lists)
    changed = {
        path: None
        for path in new
        if path not in old or value_at(before, path) != value_at(after, path)
    }
    result: dict[Owner, Paths] = {}
    for known, owned in owners.items():
        kept = {
            path: None for path in owned if path in new and (known == owner or path not in changed)
        }
        if kept:
            result[known] = kept
    if changed:
        result[owner] = result.get(owner, {}) | changed
    return result


def applied(
    owners: Owners, live: Manifest, wish: Manifest, owner: Owner, lists: Lists, *, force: bool
) -> tuple[Manifest, dict[Owner, Paths]]:
    """The object and its ownership after an apply; `FieldConflict` when others hold its fields."""
    wanted = paths(wish, lists)
    contested = [
        (known, path)
        for known, owned in owners.items()
        if known != owner
        for path in owned
        if path in wanted and not _same(live, wish, path)
    ]
    if contested and not force:
        raise FieldConflict(tuple(contested))
    lost = set(contested)
    result = {
        known: {path: None for path in owned if (known, path) not in lost}
        for known, owned in owners.items()
        if known != owner
    }
    result = {known: owned for known, owned in result.items() if owned}
    merged: Any = merge(duplicate(live), wish, lists)
    kept = {path: None for owned in (*result.values(), wanted) for path in owned}
    surplus = {path: None for path in owners.get(owner, {}) if path not in kept}
    prune(merged, surplus, kept)
    if wanted:
        result[owner] = wanted
    return merged, result


def _same(live: Manifest, wish: Manifest, path: Path) -> bool:
    if path[-1].startswith("k:"):
        return True  # the entry itself; its fields are compared one by one
    return bool(value_at(live, path) == value_at(wish, path))


def managed_fields(owners: Owners, api_version: str, time: str) -> list[Manifest]:
    """The `managedFields` of an object."""
    entries = []
    for owner, owned in owners.items():
        entry: Manifest = {
            "manager": owner.manager,
            "operation": owner.operation,
            "apiVersion": api_version,
            "time": time,
            "fieldsType": "FieldsV1",
            "fieldsV1": to_fields(owned),
        }
        if owner.subresource:
            entry["subresource"] = owner.subresource
        entries.append(entry)
    return entries
