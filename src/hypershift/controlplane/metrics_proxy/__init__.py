"""metrics-proxy: hands the control plane's metrics to the guest's own monitoring."""

from pathlib import Path

from hypershift.api.values import MetricsSet
from hypershift.component import Asset, Component, View, edit, forwarding, published
from hypershift.kit import Manifest

NAME = "metrics-proxy"
RESOLVER = "endpoint-resolver"


def deployment(view: View, manifest: Manifest) -> Manifest:
    told = forwarding.section(view)
    chosen = (told.metrics_set if told else "") or view.metrics_set or MetricsSet.ALL
    return edit.add_args(manifest, NAME, ("--metrics-set", str(chosen)))


def config(view: View, manifest: Manifest) -> Manifest:
    """Where to ask for pods; which components to scrape is not filled in yet."""
    resolver = {"url": f"https://{RESOLVER}.{view.namespace}.svc"}
    return edit.merge_yaml(manifest, "config.yaml", {"endpointResolver": resolver})


def route(view: View, manifest: Manifest) -> Manifest:
    return published.route(view, manifest, host="")


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("ca-cert.yaml", when=published.signs, keeps_existing=True),
        Asset("route.yaml", adapt=route),
        Asset("config.yaml", adapt=config),
        Asset("service.yaml"),
        Asset("serviceaccount.yaml"),
        Asset("serving-cert.yaml", when=published.signs, keeps_existing=True),
    ),
    when=forwarding.wanted,
    depends_on=(RESOLVER,),
    request_serving=True,
)
