"""A pull secret that administrators of a hosted cluster add themselves, brought to every node.

    original-pull-secret + additional-pull-secret ──► global-pull-secret ──► config.json of kubelets

For a registry in both, the provider's entry holds. Nodes get it from a DaemonSet, so no machine is
replaced. When the addition goes, the DaemonSet puts back what there was before, and then goes too.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift import addons
from hypershift.api import labels
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.kit import InvalidSpec, Manifest, data_of, documents, labels_of
from hypershift.kit.assets import asset
from hypershift.kit.budget import BadDocument
from hypershift.kit.names import fnv1a
from hypershift.kube import Resource, kinds
from hypershift.operators.guest_config.rules.complete import is_complete

PACKAGE = "hypershift.operators.guest_config"
ASSET = "global-pull-secret"
NAMESPACE = "kube-system"
ORIGINAL, ADDITIONAL = "original-pull-secret", "additional-pull-secret"
GLOBAL, SYNCER = "global-pull-secret", "global-pull-secret-syncer"
HASH = labels.GLOBAL_PULL_SECRET_HASH
OWN_IMAGE = "hypershift"
KIND = "kubernetes.io/dockerconfigjson"


@dataclass(frozen=True, slots=True)
class PullSecret:
    """What nodes pull images with."""

    original: bytes = field(default=b"", repr=False)
    #: What the nodes shall have; empty while nothing is to be done on them.
    merged: bytes = field(default=b"", repr=False)
    #: Why the addition cannot be used: nodes keep what they have.
    problem: str = ""
    #: Whether the nodes have what there was before any addition, and nothing is needed any more.
    over: bool = False


def decided(
    original: bytes, additional: Manifest | None, syncer: Manifest | None, nodes: int
) -> PullSecret:
    """What follows from the provider's pull secret, the addition and what runs on the nodes."""
    if additional is not None and not additional["metadata"].get("deletionTimestamp"):
        try:
            return PullSecret(original, merged(original, data_of(additional, DOCKER_CONFIG)))
        except InvalidSpec as error:
            return PullSecret(original, problem=f"Secret {NAMESPACE}/{ADDITIONAL}: {error}")
    if syncer is None:
        return PullSecret(original)
    back = labels_of(syncer["spec"]["template"]).get(HASH) == hash_of(original)
    over = back and is_complete(syncer, nodes)
    return PullSecret(original, b"" if over else original, over=over)


def merged(original: bytes, additional: bytes) -> bytes:
    """Both documents as one; for a registry in both, the original's entry."""
    ours, theirs = _auths(original or b'{"auths":{}}'), _auths(additional)
    for registry, entry in theirs.items():
        _check(registry, entry)
    return json.dumps({"auths": theirs | ours}, sort_keys=True).encode()


def _auths(content: bytes) -> dict[str, Any]:
    """The entries of a document; what is wrong with it is said without showing it."""
    try:
        document = documents.read_json(content)
    except BadDocument as error:
        raise InvalidSpec(f"key {DOCKER_CONFIG}: {error}") from None
    found = document.get("auths") if isinstance(document, dict) else None
    if not isinstance(found, dict):
        raise InvalidSpec(f"key {DOCKER_CONFIG} has no map `auths`")
    return found


def _check(registry: str, entry: Any) -> None:
    auth = entry.get("auth") if isinstance(entry, Mapping) else None
    try:
        user, colon, password = b64decode(str(auth or ""), validate=True).partition(b":")
    except ValueError:
        user = colon = password = b""
    if not (user and colon and password):
        shown = registry[:100]
        raise InvalidSpec(f"the entry of {shown} needs `auth`: base64 of user:password")


def hash_of(content: bytes) -> str:
    """A digest for a label, so that pods are replaced when the content changes."""
    return fnv1a(content)


def manifests(found: PullSecret, image: str) -> Iterator[Manifest]:
    """The copy of the original, and while nodes have to be changed what changes them."""
    if found.original:
        yield _secret(ORIGINAL, found.original)
    if not found.merged:
        return
    yield _secret(GLOBAL, found.merged)
    for each in asset(PACKAGE, ASSET):
        if each["kind"] == "DaemonSet":
            each["spec"]["template"]["metadata"]["labels"][HASH] = hash_of(found.merged)
        yield addons.with_images({OWN_IMAGE: image}, each)


def unwanted(found: PullSecret) -> Iterator[tuple[Resource, str]]:
    """Yield what is deleted once the nodes have their former pull secret."""
    if found.over:
        yield kinds.DAEMON_SET, SYNCER
        yield kinds.SERVICE_ACCOUNT, SYNCER
        yield kinds.SECRET, GLOBAL
    if not found.original:
        yield kinds.SECRET, ORIGINAL


def _secret(name: str, content: bytes) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": KIND,
        "metadata": {"name": name, "namespace": NAMESPACE},
        "data": {DOCKER_CONFIG: b64encode(content).decode()},
    }
