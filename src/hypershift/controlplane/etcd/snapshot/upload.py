"""Store a verified snapshot, and beside it a list of what it contains.

The list lets a restore be compared with the backup: counts and digests of objects by kind, the
revision, and the names of the keys that values are encrypted with. It holds no object.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from hypershift.controlplane.etcd.snapshot.content import Content
from hypershift.controlplane.etcd.snapshot.file import examined

LIST_SUFFIX = ".contents.json"
MANIFEST_SUFFIX = ".manifest"


class Store(Protocol):
    """Where files can be put."""

    def put(self, key: str, path: Path) -> str:
        """Upload a file and return its address."""
        ...


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A snapshot in its store."""

    url: str
    content: Content


def upload(
    store: Store, path: Path, prefix: str, now: datetime, manifest: Path | None = None
) -> Uploaded:
    """Verify a snapshot and store it; what goes with it is stored first, so it always has that."""
    found, digest = examined(path)
    key = f"{prefix.strip('/')}/{int(now.timestamp())}{path.suffix}"
    listed = path.with_name(path.name + LIST_SUFFIX)
    listed.write_text(json.dumps(contents(found, path, digest), indent=1, sort_keys=True) + "\n")
    try:
        store.put(key + LIST_SUFFIX, listed)
        if manifest is not None:
            store.put(key + MANIFEST_SUFFIX, manifest)
        return Uploaded(store.put(key, path), found)
    finally:
        listed.unlink()


def contents(found: Content, path: Path, digest: str) -> dict[str, Any]:
    """The list of what a snapshot contains."""
    return {
        "revision": found.revision,
        "keys": found.keys,
        "etcdVersion": found.version,
        "encryptedWith": sorted(found.encrypted_with),
        "size": path.stat().st_size,
        "sha256": digest,
        "kinds": {
            kind: {"count": tally.count, "digest": f"{tally.digest:032x}"}
            for kind, tally in found.kinds.items()
        },
    }
