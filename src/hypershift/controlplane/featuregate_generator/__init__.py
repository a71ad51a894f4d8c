"""featuregate-generator: renders the guest's feature gates, before its API server starts."""

from pathlib import Path

from hypershift.component import Asset, Component, Starts, View, edit, features
from hypershift.kit import Manifest

NAME = "featuregate-generator"
RENDERER, APPLIER = "render-feature-gates", "apply"


def job(view: View, manifest: Manifest) -> Manifest:
    # The gates are the guest's: they follow the release that its nodes run.
    version = {"PAYLOAD_VERSION": view.user_release.version}
    gate = {"FEATURE_GATE_YAML": features.manifest_text(view.feature_gate)}
    manifest = edit.set_env(manifest, RENDERER, version | gate)
    return edit.set_env(manifest, APPLIER, version)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("job.yaml", adapt=job),
    starts=Starts.BEFORE_API_SERVER,
    management_access=True,
)
