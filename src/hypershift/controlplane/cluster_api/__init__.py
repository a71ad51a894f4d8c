"""cluster-api: Cluster API's manager for one cluster, as the original deploys it.

It is rendered to be compared. What runs here is the manager of the operator's own assets, with
narrower rights and certificates that it checks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hypershift.api import annotations
from hypershift.component import Asset, Component, Starts, View, edit, of_cluster
from hypershift.kit import Manifest
from hypershift.release import Version

NAME = "cluster-api"
CONTAINER = "manager"
#: Flags by the first release whose manager knows them.
FLAGS_SINCE = {
    (4, 19): "--feature-gates=MachineSetPreflightChecks=false",
    (4, 20): "--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields",
}
TLS_SINCE = (4, 23)


@dataclass(frozen=True, slots=True)
class Options:
    """What the HyperShift operator knows besides the cluster."""

    #: The manager's image, where it is another one than the release's.
    image: str = ""


def flags(view: View) -> Iterator[str]:
    """Yield the flags that the release's manager knows."""
    parsed = Version.parse(view.release.version)
    release = (parsed.major, parsed.minor)
    for since, flag in FLAGS_SINCE.items():
        if release >= since:
            yield flag
    if release >= TLS_SINCE:
        yield from view.tls.flags


def deployment(options: Options, view: View, manifest: Manifest) -> Manifest:
    manifest = edit.add_args(of_cluster(view, manifest), CONTAINER, flags(view))
    if image := view.annotation(annotations.CAPI_MANAGER_IMAGE) or options.image:
        manifest = edit.set_image(manifest, CONTAINER, image)
    return manifest


def component(options: Options) -> Component:
    """The manager as one HyperShift operator deploys it."""
    return Component(
        name=NAME,
        assets=Path(__file__).parent / "assets",
        workload=Asset("deployment.yaml", adapt=partial(deployment, options)),
        manifests=(
            Asset("role.yaml", adapt=of_cluster),
            Asset("rolebinding.yaml", adapt=of_cluster),
            Asset("serviceaccount.yaml", adapt=of_cluster),
            Asset("webhooks-tls.yaml", keeps_existing=True),
        ),
        when=lambda view: not view.annotated(annotations.DISABLE_MACHINE_MANAGEMENT),
        starts=Starts.BEFORE_API_SERVER,
        management_access=True,
        owned=False,
    )
