"""ignition-server-proxy: ends the TLS of machines that ask for their configuration."""

from pathlib import Path

from hypershift.api import annotations
from hypershift.api.platforms.traits import PUBLISHED_BY_PROVIDER
from hypershift.api.publishing import strategy
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.component import Asset, Component, Starts, View, edit, trust, with_proxy
from hypershift.kit import InvalidSpec, Manifest

NAME = "ignition-server-proxy"


def runs(view: View) -> bool:
    disabled = view.annotated(annotations.DISABLE_IGNITION_SERVER)
    return not disabled and view.platform not in PUBLISHED_BY_PROVIDER


def deployment(view: View, manifest: Manifest) -> Manifest:
    return trust.with_trust_bundle(view, with_proxy(view, manifest, "haproxy"))


def service(view: View, manifest: Manifest) -> Manifest:
    found = strategy(view.spec, ServiceType.IGNITION)
    if found is None:
        raise InvalidSpec("ignition service strategy not specified", field="spec.services")
    match found.type:
        case PublishingStrategyType.ROUTE:
            return manifest
        case PublishingStrategyType.NODE_PORT:
            manifest = edit.put(manifest, ("spec", "type"), "NodePort")
            port = found.node_port.port if found.node_port else 0
            first, *rest = manifest["spec"]["ports"]
            ports = [{**first, "nodePort": port} if port else first, *rest]
            return edit.put(manifest, ("spec", "ports"), ports)
        case _:
            raise InvalidSpec(
                f"invalid publishing strategy for Ignition service: {found.type}",
                field="spec.services",
            )


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("service.yaml", adapt=service),),
    when=runs,
    depends_on=("ignition-server",),
    starts=Starts.BEFORE_API_SERVER,
    multi_zone_spread=True,
    request_serving=True,
)
