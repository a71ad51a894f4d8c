"""What the table calls honoured is read: by attribute, or in a section that is handed on whole."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import hypershift
from hypershift.api.facts import facts_of
from hypershift.api.struct import Shape
from hypershift.operators.hypershift.support import (
    CLUSTER,
    POOL,
    Status,
    Table,
    field_paths,
    row_for,
)
from hypershift.release import Product

SOURCE = Path(hypershift.__file__).parent
PLATFORMS = ("Local", "None", "AWS", "Azure", "KubeVirt", "Agent", "OpenStack", "PowerVS", "GCP")
#: Sections that a program gets as they are written.
HANDED_ON = (
    "autoscaling.",
    "configuration.",
    "operatorConfiguration.ingressOperator.endpointPublishingStrategy.",
    "platform.azure.image.azureMarketplace.",
    "tolerations.",
    "etcd.managed.shards.scheduling.tolerations.",
)


def attributes(tree: ast.AST) -> Iterator[str]:
    """The attributes that a module reads."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name):
                yield name
            case ast.MatchClass(kwd_attrs=names):
                yield from names
            case _:
                pass


@cache
def read() -> frozenset[str]:
    others = {SOURCE / "api", SOURCE / "cli"}  # declarations, and flags of the same names
    paths = (path for path in SOURCE.rglob("*.py") if not others & {*path.parents})
    return frozenset(name for path in paths for name in attributes(ast.parse(path.read_text())))


def names(hint: Any, found: dict[str, set[str]], seen: set[type]) -> Mapping[str, set[str]]:
    """The attributes of each wire name, in a shape and all below it."""
    if isinstance(hint, type) and issubclass(hint, Shape) and hint not in seen:
        seen.add(hint)
        for facts in facts_of(hint):
            found.setdefault(facts.wire, set()).add(facts.name)
            names(facts.type, found, seen)
    for inner in get_args(hint):
        names(inner, found, seen)
    return found


def honoured(table: Table) -> Iterator[str]:
    for path in field_paths(table.shape):
        rows = [row_for(table, path, product, each) for product in Product for each in PLATFORMS]
        if any(row is not None and row.status is Status.HONOURED for row in rows):
            yield path


def unread(table: Table, attributes_read: frozenset[str]) -> list[str]:
    known = names(table.shape, {}, set())
    return [
        path
        for path in honoured(table)
        if not path.startswith(HANDED_ON)
        and not known[path.rpartition(".")[2].removesuffix("[]")] & attributes_read
    ]


@pytest.mark.parametrize("table", [CLUSTER, POOL], ids=["HostedCluster", "NodePool"])
def test_what_is_called_honoured_is_read(table: Table) -> None:
    assert unread(table, read()) == []


def test_a_field_that_nothing_reads_is_found() -> None:
    assert "kubeAPIServerDNSName" in unread(CLUSTER, read() - {"kube_api_server_dns_name"})
