"""Gauges of facts about a cluster: who supports it, who is notified, and its proxy."""

from collections.abc import Iterator, Mapping

from cryptography import x509
from prometheus_client.core import GaugeMetricFamily

from hypershift.api import labels
from hypershift.api.conditions import HostedClusterCondition
from hypershift.api.configuration import Proxy
from hypershift.kube import kinds
from hypershift.operators.hypershift.fleet_metrics.family import (
    CLUSTER_LABELS,
    Cluster,
    Fleet,
    Series,
    gauge,
    identity,
)
from hypershift.runtime import is_true

BUNDLE = "ca-bundle.crt"


def families(fleet: Fleet) -> Iterator[GaugeMetricFamily]:
    """Every gauge of this kind."""
    yield gauge(
        "hypershift_cluster_limited_support_enabled",
        "1 for clusters whose support is limited.",
        CLUSTER_LABELS,
        (
            (identity(one), float(_labels(one).get(labels.LIMITED_SUPPORT) == "true"))
            for one in fleet.clusters
        ),
    )
    yield gauge(
        "hypershift_cluster_silence_alerts",
        "1 for clusters whose alerts are silenced.",
        CLUSTER_LABELS,
        (
            (identity(one), float(labels.SILENCE_CLUSTER_ALERTS in _labels(one)))
            for one in fleet.clusters
        ),
    )
    yield gauge(
        "hypershift_cluster_proxy",
        "1 for clusters that reach the world through a proxy.",
        (*CLUSTER_LABELS, "proxy_http", "proxy_https", "proxy_trusted_ca"),
        map(_proxy, fleet.clusters),
    )
    trusting = [cluster for cluster in fleet.clusters if trusted_ca(cluster)]
    yield gauge(
        "hypershift_cluster_proxy_ca_valid",
        "1 for clusters whose proxy's own CA certificates can be used.",
        CLUSTER_LABELS,
        (
            (identity(one), float(is_true(one.manifest, HostedClusterCondition.VALID_PROXY)))
            for one in trusting
        ),
    )
    yield gauge(
        "hypershift_cluster_proxy_ca_expiry_timestamp",
        "When the first of the proxy's own CA certificates expires; 0 when nobody can say.",
        CLUSTER_LABELS,
        ((identity(one), _expiry(fleet, one)) for one in trusting),
    )


def identity_providers(cluster: Cluster) -> list[str]:
    """The kind of each identity provider."""
    configuration = cluster.known.spec.configuration
    oauth = configuration.oauth if configuration else None
    return [one.type or "" for one in oauth.identity_providers] if oauth else []


def trusted_ca(cluster: Cluster) -> str:
    """The ConfigMap with the CA certificates of the cluster's proxy; empty without one."""
    proxy = _proxy_of(cluster)
    return proxy.trusted_ca.name if proxy and proxy.trusted_ca else ""


def _proxy_of(cluster: Cluster) -> Proxy | None:
    configuration = cluster.known.spec.configuration
    return configuration.proxy if configuration else None


def _labels(cluster: Cluster) -> Mapping[str, str]:
    return cluster.known.metadata.labels or {}


def _proxy(cluster: Cluster) -> Series:
    proxy = _proxy_of(cluster)
    addresses = (proxy.http_proxy, proxy.https_proxy) if proxy else (None, None)
    marks = ["1" if one else "" for one in (*addresses, trusted_ca(cluster))]
    return (*identity(cluster), *marks), float(proxy is not None)


def _expiry(fleet: Fleet, cluster: Cluster) -> float:
    place = cluster.known.metadata.namespace
    found = fleet.find(kinds.CONFIG_MAP, place, trusted_ca(cluster))
    bundle = ((found or {}).get("data") or {}).get(BUNDLE, "")
    try:
        certificates = x509.load_pem_x509_certificates(bundle.encode())
    except ValueError:
        return 0.0
    return min(one.not_valid_after_utc for one in certificates).timestamp()
