"""kube-storage-version-migrator: writes what is stored again, encrypted with the newest key."""

from pathlib import Path

from hypershift.component import Asset, Component, View

NAME = "kube-storage-version-migrator"


def encrypts(view: View) -> bool:
    return view.spec.secret_encryption is not None and view.cloud.hosts_storage_operators


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml"),
    when=encrypts,
)
