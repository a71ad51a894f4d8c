"""What one pass over a HostedControlPlane knows, and what every pass may use."""

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from hypershift.api import HostedControlPlane, read
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.monitoring import Monitoring
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.values import AuthenticationType
from hypershift.api.well_known import PULL_SECRET
from hypershift.component import Component, Infra, Management, View, pod_user
from hypershift.controlplane.etcd import Defragmenter, DiskWatch
from hypershift.kit import Manifest, Secret, annotations_of
from hypershift.operators.controlplane.accounts import Accounts
from hypershift.operators.controlplane.endpoint import Check, Resolve, check_endpoint, resolve
from hypershift.operators.controlplane.metrics import fetch_metrics
from hypershift.operators.controlplane.rules.owner import owner_reference
from hypershift.operators.controlplane.settings import Settings
from hypershift.operators.controlplane.steady_state import SteadyState
from hypershift.pki import (
    SUCCESSION_SECRET,
    Authority,
    AuthoritySpec,
    Succession,
    Wanted,
    begun,
    read_succession,
    reconcile,
)
from hypershift.pki.known_good import is_known_good
from hypershift.pki.succession import ROOT, decoded
from hypershift.platforms import EndpointSide, Links
from hypershift.release import Lookup, Product, Release
from hypershift.runtime import Scope

#: What exists, what is wanted, and when: to the objects that have to be written.
Issue = Callable[[Mapping[tuple[str, str], Manifest], Wanted, datetime], Awaitable[list[Manifest]]]


async def issue(
    existing: Mapping[tuple[str, str], Manifest], plan: Wanted, now: datetime
) -> list[Manifest]:
    """Create keys and certificates in a thread, so that passes over other clusters continue."""
    if is_known_good(existing, plan, now):
        return []
    return await asyncio.to_thread(reconcile, existing, plan, now)


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a replacement of authorities begins with."""

    request: str
    specs: Sequence[AuthoritySpec]
    present: Mapping[str, Authority]
    #: Data of the Secret with the key of tokens; empty where that stays, and why it does.
    tokens: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    stays: str = ""

    def data(self, now: datetime) -> dict[str, str]:
        """The data of the replacement's Secret, with new keys."""
        return begun(
            self.request, self.specs, self.present, now, tokens=self.tokens, stays=self.stays
        )


#: To the data of the Secret that keeps a replacement.
Begin = Callable[[Beginning, datetime], Awaitable[dict[str, str]]]


async def begin(beginning: Beginning, now: datetime) -> dict[str, str]:
    """Create the successors' keys in a thread, as `issue` does."""
    return await asyncio.to_thread(beginning.data, now)


@dataclass(frozen=True)
class Environment:
    """What the controller was given when its process started."""

    settings: Settings
    releases: Lookup
    catalog: Callable[[Product, HostedControlPlaneSpec], Sequence[Component]]
    groups: frozenset[str] = frozenset()  # optional API groups that the mgmt cluster serves
    check: Check = check_endpoint
    resolve: Resolve = resolve
    issue: Issue = issue
    begin: Begin = begin
    defragmenter: Defragmenter = field(default_factory=Defragmenter)
    disks: DiskWatch = field(default_factory=lambda: DiskWatch(fetch_metrics))
    accounts: Accounts = field(default_factory=Accounts)
    #: The clouds' private links that the management cluster has a kind for.
    links: tuple[Links, ...] = ()
    #: What makes their endpoints, by kind, in place of those of the platforms.
    endpoints: Mapping[str, Callable[[], EndpointSide]] = field(default_factory=dict)
    rest: SteadyState = field(default_factory=SteadyState)

    @property
    def has_routes(self) -> bool:
        """Whether the management cluster knows Routes; elsewhere our own router serves names."""
        return "route.openshift.io" in self.groups


