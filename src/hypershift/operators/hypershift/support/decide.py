"""Decide what becomes of the settings of one object."""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypershift.api.facts import declared, nested
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.node_pool import NodePoolSpec
from hypershift.api.struct import Shape
from hypershift.kit import Manifest
from hypershift.operators.hypershift.support import (
    annotations,
    cluster,
    configuration,
    etcd,
    pools,
)
from hypershift.operators.hypershift.support.rows import Status, Support
from hypershift.release import Product

CLUSTER_ROWS = (*cluster.ROWS, *configuration.ROWS, *etcd.ROWS)
POOL_ROWS = pools.ROWS
ANNOTATION_ROWS = annotations.ROWS


@dataclass(frozen=True, eq=False)
class Table:
    """The fields of a kind's spec, and the rows about them; known by its identity."""

    shape: type[Shape]
    rows: tuple[Support, ...]


CLUSTER = Table(HostedClusterSpec, CLUSTER_ROWS)
POOL = Table(NodePoolSpec, POOL_ROWS)


class Concern(NamedTuple):
    """A row that concerns an object, and the message for its user."""

    row: Support
    text: str


def field_paths(shape: type[Shape], prefix: str = "") -> Iterator[str]:
    """The paths of a shape's fields that hold values."""
    for field in declared(shape):
        path = f"{prefix}{field.wire}"
        if below := nested(field.type):
            yield from field_paths(below.shape, f"{path}.")
        else:
            yield path


@functools.cache
def row_for(table: Table, path: str, product: Product | None, platform: str) -> Support | None:
    """The most specific row that covers a field."""
    found = [
        row
        for row in table.rows
        if (path == row.path or path.startswith(f"{row.path}."))
        and row.holds_for(product, platform)
    ]
    return max(found, key=lambda row: (row.path.count("."), row.weight), default=None)


def fields(
    table: Table, manifest: Manifest, product: Product | None, platform: str, status: Status
) -> list[Concern]:
    """The rows of a status whose fields the user set, each once."""
    found: dict[Support, None] = {}
    for path, value in _given_values(table.shape, manifest["spec"]):
        row = row_for(table, path, product, platform)
        if row and row.status is status and not _allowed(row, value):
            found.setdefault(row)
    return [Concern(row, f"spec.{row.path}: {row.text}") for row in found]


def ignored_annotations(names: Iterable[str], product: Product | None) -> list[str]:
    """The message about annotations that have no effect."""
    return [
        f"annotation {name}: {row.text}"
        for name in sorted(names)
        if (row := row_for_annotation(name, product)) and row.status is Status.IGNORED
    ]


@functools.cache
def _by_name(product: Product | None) -> dict[str, Support]:
    return {row.path: row for row in ANNOTATION_ROWS if row.holds_for(product, "")}


def row_for_annotation(name: str, product: Product | None) -> Support | None:
    """The row about an annotation, or about its whole family."""
    rows = _by_name(product)
    return rows.get(name) or rows.get(f"{name.partition('/')[0]}/")


def _allowed(row: Support, value: object) -> bool:
    values = value if isinstance(value, list | tuple) else [value]
    return bool(row.allows) and all(str(one) in row.allows for one in values)


def _given_values(
    shape: type[Shape], spec: Mapping[str, Any], prefix: str = ""
) -> Iterator[tuple[str, Any]]:
    """The values that differ from the API's defaults, by path; empty ones ask for nothing."""
    for field in declared(shape):
        value = spec.get(field.wire)
        path = f"{prefix}{field.wire}"
        below = nested(field.type)
        if below is None:
            if _says(value, field.value.default):
                yield path, value
            continue
        for part in _parts(value):
            yield from _given_values(below.shape, part, f"{path}.")


def _says(value: object, default: object) -> bool:
    if value is None or value == default:
        return False
    return bool(value) or default not in (None, "")


def _parts(value: object) -> list[Mapping[str, Any]]:
    found = value if isinstance(value, list) else [value]
    return [part for part in found if isinstance(part, Mapping)]
