"""kube-storage-version-migrator: writes what is stored again, encrypted with the newest key."""

from pathlib import Path

from hypershift.api.platforms.traits import STORAGE_IN_GUEST
from hypershift.component import Asset, Component, View

NAME = "kube-storage-version-migrator"


def encrypts(view: View) -> bool:
    return view.spec.secret_encryption is not None and view.platform not in STORAGE_IN_GUEST


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml"),
    when=encrypts,
)
