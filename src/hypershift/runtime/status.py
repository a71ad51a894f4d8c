"""The patch that brings an object's status from what we read to what a pass made of it."""

from typing import Any

from hypershift.kit import Manifest

Operation = dict[str, Any]


def status_patch(
    manifest: Manifest, after: dict[str, Any], *, by_version: bool = False
) -> list[Operation]:
    """A JSON patch for the status endpoint; empty when nothing changed.

    A merge patch would lose nulls, which some fields require. Each changed field is tested to be
    what we read, and the object to be the one we read, so that a stale picture overwrites nothing.
    `by_version` tests the object's version in place of its fields, which cannot fail by spelling.
    """
    metadata, before = manifest["metadata"], manifest.get("status")
    if (before or {}) == after:
        return []
    identity = [_operation("test", "/metadata/uid", metadata["uid"])]
    if before is None or by_version:
        version = _operation("test", "/metadata/resourceVersion", metadata["resourceVersion"])
        return [*identity, version, _operation("add", "/status", after)]
    changes: list[Operation] = []
    for name in (*before, *(name for name in after if name not in before)):
        path = f"/status/{name.replace('~', '~0').replace('/', '~1')}"
        if name not in before:
            changes.append(_operation("add", path, after[name]))
        elif name not in after:
            changes.append({"op": "remove", "path": path})
        elif before[name] != after[name]:
            changes.append(_operation("test", path, before[name]))
            changes.append(_operation("replace", path, after[name]))
    return identity + changes


def _operation(name: str, path: str, value: Any) -> Operation:
    return {"op": name, "path": path, "value": value}
