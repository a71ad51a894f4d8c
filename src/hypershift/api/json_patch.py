"""Checks the JSON Patch (RFC 6902) that an annotation puts on virtual machines."""

from collections.abc import Iterator
from typing import Any

import msgspec

from hypershift.api.annotations import KUBEVIRT_VM_JSON_PATCH
from hypershift.api.values import PlatformType
from hypershift.kit import InvalidSpec, Manifest, annotations_of

_OPERATIONS = ("add", "copy", "move", "remove", "replace", "test")
_WITH_VALUE = ("add", "replace", "test")
_WITH_FROM = ("copy", "move")


def check_kubevirt_patch(manifest: Manifest) -> None:
    """Refuse a HostedCluster or NodePool on KubeVirt whose patch could not be applied."""
    platform = manifest.get("spec", {}).get("platform", {}).get("type")
    text = annotations_of(manifest).get(KUBEVIRT_VM_JSON_PATCH)
    if platform != PlatformType.KUBEVIRT or text is None:
        return
    field = f"metadata.annotations[{KUBEVIRT_VM_JSON_PATCH}]"
    for problem in patch_problems(text):
        raise InvalidSpec(f"annotation {KUBEVIRT_VM_JSON_PATCH}: {problem}", field=field)


def patch_problems(text: str) -> Iterator[str]:
    """What is wrong with a JSON Patch; nothing when it can be applied."""
    try:
        operations = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        yield f"not JSON: {error}"
        return
    if not isinstance(operations, list):
        yield "not a list of operations"
        return
    for place, operation in enumerate(operations):
        yield from (f"operation {place}: {problem}" for problem in _problems(operation))


def _problems(operation: Any) -> Iterator[str]:
    if not isinstance(operation, dict):
        yield "not an object"
        return
    name = operation.get("op")
    if name not in _OPERATIONS:
        yield f"op must be one of {', '.join(_OPERATIONS)}"
    if not _is_pointer(operation.get("path")):
        yield "path must be a JSON pointer"
    if name in _WITH_VALUE and "value" not in operation:
        yield f"{name} needs a value"
    if name in _WITH_FROM and not _is_pointer(operation.get("from")):
        yield f"{name} needs from, a JSON pointer"


def _is_pointer(value: Any) -> bool:
    return isinstance(value, str) and (value == "" or value.startswith("/"))