@dataclass(slots=True)
class PlaneScope(Scope):
    """One pass over a HostedControlPlane; phases read it and add to it."""

    environment: Environment
    services: dict[str, Manifest] = field(default_factory=dict)
    #: Those that the management cluster has; it may have no such kind.
    routes: dict[str, Manifest] = field(default_factory=dict)
    deployments: dict[str, Manifest] = field(default_factory=dict)
    stateful_sets: dict[str, Manifest] = field(default_factory=dict)
    components: Sequence[Manifest] = ()
    secrets: dict[str, Manifest] = field(default_factory=dict)
    namespace_object: Manifest | None = None
    release: Release | None = None  # as the management side sees it
    user_release: Release | None = None  # as the guest sees it
    infra: Infra = field(default_factory=Infra)
    waiting: str = ""  # for which addresses
    broken: str = ""  # why addresses cannot be determined
    issued: bool = False  # whether keys or certificates were written in this pass
    worked: bool = False  # whether components were brought to their renderings in this pass
    #: A published address, and what was wrong with it when it was asked.
    endpoint: tuple[tuple[str, int], str] | None = None
    _plane: HostedControlPlane | None = field(default=None, repr=False)

    @property
    def plane(self) -> HostedControlPlane:
        """The HostedControlPlane of this pass, decoded once."""
        if self._plane is None:
            self._plane = read(HostedControlPlane, self.object)
        return self._plane

    @property
    def wanted(self) -> HostedControlPlaneSpec:
        """What the control plane should be."""
        return self.plane.spec

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def settings(self) -> Settings:
        """The operator's settings."""
        return self.environment.settings

    @property
    def annotations(self) -> dict[str, str]:
        """The control plane's annotations."""
        return annotations_of(self.object)

    @property
    def generation(self) -> int:
        """The generation of the spec that this pass is about."""
        return self.plane.metadata.generation or 1

    @property
    def release_image(self) -> str:
        """The release that the management side runs."""
        return self.wanted.control_plane_release_image or self.wanted.release_image

    @property
    def oauth(self) -> bool:
        """Whether an OAuth server of the cluster's own logs users in."""
        configuration = self.wanted.configuration
        section = configuration.authentication if configuration else None
        external = (AuthenticationType.OIDC, AuthenticationType.NONE)
        by_others = section is not None and section.type in external
        return self.release is not None and self.release.openshift and not by_others

    @property
    def succession(self) -> Succession | None:
        """The replacement of authorities that is under way, or the last one."""
        found = self.secrets.get(SUCCESSION_SECRET)
        return read_succession(decoded(found)) if found else None

    @property
    def authority(self) -> str:
        """The certificates of the cluster's root authority (PEM); empty before there is one."""
        data = (self.secrets.get(ROOT) or {}).get("data") or {}
        current, found = b64decode(data.get("ca.crt", "")), self.succession
        trusted = found.trusted(ROOT, current) if found and current else current
        return trusted.decode(errors="replace")

    def docker_config(self) -> Secret[bytes]:
        """The credentials for image registries."""
        data = (self.secrets.get(PULL_SECRET) or {}).get("data") or {}
        return Secret(b64decode(data.get(DOCKER_CONFIG, "")))

    def owner_reference(self) -> Manifest:
        """The reference by which an object is deleted with the control plane."""
        return owner_reference(self.plane)

    def owned(self, manifest: Manifest) -> Manifest:
        """The manifest, as one that is deleted with the control plane."""
        metadata = manifest["metadata"] | {"ownerReferences": [self.owner_reference()]}
        return manifest | {"metadata": metadata}

    def view(self) -> View:
        """The picture from which everything about the components follows."""
        if self.release is None or self.user_release is None:
            raise LookupError("no view without a release")
        monitoring = self.wanted.monitoring or Monitoring()
        management = Management(
            groups=self.environment.groups,
            uid=pod_user(self.namespace_object),
            registry_overrides=dict(self.settings.registry_overrides),
            proxy=self.settings.proxy,
            metrics_set=monitoring.metrics_set or self.settings.metrics_set,
        )
        return View(self.plane, self.release, self.user_release, self.infra, management)
