"""What a cloud says of a pool's machines: their template, what they boot, and what is wrong.

The control plane's side of a cloud is `platform.py`; both sides of a cloud share its folder.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from hypershift.api import HostedCluster, NodePool, annotations
from hypershift.api.conditions import (
    Condition,
    ConditionType,
    NodePoolConditionType,
    NodePoolReason,
)
from hypershift.ignition.goyaml import to_json
from hypershift.kit import InvalidSpec, Manifest, TransientError
from hypershift.kube import Resource
from hypershift.release import STREAM_ARCHITECTURES, Release

VALID_IMAGE = NodePoolConditionType.VALID_PLATFORM_IMAGE
FAILED = NodePoolReason.VALIDATION_FAILED
ENABLE_SPOT = annotations.ENABLE_SPOT
#: Where machines of several clouds learn who they are.
METADATA_SERVICE = "169.254.169.254"


class NotReady(TransientError):
    """The cluster lacks something that machines are made of; it is on its way."""


@dataclass(frozen=True, slots=True)
class PoolFacts:
    """What a cloud may know of a pool and its cluster."""

    cluster: HostedCluster
    wanted: NodePool
    #: The same without the API server's defaults, as Go reads what was given: names of templates
    #: follow from their content, and the original's know no default that the stored pool lacks.
    given: NodePool
    namespace: str  # the control plane namespace
    release: Release
    stream: str = ""  # the CoreOS stream that machines boot
    #: Whether the control plane makes a security group of its own for workers.
    default_security_group: bool = True
    #: The infrastructure CR of the cluster, where it must own what is made.
    infra_cluster: Manifest | None = None

    @property
    def infra_id(self) -> str:
        """The id that ties everything made for the cluster together."""
        return self.cluster.spec.infra_id or ""

    @property
    def cluster_name(self) -> str:
        """The hosted cluster's name."""
        return self.cluster.metadata.name

    @property
    def pool_name(self) -> str:
        """The pool's name."""
        return self.wanted.metadata.name

    @property
    def architecture(self) -> str:
        """The processor of the pool's machines."""
        return self.wanted.spec.arch

    @property
    def image(self) -> str:
        """The release image as the pool names it."""
        return self.wanted.spec.release.image

    def pool_annotation(self, name: str) -> str:
        """An annotation of the pool; empty when unset."""
        return (self.wanted.metadata.annotations or {}).get(name, "")


@dataclass(frozen=True, slots=True)
class Report:
    """What a cloud found before any machine is made; with an error the pass ends."""

    conditions: tuple[Condition, ...] = ()
    error: str = ""
    #: What machines need beside their template.
    objects: tuple[Manifest, ...] = ()
    #: Marks on the pool itself, and its `status.platform`.
    annotations: Mapping[str, str] = field(default_factory=dict)
    status: Mapping[str, Any] = field(default_factory=dict)
    #: Conditions that no longer mean anything.
    removed: tuple[ConditionType, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """A machine template: its spec, and the JSON text whose hash names it."""

    spec: Manifest
    hashed: str
    labels: Mapping[str, str] = field(default_factory=dict)
    #: A label that takes the template's own name.
    name_label: str = ""
    #: What the pool's own spec is completed with, as a merge patch.
    defaults: Mapping[str, Any] = field(default_factory=dict)


class Machines(Protocol):
    """One cloud's machines: pure answers, which the pool's controller applies."""

    @property
    def resource(self) -> Resource:
        """The kind of the machine template."""
        ...

    def check(self, facts: PoolFacts) -> Report:
        """What is to be said of the pool, and made for it, before its template."""
        ...

    def template(self, facts: PoolFacts) -> Template:
        """The template; `InvalidSpec` says why there can be none, `NotReady` that it takes time."""
        ...

    def same(self, wanted: Manifest, known: Manifest) -> bool:
        """Whether the template in use, under whatever name, is as good as the wanted one."""
        ...

    def failure_domain(self, pool: NodePool) -> str:
        """Where Cluster API shall put the machines; empty when the template says it."""
        ...


class SimpleMachines:
    """The answers of a cloud that has nothing special to say."""

    def check(self, facts: PoolFacts) -> Report:
        del facts
        return Report()

    def same(self, wanted: Manifest, known: Manifest) -> bool:
        del wanted, known
        return False

    def failure_domain(self, pool: NodePool) -> str:
        del pool
        return ""


def named_by(spec: Manifest, **more: Any) -> Template:
    """A template that the JSON of its whole spec names, fields in the order of Go's structs."""
    return Template(spec, to_json(spec, sort=False), **more)


def filled(fields: Manifest) -> Manifest:
    """The fields that say something; Go leaves the others out."""
    return {
        name: value
        for name, value in fields.items()
        if value is not None and value not in ("", [], {})
    }


def uses_spot(pool: NodePool) -> bool:
    """Whether the cloud may take the machines back at any time."""
    cloud = pool.spec.platform.aws
    placement = cloud.placement if cloud else None
    asked = placement is not None and placement.market_type == "Spot"
    return asked or ENABLE_SPOT in (pool.metadata.annotations or {})


def stream_images(facts: PoolFacts, architecture: str | None = None) -> Mapping[str, Any]:
    """What the stream says of the pool's processor."""
    wanted = facts.architecture if architecture is None else architecture
    stream = facts.release.boot_images.named(facts.stream)
    found = (stream.get("architectures") or {}).get(STREAM_ARCHITECTURES.get(wanted, ""))
    if found is None:
        raise InvalidSpec(f'couldn\'t find OS metadata for architecture "{wanted}"')
    images: Mapping[str, Any] = found
    return images
