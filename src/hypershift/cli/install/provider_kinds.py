"""Definitions of the infrastructure providers' kinds, by a table of their names and versions.

The schemas are the providers' own where their modules can be had. Others are open: every field is
kept, and the provider validates it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from hypershift.cli.install.operator import CLI_VERSION
from hypershift.cli.version import client_version
from hypershift.kit import Manifest

INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io"
CONTRACT = "cluster.x-k8s.io/v1beta1"
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


@cache
def _table(name: str = "provider-kinds.yaml") -> list[dict[str, Any]]:
    text = (files(__package__) / "assets" / name).read_text()
    found: list[dict[str, Any]] = yaml.safe_load(text)
    return found


def provider_kinds(platforms: frozenset[str]) -> list[Manifest]:
    """The definitions of some platforms, or of all when none is named."""
    return [
        definition
        for platform in dict.fromkeys(row["platform"] for row in _table())
        if not platforms or platform in platforms
        for definition in sorted(_of(platform), key=place)
    ]


def platforms_of(definitions: Iterable[Manifest]) -> frozenset[str]:
    """The platforms that definitions of the table belong to."""
    names = {each["metadata"]["name"] for each in definitions}
    every = {row["platform"] for row in _table()}
    return frozenset(one for one in every if any(_name(each) in names for each in _of(one)))


def completed(definition: Manifest, theirs: Mapping[str, Manifest]) -> Manifest:
    """A definition of the table with the schemas of its provider, if these are known."""
    name = _name(definition)
    if (real := theirs.get(name)) is None:
        return definition
    spec = definition["spec"]
    known = {each["name"]: each for each in real["spec"]["versions"]}
    versions = [
        {
            **known[each["name"]],
            "schema": _mute(known[each["name"]]["schema"]),
            "served": each["served"],
            "storage": each["storage"],
        }
        for each in spec["versions"]
    ]
    # by the mark `uninstall` finds them, also when another program applied them
    metadata = {**definition["metadata"], "annotations": {CLI_VERSION: client_version()}}
    names = real["spec"]["names"]
    return {**definition, "metadata": metadata,
            "spec": {**spec, "names": names, "versions": versions}}  # fmt: skip


def _mute(schema: Any, *, names: bool = False) -> Any:
    """A schema without its descriptions: with them a chart is more than Helm can store."""
    if isinstance(schema, dict):
        return {
            key: _mute(value, names=key == "properties")
            for key, value in schema.items()
            if names or key != "description"
        }
    return [_mute(each) for each in schema] if isinstance(schema, list) else schema


def _name(definition: Manifest) -> str:
    return str(definition["metadata"]["name"])


def core_kinds() -> list[Manifest]:
    """Definitions of Cluster API's own kinds, for where its module cannot be had."""
    return [_definition(row, kind) for row in _table("core-kinds.yaml") for kind in row["kinds"]]


def _of(platform: str) -> Iterator[Manifest]:
    for row in _table():
        if row["platform"] == platform:
            yield from (_definition(row, kind) for kind in row["kinds"])


def place(definition: Manifest) -> tuple[str, str]:
    """Where a definition stands among others."""
    return definition["spec"]["group"], definition["spec"]["names"]["plural"]


def _definition(row: dict[str, Any], kind: str) -> Manifest:
    group, singular = row.get("group", INFRASTRUCTURE), kind.lower()
    plural = f"{singular}s"
    if singular.endswith("y"):
        plural = f"{singular[:-1]}ies"
    elif singular.endswith("s"):
        plural = f"{singular}es"
    metadata: Manifest = {"name": f"{plural}.{group}"}
    if "contract" in row:
        metadata["labels"] = {CONTRACT: row["contract"]}
    names = {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": singular}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": {
            "group": group,
            "names": names,
            "scope": row.get("scope", "Namespaced"),
            "versions": [_version(name, row["versions"]) for name in row["versions"]],
        },
    }


def _version(name: str, every: list[str]) -> Manifest:
    return {
        "name": name,
        "served": True,
        "storage": name == every[-1],
        "schema": {"openAPIV3Schema": OPEN},
        "subresources": {"status": {}},
    }
