"""Builders of what monitoring is told about, and its answers by name and labels."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from prometheus_client.core import Metric

from hypershift.kit import Manifest
from hypershift.kube import Resource
from hypershift.operators.hypershift.fleet_metrics.family import Find

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
#: A series by its name and the values of its labels, in their order.
Samples = dict[tuple[str, ...], float]


def a_cluster(*conditions: tuple[str, str], spec: Any = None, **status: Any) -> Manifest:
    return {
        "metadata": {
            "name": "demo",
            "namespace": "clusters",
            "creationTimestamp": "2026-01-01T11:50:00Z",
        },
        "spec": {"platform": {"type": "Local"}, "clusterID": "id-1", **(spec or {})},
        "status": {
            "conditions": [{"type": kind, "status": state} for kind, state in conditions],
            **status,
        },
    }


def a_pool(spec: Any = None, **status: Any) -> Manifest:
    ordinary = {
        "platform": {"type": "Local"},
        "clusterName": "demo",
        "replicas": 3,
        "management": {"upgradeType": "Replace"},
    }
    return {
        "metadata": {
            "name": "workers",
            "namespace": "clusters",
            "creationTimestamp": "2026-01-01T11:59:00Z",
        },
        "spec": ordinary | (spec or {}),
        "status": status,
    }


def finding(*objects: Manifest) -> Find:
    """A look-up among a few objects."""

    def find(resource: Resource, namespace: str, name: str) -> Manifest | None:
        for one in objects:
            metadata = one["metadata"]
            if (one["kind"], metadata["namespace"], metadata["name"]) == (
                resource.kind,
                namespace,
                name,
            ):
                return one
        return None

    return find


def samples(families: Iterable[Metric]) -> Samples:
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }
