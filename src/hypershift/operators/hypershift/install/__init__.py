"""The objects that install the HyperShift operator on a management cluster."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import yaml

from hypershift.kit import Manifest
from hypershift.operators.hypershift.settings import Mode

#: In the order in which they need each other.
ASSETS = (
    "namespace.yaml",
    "priority-classes.yaml",
    "service-account.yaml",
    "cluster-role.yaml",
    "cluster-role-binding.yaml",
    "services.yaml",
    "deployment.yaml",
)
DEFAULT_NAMESPACE = "hypershift"


@dataclass(frozen=True)
class InstallSettings:
    """What an installation of the operator follows."""

    image: str
    namespace: str = DEFAULT_NAMESPACE
    replicas: int = 1
    mode: Mode = Mode.DEDICATED
    registry_mirrors: Mapping[str, str] = field(default_factory=dict)
    egress_block_cidrs: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()  # further flags of `operator run`


def manifests(settings: InstallSettings) -> list[Manifest]:
    """Every object of the installation, in the order in which it is applied."""
    edited = (_edited(settings, manifest) for manifest in _assets())
    return [_placed(settings, manifest) for manifest in edited if manifest]


def arguments(settings: InstallSettings) -> list[str]:
    """The command line of the operator's container."""
    mirrors = (f"{host}={address}" for host, address in sorted(settings.registry_mirrors.items()))
    return [
        "operator",
        "run",
        f"--namespace={settings.namespace}",
        "--pod-name=$(POD_NAME)",
        f"--mode={settings.mode.lower()}",
        *(["--shard-clusters"] if _shares(settings) else []),
        f"--control-plane-operator-image={settings.image}",
        *(f"--registry-mirror={mirror}" for mirror in mirrors),
        *(f"--hcp-egress-block-cidrs={cidr}" for cidr in settings.egress_block_cidrs),
        *settings.arguments,
    ]


def _shares(settings: InstallSettings) -> bool:
    """Replicas that hold the roles of all clusters share them; others wait for their leader."""
    return settings.mode is Mode.SHARED and settings.replicas > 1


def _deployment(settings: InstallSettings, manifest: Manifest) -> Manifest:
    container = manifest["spec"]["template"]["spec"]["containers"][0]
    container |= {"image": settings.image, "args": arguments(settings)}
    manifest["spec"]["replicas"] = settings.replicas
    return manifest


def _services(settings: InstallSettings, manifest: Manifest) -> Manifest | None:
    shared = settings.mode is Mode.SHARED
    return manifest if shared or manifest["metadata"]["name"] != "ignition-server" else None


def _edited(settings: InstallSettings, manifest: Manifest) -> Manifest | None:
    edit = EDITS.get(manifest["kind"])
    return edit(settings, manifest) if edit else manifest


def _placed(settings: InstallSettings, manifest: Manifest) -> Manifest:
    metadata: dict[str, Any] = manifest["metadata"]
    if manifest["kind"] == "Namespace":
        metadata["name"] = settings.namespace
    elif "namespace" in metadata:
        metadata["namespace"] = settings.namespace
    for subject in manifest.get("subjects", ()):
        subject["namespace"] = settings.namespace
    return manifest


def _assets() -> Iterator[Manifest]:
    folder = files(__package__) / "assets"
    for name in ASSETS:
        yield from yaml.safe_load_all((folder / name).read_text())


EDITS: dict[str, Callable[[InstallSettings, Manifest], Manifest | None]] = {
    "Deployment": _deployment,
    "Service": _services,
}

__all__ = ["ASSETS", "InstallSettings", "arguments", "manifests"]
