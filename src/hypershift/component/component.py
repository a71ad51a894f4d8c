"""A control plane component as a value: its workload, its other objects, and when it runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from hypershift.component.view import View
from hypershift.kit import Manifest

Predicate = Callable[[View], bool]
Adapter = Callable[[View, Manifest], Manifest]


def always(_view: View) -> bool:
    return True


def on_platform(*platforms: str) -> Predicate:
    """Hold on the platforms named."""
    return lambda view: view.platform in platforms


def unchanged(_view: View, manifest: Manifest) -> Manifest:
    return manifest


class Tier(Enum):
    """How much depends on a component: decides its priority and how many replicas it has."""

    CONTROL_PLANE = auto()
    #: Without it the hosted API does not answer.
    API_CRITICAL = auto()
    #: Without it nothing is stored.
    STORAGE = auto()


class Starts(Enum):
    """When a component may start: most need the API server first."""

    AFTER_API_SERVER = auto()
    #: It comes before the API server, or works without it.
    BEFORE_API_SERVER = auto()


class Trait(Protocol):
    """Something that a pod wears: a sidecar, a volume, a label."""

    def apply(self, view: View, pod: Manifest) -> Manifest:
        """The pod template with the trait on."""
        ...


@dataclass(frozen=True, slots=True)
class Asset:
    """An object of a component: a YAML file or a given stub, and what follows the cluster in it."""

    file: str = ""
    adapt: Adapter = unchanged
    when: Predicate = always
    #: Kind and name of a document that is computed as a whole; it has no file.
    stub: Manifest | None = None
    #: Adapt the live object instead of the file, because it holds what must not be lost.
    keeps_existing: bool = False
    #: Whether it belongs to the HostedControlPlane, as its component does.
    owned: bool = True
    #: Another component writes and deletes it; here it is only listed.
    shared: bool = False
    #: The object's name, where it follows the cluster.
    name: Callable[[View], str] | None = None


@dataclass(frozen=True, slots=True)
class Component:
    """What runs, what belongs to it, what it waits for."""

    name: str
    #: The folder of its asset files.
    assets: Path
    workload: Asset
    #: Everything else, in the order in which it is written and listed.
    manifests: tuple[Asset, ...] = ()
    when: Predicate = always
    #: Components that must run this release first, besides kube-apiserver.
    depends_on: tuple[str, ...] = ()
    #: Sidecars and other traits, in order; those in `after_hash` do not count as configuration.
    traits: tuple[Trait, ...] = ()
    after_hash: tuple[Trait, ...] = ()
    tier: Tier = Tier.CONTROL_PLANE
    starts: Starts = Starts.AFTER_API_SERVER
    #: Whether its volumes must belong to the user that its pods run as.
    owns_volumes: bool = False
    multi_zone_spread: bool = False
    request_serving: bool = False
    management_access: bool = False
    #: Whether its pods get a token of the management cluster, beside those with access to its API.
    mounts_token: bool = False
    #: Whether its objects belong to the HostedControlPlane and go with it.
    owned: bool = True
    #: Images without which a product goes without this component.
    images: tuple[str, ...] = ()
    #: Secrets and ConfigMaps ("Secret/name") that must exist before anything is written.
    reads: tuple[str, ...] = ()
    #: Mounted ones that the process rereads by itself: a change of theirs does not roll the pods.
    reloads: frozenset[str] = field(default_factory=frozenset)
    #: Deployments that it runs as an operator: they run the release before it is rolled out.
    operands: Callable[[View], tuple[str, ...]] = lambda _view: ()
    #: Whether every release rolls its pods, even one that changes nothing in them.
    follows_release: bool = True
    #: Whether a restart of the control plane (restart-date) rolls its pods.
    follows_restart: bool = True

    def asset_files(self) -> frozenset[str]:
        """The files that the declaration names, which must be those on disk."""
        assets = (self.workload, *self.manifests)
        return frozenset(asset.file for asset in assets if asset.file)

    def with_assets(self, *assets: Asset) -> tuple[Asset, ...]:
        """The manifests, where each of `assets` takes the place of the one of its kind and name."""
        left = {_identity(asset): asset for asset in assets}
        found = tuple(left.pop(_identity(asset), asset) for asset in self.manifests)
        if left:
            raise LookupError(f"{self.name} has no asset {', '.join(map(str, left))} to replace")
        return found


def _identity(asset: Asset) -> tuple[str, str]:
    """A file by its path, a stub by its kind and name."""
    if asset.stub is None:
        return "", asset.file
    return asset.stub["kind"], asset.stub["metadata"]["name"]
