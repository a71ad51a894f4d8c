"""ignition-server-proxy: ends the TLS of machines that ask for their configuration."""

from pathlib import Path

from hypershift.api import annotations
from hypershift.component import Asset, Component, Starts, View, published, trust, with_proxy
from hypershift.kit import Manifest

NAME = "ignition-server-proxy"


def runs(view: View) -> bool:
    disabled = view.annotated(annotations.DISABLE_IGNITION_SERVER)
    return not disabled and not view.cloud.published_by_provider


def deployment(view: View, manifest: Manifest) -> Manifest:
    return trust.with_trust_bundle(view, with_proxy(view, manifest, "haproxy"))


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("service.yaml", adapt=published.ignition_service),),
    when=runs,
    depends_on=("ignition-server",),
    starts=Starts.BEFORE_API_SERVER,
    multi_zone_spread=True,
    request_serving=True,
)
