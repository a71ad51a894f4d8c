"""What one pass over a NodePool knows, and what every pass may use."""

from base64 import b64decode
from dataclasses import dataclass, field
from typing import Any, Protocol

from hypershift.kit import Manifest, Secret, annotations_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.configuration import PoolConfig
from hypershift.platforms import ClusterFacts, Platform
from hypershift.release import Release
from hypershift.runtime import Scope

DOCKER_CONFIG = ".dockerconfigjson"


class Releases(Protocol):
    """Where releases are looked up."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        """What a release image contains."""
        ...


@dataclass(frozen=True, slots=True)
class Environment:
    """What the controller was given when the operator started."""

    releases: Releases
    #: Platforms whose pools may shrink to nothing and grow again.
    scale_from_zero: frozenset[str] = frozenset({"AWS", "Azure", "Local"})


@dataclass(slots=True)
class PoolScope(Scope):
    """One pass over a NodePool; phases read it and add to it."""

    environment: Environment
    hosted_cluster: Manifest = field(default_factory=dict)
    machines: list[Manifest] = field(default_factory=list)
    pull_secret: Secret[bytes] = field(default_factory=lambda: Secret(b""))
    trust_bundle: str = ""
    release: Release | None = None
    platform: Platform | None = None
    config: PoolConfig | None = None
    ignition_ca: bytes = b""
    token_secret: Manifest | None = None
    template: Manifest | None = None

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return names.control_plane_namespace(self.hosted_cluster)

    @property
    def annotations(self) -> dict[str, str]:
        """The pool's annotations."""
        return annotations_of(self.object)

    @property
    def cluster_spec(self) -> dict[str, Any]:
        """What the hosted cluster asks for."""
        spec: dict[str, Any] = self.hosted_cluster["spec"]
        return spec

    @property
    def cluster_name(self) -> str:
        """The hosted cluster's name."""
        name: str = self.hosted_cluster["metadata"]["name"]
        return name

    @property
    def infra_id(self) -> str:
        """The id that ties everything made for the cluster together."""
        infra_id: str = self.cluster_spec.get("infraID", "")
        return infra_id

    @property
    def in_place(self) -> bool:
        """Whether nodes are upgraded on their machines instead of being replaced."""
        return (self.spec.get("management") or {}).get("upgradeType") == "InPlace"

    @property
    def wanted_release(self) -> Release:
        """The release of this pass; phases after its lookup rely on it."""
        if self.release is None:
            raise RuntimeError("the release is looked up before it is used")
        return self.release

    @property
    def wanted_config(self) -> PoolConfig:
        """The configuration of this pass; phases after its generation rely on it."""
        if self.config is None:
            raise RuntimeError("the configuration is generated before it is used")
        return self.config

    def facts(self) -> ClusterFacts:
        """What a platform may know of the cluster."""
        status = self.hosted_cluster.get("status") or {}
        endpoint = status.get("controlPlaneEndpoint") or {}
        return ClusterFacts(
            hosted_cluster=self.hosted_cluster,
            namespace=self.namespace,
            endpoint=(endpoint["host"], endpoint["port"]) if endpoint.get("host") else None,
            ignition_endpoint=status.get("ignitionEndpoint", ""),
            images=self.wanted_release.images,
        )

    async def annotate(self, annotations: dict[str, str | None]) -> None:
        """Set or remove annotations of the pool; those that are right already cost nothing."""
        known = self.annotations
        changed = {name: value for name, value in annotations.items() if known.get(name) != value}
        if not changed:
            return
        await self.patch_metadata({"annotations": changed})

    async def patch_metadata(self, metadata: dict[str, Any]) -> None:
        """Change the pool's own metadata; the rest of the pass goes on from what came of it."""
        key = self.key
        patched = await self.kube.patch(
            kinds.NODE_POOL, key.name, {"metadata": metadata}, key.namespace
        )
        self.object["metadata"] |= patched["metadata"]


def secret_value(secret: Manifest, key: str) -> bytes:
    """One value of a Secret, empty when it has none."""
    return b64decode((secret.get("data") or {}).get(key, ""))
