"""`hypershift render`: what a HostedCluster would become, without a cluster to become it in."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from hypershift.api import HostedCluster, HostedControlPlane, read
from hypershift.api.defaults import zeroed
from hypershift.cli.command import Command
from hypershift.cli.files import read_file
from hypershift.cli.flags import STRING, STRING_MAP, Flag
from hypershift.cli.output import documents
from hypershift.cli.publishing_parts import publishing_parts
from hypershift.cli.scenarios import (
    SelfNamed,
    operator_components,
    part_objects,
    read_scenario,
    scenario_objects,
)
from hypershift.cli.typed import Typed
from hypershift.component import Component, Infra, Management, View, render, runs, traits
from hypershift.controlplane import UNDEPLOYED, catalog
from hypershift.kit import Manifest, UsageError, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.oci import PullSecret, Trust, read_pull_secret
from hypershift.operators.hypershift.hosted_cluster.rules.hosted_control_plane import (
    hosted_control_plane,
)
from hypershift.release import Product, Release, Releases

FILE = Flag("filename", "File with the HostedCluster, and Secrets it names", STRING, short="f")
COMPONENT = Flag("component", "Render this component alone", STRING)
RELEASE_VERSION = Flag(
    "release-version",
    "Render for this version without looking the release up; images stand under their own names",
    STRING,
)
PRODUCT = Flag("product", "Product of --release-version: kubernetes or openshift", STRING)
MIRROR = Flag("registry-mirror", "Where a registry is reached: NAME=URL", STRING_MAP)
PULL_SECRET = Flag("pull-secret", "File with the pull secret for the release", STRING)
CACHE = Flag("cache-dir", "Where looked up releases are kept", STRING)
INPUTS = Flag("inputs", "Folder with scenario files", STRING, required=True)
OUT = Flag("out", "Folder to write <component>/<scenario>.yaml into", STRING, required=True)


@dataclass(frozen=True, slots=True)
class RenderCluster:
    """What `render cluster` is given."""

    cache_dir: str
    component: str
    filename: str
    product: str
    pull_secret: str
    registry_mirror: dict[str, str]
    release_version: str


@dataclass(frozen=True, slots=True)
class RenderComponents:
    """What `render components` is given."""

    inputs: str
    out: str


async def render_cluster(options: RenderCluster) -> None:
    """Print every object of a cluster's control plane."""
    found = _read(options.filename)
    cluster = next((one for one in found if one.get("kind") == "HostedCluster"), None)
    if cluster is None:
        raise UsageError(f"{options.filename} has no HostedCluster")
    release = await _release(cluster, options)
    view = cluster_view(cluster, release, found)
    components = catalog(release.product, view.spec)
    chosen = list(_chosen(components, options.component, view))
    objects = [manifest for component in chosen for manifest in render(component, view)]
    sys.stdout.write(documents(objects))


def cluster_view(cluster: Manifest, release: Release, found: Iterable[Manifest]) -> View:
    """The view of a control plane that nothing was published for yet."""
    named = {**cluster, "metadata": {"namespace": "clusters", **cluster["metadata"]}}
    namespace = control_plane_namespace(key_of(named))
    objects = {
        (one["kind"], one["metadata"]["name"]): one
        for one in found
        if one.get("kind") in {"Secret", "ConfigMap"}
    }
    platform = cluster["spec"].get("platform") or {}
    plane = hosted_control_plane(named, read(HostedCluster, named), namespace, platform)
    return View(
        plane=read(HostedControlPlane, plane),
        release=release,
        user_release=release,
        infra=Infra(),
        management=Management(frozenset(), traits.namespace_uid(namespace)),
        objects=objects,
    )


def render_components(options: RenderComponents) -> None:
    """Render every component in every scenario of a folder, for measuring."""
    for path in sorted(Path(options.inputs).glob("*.yaml")):
        scenario = read_scenario(path)
        spec = read(
            HostedControlPlane, zeroed(HostedControlPlane, scenario["hostedControlPlane"])
        ).spec
        known = (*catalog(Product.OPENSHIFT, spec), *UNDEPLOYED, *operator_components(scenario))
        for component in {one.name: one for one in known}.values():
            folder = Path(options.out) / component.name
            folder.mkdir(parents=True, exist_ok=True)
            text = documents(scenario_objects(scenario, component))
            (folder / path.name).write_text(text)
    for path in sorted(Path(options.inputs).glob("parts/*.yaml")):
        folder = Path(options.out) / path.stem
        part = read_scenario(path)
        objects = part_objects(part, catalog(Product.OPENSHIFT))
        texts = ((f"{case}.yaml", documents([manifest])) for case, manifest in objects)
        for name, text in (*texts, *publishing_parts(part)):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)


def _chosen(components: Iterable[Component], name: str, view: View) -> Iterable[Component]:
    components = tuple(components)
    if name and name not in {component.name for component in components}:
        known = ", ".join(component.name for component in components)
        raise UsageError(f"no component {name!r}; there are {known}")
    return (c for c in components if (c.name == name if name else runs(c, view)))


async def _release(cluster: Manifest, options: RenderCluster) -> Release:
    image: str = cluster["spec"]["release"]["image"]
    if version := options.release_version:
        return Release(version, _product(options.product), SelfNamed(), image)
    cache = Path(options.cache_dir or Path.home() / ".cache" / "hypershift" / "releases")
    by_hand = Trust(loopback=True)
    releases = Releases(cache, options.registry_mirror, trust=by_hand)
    return await releases.find(image, _secret(options))


def _product(name: str) -> Product:
    try:
        return Product(name or Product.KUBERNETES)
    except ValueError:
        known = ", ".join(Product)
        raise UsageError(f"no product {name!r}; there are {known}") from None


def _secret(options: RenderCluster) -> PullSecret | None:
    path = options.pull_secret
    return read_pull_secret(read_file(path, "failed to read pull secret file")) if path else None


def _read(path: str) -> list[Manifest]:
    if not path:
        raise UsageError("name the file with the HostedCluster: -f FILE")
    text = sys.stdin.read() if path == "-" else read_file(path).decode()
    try:
        return [document for document in yaml.safe_load_all(text) if isinstance(document, dict)]
    except yaml.YAMLError as error:
        raise UsageError(f"{path} is not YAML: {error}") from None


COMMAND = Command(
    "render",
    "What clusters would become, as manifests",
    commands=(
        Command(
            "cluster",
            "Print the objects of a HostedCluster's control plane",
            run=Typed(RenderCluster, render_cluster),
            flags=(FILE, COMPONENT, RELEASE_VERSION, PRODUCT, MIRROR, PULL_SECRET, CACHE),
        ),
        Command(
            "components",
            "Render every component in scenarios, for measuring",
            run=Typed(RenderComponents, render_components),
            flags=(INPUTS, OUT),
            hidden=True,
        ),
    ),
)
