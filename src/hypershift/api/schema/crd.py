"""Makes a CustomResourceDefinition out of a kind, for one feature set and its gates."""

from typing import Any

from hypershift.api.kind import Column, Kind, Resource
from hypershift.api.schema.derive import schema_of
from hypershift.api.schema.features import FeatureSet
from hypershift.kit import Manifest


def crd(
    kind: Kind, shape: type[Resource], feature_set: FeatureSet, gates: frozenset[str]
) -> Manifest:
    """The definition that tells an API server how to serve this kind."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": _metadata(kind, feature_set),
        "spec": {
            "group": kind.group,
            "names": _names(kind),
            "scope": "Namespaced" if kind.namespaced else "Cluster",
            "versions": [_version(kind, shape, gates)],
        },
    }


def with_contract(manifest: Manifest, kind: Kind) -> Manifest:
    """The definition as installed: by its labels Cluster API knows the contract of the kind."""
    if not kind.contract:
        return manifest
    labels = {f"cluster.x-k8s.io/{contract}": ours for contract, ours in kind.contract}
    return manifest | {"metadata": manifest["metadata"] | {"labels": labels}}


def _metadata(kind: Kind, feature_set: FeatureSet) -> dict[str, Any]:
    annotations: dict[str, str] = {}
    if kind.profiles:
        annotations["api.openshift.io/merged-by-featuregates"] = "true"
        for profile in kind.profiles:
            annotations[f"include.release.openshift.io/{profile}"] = "true"
    if kind.gated:
        annotations["release.openshift.io/feature-set"] = str(feature_set)
    found: dict[str, Any] = {"name": kind.crd_name}
    return found | ({"annotations": annotations} if annotations else {})


def _names(kind: Kind) -> dict[str, Any]:
    names: dict[str, Any] = {
        "kind": kind.name,
        "listKind": f"{kind.name}List",
        "plural": kind.plural,
        "singular": kind.name.lower(),
    }
    if kind.short_names:
        names["shortNames"] = list(kind.short_names)
    if kind.categories:
        names["categories"] = list(kind.categories)
    return names


def _version(kind: Kind, shape: type[Resource], gates: frozenset[str]) -> dict[str, Any]:
    version: dict[str, Any] = {
        "name": kind.version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": _root(kind, shape, gates)},
    }
    if kind.columns:
        version["additionalPrinterColumns"] = [_column(column) for column in kind.columns]
    if kind.status:
        version["subresources"] = {"status": {}}
    if kind.scale:
        version["subresources"]["scale"] = {
            "specReplicasPath": kind.scale.spec_path,
            "statusReplicasPath": kind.scale.status_path,
        }
    return version


def _root(kind: Kind, shape: type[Resource], gates: frozenset[str]) -> dict[str, Any]:
    schema: dict[str, Any] = {"description": kind.description, **schema_of(shape, gates)}
    for name in ("apiVersion", "kind"):  # the API server fills these, they have no default
        schema["properties"][name].pop("default")
    schema["properties"]["metadata"].pop("description")  # the API server allows no word on it
    return schema


def _column(column: Column) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": column.name, "type": column.type, "jsonPath": column.path}
    if column.description:
        shown["description"] = column.description
    if column.priority:
        shown["priority"] = column.priority
    return shown
