"""One frozen picture of a hosted cluster and all around it, which the rules are decided on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypershift.api import HostedCluster, annotations, read
from hypershift.api.conditions import ConditionType
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest, annotations_of, from_rfc3339
from hypershift.kube import Resource
from hypershift.runtime import condition_of, is_true

POOL = annotations.NODE_POOL
#: Younger than this, a thing that is not ready is no sign of trouble.
PATIENCE = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a report may show of a certificate in a Secret; the key itself is not kept."""

    secret: str
    key: str
    subject: str
    not_before: datetime
    not_after: datetime
    problem: str = ""  # does not match its key, is signed by no known authority, cannot be read


@dataclass(frozen=True, slots=True)
class UserData:
    """What a machine boots with: which token Secret it relies on, and whether that still holds."""

    secret: str
    token_secret: str
    valid: bool
    why: str = ""
    #: When the token Secret was made: machines that are older hold a token of another one.
    made: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Everything that was read at one moment; `unread` names what could not be read."""

    now: datetime
    cluster: Manifest
    namespace: str
    operator_namespace: str = "hypershift"
    objects: tuple[Manifest, ...] = ()
    guest: tuple[Manifest, ...] = ()
    guest_error: str = ""
    #: Keys of the Secrets and ConfigMaps that the cluster's spec names; None: not there.
    references: Mapping[tuple[str, str], tuple[str, ...] | None] = field(default_factory=dict)
    certificates: tuple[Certificate, ...] = ()
    user_data: tuple[UserData, ...] = ()
    #: The last lines of containers that crash, by `pod/container`.
    logs: Mapping[str, str] = field(default_factory=dict)
    #: The last lines of machines' consoles, by LocalMachine.
    consoles: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()

    @property
    def wanted(self) -> HostedClusterSpec:
        """What the cluster should be."""
        return read(HostedCluster, self.cluster).spec

    def of(self, resource: Resource, namespace: str | None = None) -> tuple[Manifest, ...]:
        """Objects of one kind, in one namespace (the control plane's unless another is named)."""
        place = self.namespace if namespace is None else namespace
        return tuple(
            each
            for each in self.objects
            if each.get("kind") == resource.kind
            and (not resource.namespaced or each["metadata"].get("namespace") == place)
        )

    def named(self, resource: Resource, name: str, namespace: str | None = None) -> Manifest | None:
        """One object of the picture."""
        found = self.of(resource, namespace)
        return next((each for each in found if each["metadata"]["name"] == name), None)

    def in_guest(self, resource: Resource) -> tuple[Manifest, ...]:
        """Objects of the hosted cluster itself."""
        return tuple(each for each in self.guest if each.get("kind") == resource.kind)

    def age(self, moment: str | None) -> timedelta:
        """How long ago something happened; nothing at all happened just now."""
        return self.now - from_rfc3339(moment) if moment else timedelta()

    def is_old(self, manifest: Manifest) -> bool:
        """Whether an object had its time to become ready."""
        return self.age(manifest["metadata"].get("creationTimestamp")) > PATIENCE


def condition(manifest: Manifest | None, kind: ConditionType) -> Manifest:
    """One condition; `{}` when it is not set."""
    return condition_of(manifest or {}, kind) or {}


def holds(manifest: Manifest | None, kind: ConditionType) -> bool:
    """Whether a condition is True."""
    return is_true(manifest or {}, kind)


def message_of(found: Manifest) -> str:
    """The message of a condition or an event in one line."""
    text = found.get("message") or found.get("reason") or ""
    return " ".join(str(text).split())


def pool_of(manifest: Manifest) -> str:
    """The pool, as namespace/name, in a machine's annotation."""
    return annotations_of(manifest).get(POOL, "")


def of_pool(machines: Iterable[Manifest], pool: Manifest | None) -> list[Manifest]:
    """The machines of one pool, or of all when none is named."""
    if pool is None:
        return list(machines)
    mine = f"{pool['metadata']['namespace']}/{pool['metadata']['name']}"
    return [each for each in machines if pool_of(each) == mine]
