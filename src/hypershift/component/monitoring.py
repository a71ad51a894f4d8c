"""Monitors: how a management cluster's Prometheus scrapes a component."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypershift.component import edit
from hypershift.component.component import Asset
from hypershift.component.view import PREFIX, View
from hypershift.kit import Manifest

GROUP = "monitoring.coreos.com"


def cluster_relabeling(view: View) -> Manifest:
    """Mark every sample with the cluster it comes from."""
    return {
        "action": "replace",
        "replacement": view.spec.get("clusterID") or "",
        "targetLabel": "_id",
    }


def monitor(view: View, manifest: Manifest) -> Manifest:
    """Scrape this namespace alone and mark every sample with the cluster's id."""
    relabeling = cluster_relabeling(view)
    key = "endpoints" if manifest["kind"] == "ServiceMonitor" else "podMetricsEndpoints"
    endpoints = [_marked(endpoint, relabeling) for endpoint in manifest["spec"][key]]
    manifest = edit.put(manifest, ("spec", key), endpoints)
    return edit.put(manifest, ("spec", "namespaceSelector"), {"matchNames": [view.namespace]})


def dropped(*expressions: str) -> list[Manifest]:
    """Relabelings that drop metrics by name."""
    return [
        {"action": "drop", "regex": expression, "sourceLabels": ["__name__"]}
        for expression in expressions
    ]


def asset(
    name: str,
    *,
    job: str,
    namespace: str,
    service: str,
    endpoint: str = "https",
    endpoints: Sequence[Mapping[str, Any]] = ({},),
) -> Asset:
    """Declare the ServiceMonitor of a component that serves metrics by its root certificate.

    `job`, `namespace`, `service` and `endpoint` say how the guest's own monitoring would name it.
    """
    return Asset(
        stub={
            "apiVersion": f"{GROUP}/v1",
            "kind": "ServiceMonitor",
            "metadata": {
                "name": name,
                "annotations": {
                    f"{PREFIX}metrics-endpoint": endpoint,
                    f"{PREFIX}metrics-job": job,
                    f"{PREFIX}metrics-namespace": namespace,
                    f"{PREFIX}metrics-service": service,
                },
            },
            "spec": {
                "endpoints": [
                    {"scheme": "https", **_root_signed(name), **endpoint} for endpoint in endpoints
                ],
                "selector": {"matchLabels": {"app": name}},
            },
        },
        adapt=monitor,
    )


def _root_signed(name: str) -> Manifest:
    return {
        "targetPort": "client",
        "tlsConfig": {
            "ca": {"configMap": {"name": "root-ca", "key": "ca.crt"}},
            "cert": {"secret": {"name": "metrics-client", "key": "tls.crt"}},
            "keySecret": {"name": "metrics-client", "key": "tls.key"},
            "serverName": name,
        },
    }


def _marked(endpoint: Manifest, relabeling: Manifest) -> Manifest:
    metrics = [*endpoint.get("metricRelabelings", ()), relabeling]
    return {**endpoint, "metricRelabelings": metrics, "relabelings": [relabeling]}
