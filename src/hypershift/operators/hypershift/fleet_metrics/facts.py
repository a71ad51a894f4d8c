"""Gauges of facts about a cluster: who supports it, who is notified, and its proxy."""

from collections.abc import Iterator

from cryptography import x509
from prometheus_client.core import GaugeMetricFamily

from hypershift.api import labels
from hypershift.api.conditions import HostedClusterCondition
from hypershift.kit import Manifest, labels_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.fleet_metrics.family import (
    CLUSTER_LABELS,
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
            (identity(one), float(labels_of(one).get(labels.LIMITED_SUPPORT) == "true"))
            for one in fleet.clusters
        ),
    )
    yield gauge(
        "hypershift_cluster_silence_alerts",
        "1 for clusters whose alerts are silenced.",
        CLUSTER_LABELS,
        (
            (identity(one), float(labels.SILENCE_CLUSTER_ALERTS in labels_of(one)))
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
            (identity(one), float(is_true(one, HostedClusterCondition.VALID_PROXY)))
            for one in trusting
        ),
    )
    yield gauge(
        "hypershift_cluster_proxy_ca_expiry_timestamp",
        "When the first of the proxy's own CA certificates expires; 0 when nobody can say.",
        CLUSTER_LABELS,
        ((identity(one), _expiry(fleet, one)) for one in trusting),
    )


def identity_providers(cluster: Manifest) -> list[str]:
    """The kind of each identity provider."""
    oauth = configuration(cluster).get("oauth") or {}
    return [str(one.get("type", "")) for one in oauth.get("identityProviders") or ()]


def trusted_ca(cluster: Manifest) -> str:
    """The ConfigMap with the CA certificates of the cluster's proxy; empty without one."""
    proxy = configuration(cluster).get("proxy") or {}
    return str((proxy.get("trustedCA") or {}).get("name") or "")


def configuration(cluster: Manifest) -> Manifest:
    found: Manifest = cluster["spec"].get("configuration") or {}
    return found


def _proxy(cluster: Manifest) -> Series:
    proxy = configuration(cluster).get("proxy")
    told = [(proxy or {}).get(name) for name in ("httpProxy", "httpsProxy")]
    marks = ["1" if one else "" for one in (*told, trusted_ca(cluster))]
    return (*identity(cluster), *marks), float(proxy is not None)


def _expiry(fleet: Fleet, cluster: Manifest) -> float:
    found = fleet.find(kinds.CONFIG_MAP, cluster["metadata"]["namespace"], trusted_ca(cluster))
    bundle = ((found or {}).get("data") or {}).get(BUNDLE, "")
    try:
        certificates = x509.load_pem_x509_certificates(bundle.encode())
    except ValueError:
        return 0.0
    return min(one.not_valid_after_utc for one in certificates).timestamp()
