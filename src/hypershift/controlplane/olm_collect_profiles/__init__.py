"""olm-collect-profiles: keeps a daily profile of the operator lifecycle manager's programs."""

from pathlib import Path

from hypershift.component import Asset, Component, View, edit
from hypershift.kit import Manifest

NAME = "olm-collect-profiles"


def cron_job(view: View, manifest: Manifest) -> Manifest:
    """Spread the jobs of many clusters over the day, each always at the same time."""
    number = int.from_bytes(view.namespace.encode())
    return edit.put(manifest, ("spec", "schedule"), f"{number % 60} {number % 24} * * *")


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("cronjob.yaml", adapt=cron_job),
    manifests=(
        Asset("config.yaml"),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("pprof-cert.yaml", keeps_existing=True),
        Asset("serviceaccount.yaml"),
    ),
    when=lambda view: view.cloud.keeps_profiles,
    management_access=True,
)
