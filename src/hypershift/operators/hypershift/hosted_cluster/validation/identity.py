"""Whether a cluster's identities are well formed and its own."""

import uuid
from collections.abc import Iterator

from hypershift.kit import Key, Manifest

LONGEST_LABEL = 63


def identity_problems(spec: Manifest, namespace: str, owner: Key | None, me: Key) -> Iterator[str]:
    """Yield what is wrong with ids and names; `owner` is whose namespace it is already."""
    if (cluster_id := spec.get("clusterID")) and not _is_uuid(cluster_id):
        yield f"clusterID {cluster_id!r} is not a UUID"
    if _name(spec, "serviceAccountSigningKey") and not spec.get("issuerURL"):
        yield "a service account signing key needs an issuerURL"
    if len(namespace) > LONGEST_LABEL:
        yield (
            f"the control plane namespace {namespace!r} would be {len(namespace)} characters long; "
            f"at most {LONGEST_LABEL} are allowed: choose a shorter name"
        )
    if owner and owner != me:
        yield f"the control plane namespace {namespace!r} belongs to hosted cluster {owner}"


def _is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def _name(spec: Manifest, field: str) -> str:
    name: str = (spec.get(field) or {}).get("name", "")
    return name
