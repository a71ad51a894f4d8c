"""ignition-server: hands machines the configuration that they start with."""

from dataclasses import dataclass
from pathlib import Path

from hypershift.api import annotations
from hypershift.api.publishing import hostname, published_by
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.component import (
    Asset,
    Component,
    Starts,
    View,
    edit,
    features,
    monitoring,
    published,
    traits,
    with_proxy,
)
from hypershift.kit import Manifest

NAME = "ignition-server"
SCRIPT = """\
#!/bin/bash
set -e
cd /tmp
mkdir input output manifests

touch /tmp/manifests/99_feature-gate.yaml
cat <<EOF >/tmp/manifests/99_feature-gate.yaml
$(FEATURE_GATE_YAML)

EOF

cp /tmp/manifests/99_feature-gate.yaml /shared/99_feature-gate.yaml
"""


def stands_alone(view: View) -> bool:
    """Whether machines reach the server itself: there is no proxy before it."""
    return view.cloud.published_by_provider


def deployment(view: View, manifest: Manifest) -> Manifest:
    overrides = ("--registry-overrides", view.management.overrides_flag)
    manifest = edit.add_args(manifest, NAME, (*overrides, "--platform", view.platform))
    mirrors = {"OPENSHIFT_IMG_OVERRIDES": view.management.mirrors_flag}
    manifest = with_proxy(view, edit.set_env(manifest, NAME, mirrors), NAME)
    return edit.change_pod(manifest, _served_alone) if stands_alone(view) else manifest


def _served_alone(pod: Manifest) -> Manifest:
    """Without a proxy, the server itself has the certificate that machines check."""
    own = edit.secret_volume("serving-cert", f"{NAME}-serving-cert")
    volumes = [own if one["name"] == "serving-cert" else one for one in pod["spec"]["volumes"]]
    return edit.put(pod, ("spec", "volumes"), volumes)


def service(view: View, manifest: Manifest) -> Manifest:
    return published.ignition_service(view, manifest) if stands_alone(view) else manifest


def route(view: View, manifest: Manifest) -> Manifest:
    if stands_alone(view):
        manifest = edit.put(manifest, ("spec", "to", "name"), NAME)
    return published.route(view, manifest, hostname(view.spec, ServiceType.IGNITION))


def routed(view: View) -> bool:
    return published_by(view.spec, ServiceType.IGNITION, PublishingStrategyType.ROUTE)


@dataclass(frozen=True, slots=True)
class FetchFeatureGate:
    """An init container that writes the cluster's FeatureGate where the server reads it."""

    def apply(self, view: View, pod: Manifest) -> Manifest:
        gate = {"name": "FEATURE_GATE_YAML", "value": features.manifest_text(view.feature_gate)}
        container = {
            "name": "fetch-feature-gate",
            "image": traits.image_of(view, "cluster-config-api"),
            "command": ["/bin/bash"],
            "args": ["-c", SCRIPT],
            "env": [gate],
            "resources": {"requests": {"cpu": "10m", "memory": "40Mi"}},
            "volumeMounts": [{"name": "shared", "mountPath": "/shared"}],
        }
        return edit.at(pod, ("spec", "initContainers"), lambda found: [*(found or ()), container])


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("ca-cert.yaml", when=published.signs, keeps_existing=True),
        Asset("podmonitor.yaml", adapt=monitoring.monitor),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("route.yaml", adapt=route, when=routed),
        Asset("service.yaml", adapt=service),
        Asset("serviceaccount.yaml"),
        Asset("serving-cert.yaml", when=published.signs, keeps_existing=True),
    ),
    when=lambda view: not view.annotated(annotations.DISABLE_IGNITION_SERVER),
    traits=(FetchFeatureGate(),),
    starts=Starts.BEFORE_API_SERVER,
    multi_zone_spread=True,
    management_access=True,
)
