"""konnectivity-agent: ends the API server's tunnels to the aggregated APIs beside it."""

from dataclasses import replace
from pathlib import Path

from hypershift.api import annotations
from hypershift.api.values import AuthenticationType
from hypershift.component import Asset, Component, View, edit
from hypershift.kit import Manifest

NAME = "konnectivity-agent"


def addresses(view: View) -> list[str]:
    """The cluster addresses of the aggregated API servers in the control plane namespace."""
    infra = view.infra
    oauth = view.authentication.type != AuthenticationType.OIDC
    return [
        infra.openshift_apiserver_address,
        infra.packageserver_address,
        *((infra.oauth_apiserver_address,) if oauth else ()),
    ]


def deployment(view: View, manifest: Manifest) -> Manifest:
    identifiers = "&".join(f"ipv4={address}" for address in addresses(view))
    manifest = edit.add_args(manifest, NAME, ("--agent-identifiers", identifiers))
    image = view.annotation(annotations.KONNECTIVITY_AGENT_IMAGE)
    return edit.set_image(manifest, NAME, image) if image else manifest


def serves_aggregated_apis(view: View) -> bool:
    """Whether there is anything beside the API server that it has to reach by tunnel."""
    return any(addresses(view))


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("openshift/deployment.yaml", adapt=deployment),
    manifests=(Asset("common/serviceaccount.yaml"),),
    multi_zone_spread=True,
)

KUBERNETES = replace(
    OPENSHIFT,
    workload=Asset("kubernetes/deployment.yaml", adapt=deployment),
    when=serves_aggregated_apis,
    reads=("Secret/konnectivity-agent", "ConfigMap/konnectivity-ca-bundle"),
)
