"""Monitors: how a management cluster's Prometheus scrapes a component."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypershift.api import annotations
from hypershift.api.values import MetricsSet
from hypershift.component import edit
from hypershift.component.component import Adapter, Asset
from hypershift.component.view import View
from hypershift.kit import Manifest
from hypershift.kit.documents import loaded

GROUP = "monitoring.coreos.com"

#: The ConfigMap in which site reliability engineers choose metrics, by the names below.
SRE_CONFIG_MAP, SRE_KEY = "sre-metric-set", "config"
#: The tag of clusters of the managed service on AWS.
MANAGED = ("red-hat-managed", "true")


@dataclass(frozen=True, slots=True)
class Scraped:
    """The metrics that smaller sets keep of an endpoint; others keep what its file names."""

    #: The endpoint's name in the SRE's configuration.
    sre: str
    #: The relabelings of the set that goes home.
    telemetry: Sequence[Manifest]


def cluster_relabeling(view: View) -> Manifest:
    """Mark every sample with the cluster it comes from."""
    return {
        "action": "replace",
        "replacement": view.spec.cluster_id or "",
        "targetLabel": "_id",
    }


def monitor(view: View, manifest: Manifest) -> Manifest:
    """Scrape this namespace alone and mark every sample with the cluster's id."""
    return _scraping(view, manifest)


def scraping(*scraped: Scraped) -> Adapter:
    """The same, with those metrics of each endpoint that the metrics set keeps."""

    def adapt(view: View, manifest: Manifest) -> Manifest:
        return _scraping(view, _reduced(view, manifest, scraped))

    return adapt


def _reduced(view: View, manifest: Manifest, scraped: Sequence[Scraped]) -> Manifest:
    if view.metrics_set not in {MetricsSet.TELEMETRY, MetricsSet.SRE}:
        return manifest
    wanted: Manifest = loaded(view.text(SRE_CONFIG_MAP, SRE_KEY) or "{}")
    key = _endpoints(manifest)
    endpoints = [
        {
            **endpoint,
            "metricRelabelings": list(
                one.telemetry
                if view.metrics_set == MetricsSet.TELEMETRY
                else wanted.get(one.sre) or ()
            ),
        }
        for endpoint, one in zip(manifest["spec"][key], scraped, strict=True)
    ]
    return edit.put(manifest, ("spec", key), endpoints)


def _scraping(view: View, manifest: Manifest) -> Manifest:
    relabeling = cluster_relabeling(view)
    key = _endpoints(manifest)
    endpoints = [_marked(endpoint, relabeling) for endpoint in manifest["spec"][key]]
    manifest = edit.put(manifest, ("spec", key), endpoints)
    return edit.put(manifest, ("spec", "namespaceSelector"), {"matchNames": [view.namespace]})


def _endpoints(manifest: Manifest) -> str:
    return "endpoints" if manifest["kind"] == "ServiceMonitor" else "podMetricsEndpoints"


def wanted(view: View) -> bool:
    """Whether the management cluster's own monitoring scrapes this control plane."""
    return not view.annotated(annotations.DISABLE_MONITORING_SERVICES)


def by_service(view: View) -> bool:
    """Whether a managed service on AWS has its own monitoring."""
    aws = view.spec.platform.aws
    tags = {(tag.key, tag.value) for tag in (aws.resource_tags if aws else None) or ()}
    return view.management.rhobs and MANAGED in tags


def dropped(*expressions: str) -> list[Manifest]:
    """Relabelings that drop metrics by name."""
    return [
        {"action": "drop", "regex": expression, "sourceLabels": ["__name__"]}
        for expression in expressions
    ]


def kept(*names: str) -> list[Manifest]:
    """A relabeling that keeps some metrics alone, by name."""
    expression = names[0] if len(names) == 1 else f"({'|'.join(names)})"
    return [{"action": "keep", "regex": expression, "sourceLabels": ["__name__"]}]


def asset(
    name: str,
    *,
    job: str,
    namespace: str,
    service: str,
    endpoint: str = "https",
    endpoints: Sequence[Mapping[str, Any]] = ({},),
    scraped: Sequence[Scraped] = (),
) -> Asset:
    """Declare the ServiceMonitor of a component that serves metrics by its root certificate.

    `job`, `namespace`, `service` and `endpoint` are the names that monitoring in the guest would
    use.
    """
    return Asset(
        stub={
            "apiVersion": f"{GROUP}/v1",
            "kind": "ServiceMonitor",
            "metadata": {
                "name": name,
                "annotations": {
                    annotations.METRICS_ENDPOINT: endpoint,
                    annotations.METRICS_JOB: job,
                    annotations.METRICS_NAMESPACE: namespace,
                    annotations.METRICS_SERVICE: service,
                },
            },
            "spec": {
                "endpoints": [
                    {"scheme": "https", **_root_signed(name), **endpoint} for endpoint in endpoints
                ],
                "selector": {"matchLabels": {"app": name}},
            },
        },
        adapt=scraping(*scraped) if scraped else monitor,
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
