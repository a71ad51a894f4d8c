"""capi-provider: the cloud's Cluster API provider for one cluster, as the original deploys it.

It is rendered to be compared. What runs here is `platforms.<cloud>.provider`, with narrower rights.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hypershift.api import annotations
from hypershift.api.values import PlatformType
from hypershift.component import (
    Asset,
    Component,
    Starts,
    View,
    edit,
    of_cluster,
    on_platform,
    traits,
    with_proxy,
)
from hypershift.controlplane.capi_provider.clouds import CLOUDS, Cloud
from hypershift.controlplane.capi_provider.names import CONTAINER, MINTER, RESOURCE_CONTROLLER
from hypershift.kit import Manifest
from hypershift.release import Version

NAME = "capi-provider"
PLATFORMS = tuple(CLOUDS)
TLS_SINCE = (4, 23)


@dataclass(frozen=True, slots=True)
class Options:
    """What the HyperShift operator knows besides the cluster."""

    platform: PlatformType
    #: Images, where they are others than the release's.
    image: str = ""
    resource_controller: str = ""
    utilities: str = ""
    #: The release's version, where it is another one than the control plane's.
    version: str = ""

    @property
    def cloud(self) -> Cloud:
        return CLOUDS[self.platform]


def deployment(options: Options, view: View, manifest: Manifest) -> Manifest:
    parsed = Version.parse(options.version or view.release.version)
    line = (parsed.major, parsed.minor)
    cloud = options.cloud
    manifest = edit.add_args(of_cluster(view, manifest), CONTAINER, cloud.flags(view, line))
    if line >= TLS_SINCE:
        manifest = edit.add_args(manifest, CONTAINER, view.tls.flags)
    newer = (container for container, since in cloud.since if line < since)
    manifest = edit.drop_containers(manifest, *newer)
    manifest = with_images(options, view, cloud.adapt(view, manifest))
    return with_proxy(view, manifest, CONTAINER)


def with_images(options: Options, view: View, manifest: Manifest) -> Manifest:
    """Run other images than the release's, where others are named."""
    resources = view.annotation(annotations.ORC_IMAGE) or options.resource_controller
    chosen = {
        CONTAINER: view.annotation(options.cloud.image) or options.image,
        RESOURCE_CONTROLLER: resources,
        "token-minter": options.utilities,
        MINTER: options.utilities,
    }
    for container, image in chosen.items():
        if image:
            manifest = edit.set_image(manifest, container, image)
    return manifest


def role(cloud: Cloud, view: View, manifest: Manifest) -> Manifest:
    manifest = edit.at(manifest, ("rules",), lambda found: [*found, *cloud.rules])
    return of_cluster(view, manifest)


def component(options: Options) -> Component:
    """The provider as one HyperShift operator deploys it."""
    runs_here = on_platform(options.platform)

    def wanted(view: View) -> bool:
        return runs_here(view) and not view.annotated(annotations.DISABLE_MACHINE_MANAGEMENT)

    file = f"{options.platform.lower()}/deployment.yaml"
    return Component(
        name=NAME,
        assets=Path(__file__).parent / "assets",
        workload=Asset(file, adapt=partial(deployment, options)),
        manifests=(
            Asset("common/role.yaml", adapt=partial(role, options.cloud)),
            Asset("common/rolebinding.yaml", adapt=of_cluster),
            Asset("common/serviceaccount.yaml", adapt=of_cluster),
        ),
        when=wanted,
        traits=options.cloud.traits,
        after_hash=(traits.AwaitApiServer(),),
        starts=Starts.BEFORE_API_SERVER,
        management_access=True,
        owned=False,
    )
