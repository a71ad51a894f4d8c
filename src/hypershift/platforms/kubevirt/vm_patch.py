"""Changes that an annotation asks for in a virtual machine's template (JSON Patch, RFC 6902).

The result has its fields in the order of Go's structs, which `field_order.json` keeps: the JSON
text names the template. As in the original, what a patch takes away stays, annotations aside:
the patched text is read on top of the template that it was made from.
"""

import json
from functools import cache
from importlib import resources
from typing import Any

from hypershift.api import annotations
from hypershift.kit import InvalidSpec, Manifest
from hypershift.platforms.kubevirt import json_patch

ANNOTATION = annotations.KUBEVIRT_VM_JSON_PATCH
ROOT = "capk.VirtualMachineTemplateSpec"


@cache
def _order() -> dict[str, dict[str, str]]:
    text = resources.files(__package__).joinpath("field_order.json").read_text()
    order: dict[str, dict[str, str]] = json.loads(text)
    return order


def patched(template: Manifest, *patches: str) -> Manifest:
    """The template with every patch applied."""
    document = json.loads(json.dumps(template))
    for text in patches:
        document = _applied(document, _operations(text))
    base = json.loads(json.dumps(template))
    base["spec"]["template"]["metadata"].pop("annotations", None)
    ordered: Manifest = _ordered(_laid_over(base, document), ROOT)
    return ordered


def _operations(text: str) -> list[dict[str, Any]]:
    try:
        return json_patch.read(text)
    except InvalidSpec as error:
        raise InvalidSpec(
            f"failed to parse the {ANNOTATION} annotation; wrong jsonpatch format: {error}"
        ) from error


def _applied(document: Any, operations: list[dict[str, Any]]) -> Any:
    try:
        return json_patch.applied(document, operations)
    except InvalidSpec as error:
        raise InvalidSpec(f"failed to apply json patch annotation: {error}") from error


def _laid_over(old: Any, new: Any) -> Any:
    """What Go makes of reading `new` into a struct that holds `old`."""
    if isinstance(old, dict) and isinstance(new, dict):
        merged = dict(old)
        for name, value in new.items():
            if value is None:
                merged.pop(name, None)
            else:
                merged[name] = _laid_over(old.get(name), value)
        return merged
    if isinstance(old, list) and isinstance(new, list):
        kept = [_laid_over(before, after) for before, after in zip(old, new, strict=False)]
        return kept + new[len(kept) :]
    return new


def _ordered(value: Any, kind: str) -> Any:
    """Known fields in their order, unknown ones dropped; keys of plain maps sorted."""
    if isinstance(value, list):
        return [_ordered(item, kind) for item in value]
    if not isinstance(value, dict):
        return value
    if not kind:
        return {name: _ordered(value[name], "") for name in sorted(value)}
    return {
        name: _ordered(value[name], below)
        for name, below in _order()[kind].items()
        if name in value
    }
