"""Whose control planes have what site reliability engineers want scraped."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.lib.decoded import a_decoded_cluster
from tests.lib.memory import MemoryClient

from hypershift.api import HostedCluster, encode
from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.metrics_set import (
    by_wishes,
    index,
    metrics_set,
    sync_metrics_set,
)
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Settings

KEY = Key("clusters", "demo")
WISHES: Manifest = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "sre-metric-set", "namespace": "hypershift"},
    "data": {"config": "etcd: []"},
}


def a_cluster(wanted: str = "") -> HostedCluster:
    monitoring = {"metricsSet": wanted} if wanted else {}
    return a_decoded_cluster({"monitoring": monitoring})


def a_scope(kube: MemoryClient, wanted: str, settings: Settings) -> ClusterScope:
    def marked(manifest: Manifest) -> Manifest:
        metadata = manifest["metadata"] | {"annotations": names.cluster_annotation(KEY)}
        return manifest | {"metadata": metadata}

    given = {"cluster": a_cluster(wanted), "settings": settings, "kube": kube, "marked": marked}
    return cast("ClusterScope", SimpleNamespace(**given, namespace="clusters-demo"))


@pytest.mark.parametrize(
    ("cluster", "operator", "chosen"),
    [("", "Telemetry", "Telemetry"), ("SRE", "Telemetry", "SRE"), ("All", "SRE", "All")],
)
def test_a_cluster_outweighs_the_operator(cluster: str, operator: str, chosen: str) -> None:
    assert metrics_set(a_cluster(cluster), Settings(metrics_set=operator)) == chosen


@pytest.mark.parametrize(
    ("wanted", "wishes", "copied"),
    [("SRE", (WISHES,), True), ("SRE", (), False), ("Telemetry", (WISHES,), False)],
)
async def test_the_wishes_are_copied_to_those_who_are_scraped_so(
    wanted: str, wishes: tuple[Any, ...], *, copied: bool
) -> None:
    kube = MemoryClient(*wishes)
    await sync_metrics_set(a_scope(kube, wanted, Settings()))
    found = await kube.find(kinds.CONFIG_MAP, "sre-metric-set", "clusters-demo")
    assert (found is not None) is copied
    if found is not None:
        assert found["data"] == WISHES["data"]


def test_a_change_of_the_wishes_wakes_those_who_use_them() -> None:
    scraped = index(Settings())
    assert list(scraped.values(encode(a_cluster("SRE")))) == ["SRE"]
    assert list(scraped.values(encode(a_cluster("All")))) == ["All"]
    assert list(by_wishes(Settings())(WISHES)) == [Key("", "SRE")]
    other = WISHES | {"metadata": {"name": "other", "namespace": "hypershift"}}
    assert list(by_wishes(Settings())(other)) == []
