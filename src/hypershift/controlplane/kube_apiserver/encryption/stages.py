"""How a new key comes into use: every replica reads with it before any of them writes with it.

    [old]  ->  [old, new]  -- all replicas run it -->  [new, old]  -- all rewritten -->  [new]

Replicas change one after the other, so what one writes the others must be able to read. What they
were last given is in the live Secret, which outlives every one of our processes; an old key stays
for reading until everything stored is known to be encrypted with the new one. The guest
configuration says so in the status (`reencryption`), after it has rewritten everything.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from hypershift.api.well_known import ENCRYPTION_CONFIG, KUBE_APISERVER
from hypershift.component import View, edit, rolled_out
from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.kit.documents import loaded

SECRET = ENCRYPTION_CONFIG
FILE = "config.yaml"
SERVER = KUBE_APISERVER

#: On the pods, so that it can be seen which configuration all of them run.
HASH = "kube-apiserver.hypershift.openshift.io/encryption-config-hash"


@dataclass(frozen=True, slots=True)
class TargetKey:
    """The key to come to, by its name in the configuration, and what is known of earlier ones."""

    wanted: str
    #: The key that a change under way replaces, from the cluster's status.
    old: str = ""
    backups: tuple[str, ...] = ()
    #: Whether everything stored is encrypted with the wanted key.
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """The keys in order: the first one writes, unless plain text is still written."""

    names: tuple[str, ...]
    plain_first: bool = False


def stage(view: View, wish: TargetKey) -> Stage:
    """The configuration that replicas may be given next."""
    given, plain_first = live_names(view)
    live = given or ((wish.old,) if wish.old else ())
    others = _distinct(name for name in (*live, wish.old, *wish.backups) if name != wish.wanted)
    ahead = (wish.wanted, *others)
    if wish.settled and live and (plain_first or live[0] != wish.wanted):
        # Status and servers contradict each other: one of them is outdated.
        return Stage(_distinct((*live, wish.wanted)), plain_first)
    if plain_first:
        return Stage(ahead, plain_first=not (wish.wanted in given and runs_everywhere(view)))
    if not live:
        runs = view.find("Deployment", SERVER) is not None
        return Stage(ahead, plain_first=runs and not wish.settled)
    if live[0] == wish.wanted:
        done = wish.settled and runs_everywhere(view)
        return Stage(_distinct((wish.wanted, *wish.backups)) if done else ahead)
    if wish.wanted in given and runs_everywhere(view):
        return Stage(ahead)
    return Stage(_distinct((live[0], wish.wanted, *others)))


def live_names(view: View) -> tuple[tuple[str, ...], bool]:
    """The keys that the API servers were last given, and whether plain text came first."""
    return names_of(live_providers(view))


def names_of(providers: list[Manifest]) -> tuple[tuple[str, ...], bool]:
    """The names of keys in order, and whether plain text comes first."""
    names = tuple(
        one["name"]
        for provider in providers
        for one in (*(provider.get("aescbc") or {}).get("keys", ()), provider.get("kms"))
        if one
    )
    return names, "identity" in next(iter(providers), {})


def live_providers(view: View) -> list[Manifest]:
    """The providers of the configuration that the API servers were last given."""
    return providers_of(view.secret(SECRET, FILE))


def providers_of(content: bytes) -> list[Manifest]:
    """The providers of a configuration file, in order."""
    found: list[Manifest] = _rules(content).get("providers") or []
    return found


def encrypted_of(content: bytes) -> tuple[str, ...]:
    """The kinds that a configuration file is about, as `plural` or `plural.group`."""
    return tuple(_rules(content).get("resources") or ())


def _rules(content: bytes) -> Manifest:
    resources: list[Manifest] = _parsed(content).get("resources") or [{}]
    return resources[0]


@lru_cache(maxsize=256)
def _parsed(content: bytes) -> Manifest:
    document: Manifest = loaded(content or b"{}") or {}
    return document


def runs_everywhere(view: View) -> bool:
    """Whether every replica, those that are about to end included, runs the live configuration."""
    pods = [found for (kind, _), found in view.objects.items() if kind == "Pod"]
    return all_run(view.find("Deployment", SERVER), pods, view.secret(SECRET, FILE))


def all_run(deployment: Manifest | None, pods: Iterable[Manifest], content: bytes) -> bool:
    """Whether every replica of a Deployment runs a configuration, and none is about to end."""
    if deployment is None or not rolled_out(deployment):
        return False
    if deployment["status"].get("terminatingReplicas") or any(_ends(pod) for pod in pods):
        return False
    return annotations_of(edit.pod_of(deployment)).get(HASH) == mark(content.decode())[HASH]


def mark(content: str) -> dict[str, str]:
    """The annotation of pods that run a configuration."""
    return {HASH: f"sha256:{hashlib.sha256(content.encode()).hexdigest()}"}


def _ends(pod: Manifest) -> bool:
    ours = labels_of(pod).get("app") == SERVER
    return ours and bool(pod["metadata"].get("deletionTimestamp"))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))
