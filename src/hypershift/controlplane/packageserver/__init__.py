"""packageserver: serves the guest's packages as an aggregated API."""

from pathlib import Path

from hypershift.api.values import AvailabilityPolicy
from hypershift.component import Asset, Component, Tier, View, disruption, edit, lifecycle, traits
from hypershift.kit import Manifest

NAME = "packageserver"


def deployment(view: View, manifest: Manifest) -> Manifest:
    values = {
        "RELEASE_VERSION": view.user_release.version,
        "NO_PROXY": lifecycle.no_proxy(view),
    }
    manifest = edit.add_args(edit.set_env(manifest, NAME, values), NAME, view.tls.flags)
    available = view.availability == AvailabilityPolicy.HIGHLY_AVAILABLE
    if available and view.cloud.shares_packages_by_two:
        manifest = edit.put(manifest, ("spec", "replicas"), 2)
    return edit.add_container(manifest, readiness(view))


def readiness(view: View) -> Manifest:
    """A container that is ready while the API server is: no traffic comes before."""
    probe = f"curl -kfs {view.api_url}/livez > /dev/null"
    return {
        "name": "kas-readiness-check",
        "image": "cli",
        "command": ["/bin/bash", "-c", "sleep infinity"],
        "readinessProbe": {
            "exec": {"command": ["/bin/bash", "-c", probe]},
            "periodSeconds": 10,
            "timeoutSeconds": 5,
            "failureThreshold": 3,
        },
        "resources": {"requests": {"cpu": "10m", "memory": "10Mi"}},
    }


_BUDGET = disruption.asset(NAME, called="packageserver-pdb")

OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(_BUDGET,),
    traits=(traits.Socks5Proxy(),),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="kubeconfig", required_apis=(lifecycle.CATALOG_SOURCE,)
        ),
    ),
    tier=Tier.API_CRITICAL,
    multi_zone_spread=True,
    mounts_token=True,
)
