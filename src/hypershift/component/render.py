"""From a component and a view to the objects it consists of: pure, and the same every time."""

import copy
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec

from hypershift.api import labels
from hypershift.api.well_known import CONTROL_PLANE_OPERATOR, PULL_SECRET
from hypershift.component import edit
from hypershift.component.component import Asset, Component
from hypershift.component.pod import finished
from hypershift.component.view import View
from hypershift.kit import Manifest, TerminalError
from hypershift.kit.documents import loaded


@dataclass(frozen=True, slots=True)
class Rendered:
    """The objects of a component, and the identities of those that it does without just now."""

    manifests: tuple[Manifest, ...]
    workload: Manifest
    absent: tuple[Manifest, ...] = ()
    #: What its containers ask the payload for.
    images: frozenset[str] = frozenset()

    @property
    def all(self) -> list[Manifest]:
        return [*self.manifests, self.workload]


def render(component: Component, view: View) -> list[Manifest]:
    """Every object of a component, the workload last."""
    return rendered(component, view).all


def rendered(component: Component, view: View) -> Rendered:
    """Every object of a component, and what must not exist."""
    enabled = [
        asset
        for asset in component.manifests
        if not asset.shared and _enabled(asset, component, view)
    ]
    manifests = tuple(
        _owned(view, component, asset, _adapted(asset, component, view)) for asset in enabled
    )
    fresh = {(found["kind"], found["metadata"]["name"]): found for found in manifests}

    def find(kind: str, name: str) -> Manifest | None:
        return fresh.get((kind, name)) or view.find(kind, name)

    workload = _owned(
        view, component, component.workload, _adapted(component.workload, component, view)
    )
    asked = _images(workload)
    workload = edit.label(workload, {labels.MANAGED_BY: CONTROL_PLANE_OPERATOR})
    workload = finished(view, component, workload, find)
    absent = tuple(identities(component, view, skip=frozenset(fresh)))
    return Rendered(manifests, workload, absent, asked)


def identities(
    component: Component, view: View, *, skip: frozenset[tuple[str, str]] = frozenset()
) -> Iterator[Manifest]:
    """Kind, namespace and name of the objects besides the workload; needs no adapter to run."""
    for asset in component.manifests:
        if asset.shared:
            continue
        found = constant_object(component, asset)
        name = _named(asset, view, found)
        if (found["kind"], name) not in skip and view.management.serves(_group(found)):
            yield _identity(found, view, name)


def workload_identity(component: Component, view: View) -> Manifest:
    """Kind, namespace and name of the workload."""
    found = constant_object(component, component.workload)
    return _identity(found, view, found["metadata"]["name"])


def listed(component: Component, view: View) -> list[Manifest]:
    """The objects besides the workload, as a ControlPlaneComponent's status lists them."""
    enabled = (asset for asset in component.manifests if _enabled(asset, component, view))
    return [
        {
            "kind": found["kind"],
            "group": _group(found),
            "name": found["metadata"]["name"],
        }
        for asset in enabled
        for found in (constant_object(component, asset),)
    ]


def images(component: Component, view: View) -> frozenset[str]:
    """What a component's containers ask the payload for; nothing when it cannot be rendered."""
    with suppress(TerminalError):
        return _images(_adapted(component.workload, component, view))
    return frozenset()


def _images(workload: Manifest) -> frozenset[str]:
    spec: Manifest = edit.pod_of(workload)["spec"]
    containers = (*spec["containers"], *spec.get("initContainers", ()))
    # A complete reference is not looked up in the payload.
    return frozenset(one["image"] for one in containers if "/" not in one["image"])


def constant_object(component: Component, asset: Asset) -> Manifest:
    """The constant shape of an object, shared by all who read it: never change it."""
    return asset.stub if asset.stub is not None else _read(component.assets / asset.file)


@lru_cache(maxsize=512)
def _read(path: Path) -> Manifest:
    manifest: Manifest = loaded(path.read_text())
    return manifest


@lru_cache(maxsize=512)
def _encoded(path: Path) -> bytes:
    return msgspec.json.encode(_read(path))


def _copied(component: Component, asset: Asset) -> Manifest:
    """A shape to be changed: decoding JSON takes a ninth of the time of a deep copy."""
    if asset.stub is not None:
        return copy.deepcopy(asset.stub)
    manifest: Manifest = msgspec.json.decode(_encoded(component.assets / asset.file))
    return manifest


def _enabled(asset: Asset, component: Component, view: View) -> bool:
    group = _group(constant_object(component, asset))
    return asset.when(view) and view.management.serves(group)


def _adapted(asset: Asset, component: Component, view: View) -> Manifest:
    manifest = _copied(component, asset)
    name = _named(asset, view, manifest)
    manifest = edit.at(
        manifest, ("metadata",), lambda found: {**found, "name": name, "namespace": view.namespace}
    )
    if asset.keeps_existing:
        live = view.find(manifest["kind"], manifest["metadata"]["name"])
        if live and "data" in live:
            manifest = {**manifest, "data": {**manifest.get("data", {}), **live["data"]}}
    return asset.adapt(view, manifest)


def _owned(view: View, component: Component, asset: Asset, manifest: Manifest) -> Manifest:
    """Give an object its owner, and what its kind needs in this namespace."""
    if component.owned and asset.owned:
        manifest = edit.put(manifest, ("metadata", "ownerReferences"), [dict(view.owner_reference)])
    if manifest["kind"] == "ServiceAccount":
        return edit.put(manifest, ("imagePullSecrets",), [{"name": PULL_SECRET}])
    if manifest["kind"] == "RoleBinding":
        subjects = [_local(subject, view) for subject in manifest.get("subjects") or ()]
        return edit.put(manifest, ("subjects",), subjects)
    return manifest


def _local(subject: Manifest, view: View) -> Manifest:
    if subject["kind"] != "ServiceAccount":
        return subject
    return {**subject, "namespace": view.namespace}


def _named(asset: Asset, view: View, found: Manifest) -> str:
    return asset.name(view) if asset.name else str(found["metadata"]["name"])


def _identity(found: Manifest, view: View, name: str) -> Manifest:
    return {
        "apiVersion": found["apiVersion"],
        "kind": found["kind"],
        "metadata": {"name": name, "namespace": view.namespace},
    }


def _group(manifest: Manifest) -> str:
    group, slash, _ = str(manifest["apiVersion"]).partition("/")
    return group if slash else ""
