"""Specs of clusters as rules read them, from the few fields that a test is about."""

from collections.abc import Mapping
from typing import Any

from hypershift.api import HostedCluster, read
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.publishing import Named


def a_decoded_spec(given: Mapping[str, Any]) -> HostedClusterSpec:
    """The spec of a HostedCluster that has these fields."""
    return read(HostedClusterSpec, dict(given))


def a_decoded_cluster(
    spec: Mapping[str, Any], annotations: Mapping[str, str] | None = None
) -> HostedCluster:
    """A HostedCluster that has these fields in its spec."""
    metadata = {"name": "demo", "namespace": "clusters", "annotations": dict(annotations or {})}
    return read(HostedCluster, {"metadata": metadata, "spec": dict(spec)})


def a_decoded_name(given: Mapping[str, Any]) -> Named:
    """What names a cluster that has these fields in its spec."""
    return read(Named, dict(given))
