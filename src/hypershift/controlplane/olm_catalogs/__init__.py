"""The three default catalogs of operators, where they run beside the control plane.

Their pods differ in names and in memory alone, so one folder has the manifests of all three.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypershift.api import annotations
from hypershift.api.values import OLMCatalogPlacement
from hypershift.component import Asset, Component, View, edit
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.documents import loaded
from hypershift.release import catalogs

ASSETS = Path(__file__).parent / "assets"
TRIGGERS = "image.openshift.io/triggers"
IMAGES_GROUP = "image.openshift.io"

#: Each catalog with the annotation that replaces its image.
CATALOGS = {
    "certified-operators": annotations.CERTIFIED_OPERATORS_CATALOG_IMAGE,
    "community-operators": annotations.COMMUNITY_OPERATORS_CATALOG_IMAGE,
    "redhat-operators": annotations.REDHAT_OPERATORS_CATALOG_IMAGE,
}


def wanted(view: View) -> bool:
    """Whether the catalogs run here: not in the guest, and not switched off."""
    hub = view.configuration.operatorhub
    off = hub is not None and bool(hub.disable_all_default_sources)
    return not off and view.spec.olm_catalog_placement == OLMCatalogPlacement.MANAGEMENT


def overrides(view: View) -> Mapping[str, str]:
    """The images that annotations name, all three by digest; empty when none is named."""
    found = {name: view.annotation(mark) for name, mark in CATALOGS.items()}
    named = [image for image in found.values() if image]
    if any("@sha256:" not in image for image in named):
        raise InvalidSpec("images for OLM catalogs should be referenced only by digest")
    if named and len(named) < len(found):
        raise InvalidSpec(
            "if OLM catalog images are overridden, all the values for the 3 default catalogs"
            " should be provided"
        )
    return found if named else {}


def indexes(view: View) -> dict[str, str]:
    """The images of the release's own indexes, from the annotation's registry."""
    told = view.annotation(annotations.OLM_CATALOGS_REGISTRY_OVERRIDES)
    return catalogs.indexes(view.user_release.labelled, told)


def deployment(view: View, manifest: Manifest) -> Manifest:
    catalog = edit.pod_of(manifest)["metadata"]["labels"]["olm.catalogSource"]
    image = overrides(view).get(catalog, "")
    if not image and not view.management.serves(IMAGES_GROUP):
        image = indexes(view)[catalog]
    if image:
        manifest = edit.drop(manifest, ("metadata", "annotations", TRIGGERS))
    else:
        image = running(view, manifest["metadata"]["name"])
    if not image:
        return manifest
    manifest = edit.set_image(manifest, "registry", image)
    return edit.set_image(manifest, "extract-content", image)


def running(view: View, name: str) -> str:
    """The image that the stream's trigger put into the live pods, which is not ours to undo."""
    live = view.find("Deployment", name)
    return str(edit.pod_of(live)["spec"]["containers"][0]["image"]) if live else ""


def image_stream(view: View, manifest: Manifest) -> Manifest:
    tags = [tag(name, image) for name, image in sorted(indexes(view).items())]
    return edit.put(manifest, ("spec", "tags"), tags)


def tag(name: str, image: str) -> dict[str, Any]:
    return {
        "name": name,
        "annotations": None,
        "from": {"kind": "DockerImage", "name": image},
        "generation": None,
        "importPolicy": {"importMode": "PreserveOriginal", "scheduled": True},
        "referencePolicy": {"type": "Local"},
    }


def follows_stream(view: View) -> bool:
    return not view.annotation(annotations.REDHAT_OPERATORS_CATALOG_IMAGE)


@dataclass(frozen=True, slots=True)
class KubeletPulls:
    """Leaves it to the kubelet when an init container's image, which a trigger sets, is pulled."""

    def apply(self, _view: View, pod: Manifest) -> Manifest:
        left = [
            {key: value for key, value in found.items() if key != "imagePullPolicy"}
            for found in pod["spec"]["initContainers"]
        ]
        return edit.put(pod, ("spec", "initContainers"), left)


REDHAT = Component(
    name="redhat-operators-catalog",
    assets=ASSETS,
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("imagestream.yaml", adapt=image_stream, when=follows_stream),
        Asset("service.yaml"),
    ),
    when=wanted,
    depends_on=("openshift-apiserver",),
    traits=(KubeletPulls(),),
)


def _like(file: str, name: str) -> Manifest:
    """The manifest of another catalog, which is the same under another name."""
    found: Manifest = loaded((ASSETS / file).read_text().replace("redhat-operators", name))
    return found


def _catalog(name: str) -> Component:
    """A catalog that asks for less memory than the largest."""
    workload = _like("deployment.yaml", name)
    requests = {"requests": {"cpu": "10m", "memory": "160Mi"}}
    workload = edit.change_container(workload, "registry", lambda c: {**c, "resources": requests})
    return Component(
        name=f"{name}-catalog",
        assets=ASSETS,
        workload=Asset(stub=workload, adapt=deployment),
        manifests=(Asset(stub=_like("service.yaml", name)),),
        when=wanted,
        depends_on=("openshift-apiserver",),
        traits=(KubeletPulls(),),
    )


OPENSHIFT = (REDHAT, _catalog("community-operators"), _catalog("certified-operators"))
