"""Changes that an annotation asks for in a virtual machine's template (JSON Patch, RFC 6902).

The result has its fields in the order of Go's structs, which `field_order.json` keeps: the JSON
text names the template. As in the original, what a patch takes away stays, annotations aside:
the patched text is read on top of the template that it was made from.
"""

import json
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from hypershift.api import annotations
from hypershift.kit import InvalidSpec, Manifest

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
        operations: list[dict[str, Any]] = msgspec.json.decode(text, type=list[dict[str, Any]])
    except msgspec.MsgspecError as error:
        raise InvalidSpec(
            f"failed to parse the {ANNOTATION} annotation; wrong jsonpatch format: {error}"
        ) from error
    return operations


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


def _applied(document: Any, operations: list[dict[str, Any]]) -> Any:
    root = {"": document}
    for operation in operations:
        try:
            _operate(root, operation)
        except _Missing as error:
            kind, path = operation.get("op"), operation.get("path", "")
            raise InvalidSpec(
                "failed to apply json patch annotation: "
                f"{kind} operation does not apply: {error.reason(path)}"
            ) from error
    return root[""]


class _Missing(Exception):
    """A place that the document does not have."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def reason(self, path: str) -> str:
        if self.what == "key":
            return f"doc is missing key: {path}: missing value"
        if self.what == "test":
            return f"testing value {path} failed: test failed"
        return f"doc is missing path: {path}: missing value"


def _operate(root: dict[str, Any], operation: dict[str, Any]) -> None:
    path = operation.get("path", "")
    match operation.get("op"):
        case "add":
            _put(root, path, operation.get("value"), make=True)
        case "remove":
            _take(root, path)
        case "replace":
            _get(root, path)
            _replace(root, path, operation.get("value"))
        case "move":
            _put(root, path, _take(root, operation.get("from", "")))
        case "copy":
            _put(root, path, json.loads(json.dumps(_get(root, operation.get("from", "")))))
        case "test":
            if _get(root, path) != operation.get("value"):
                raise _Missing("test")
        case other:
            raise InvalidSpec(f"failed to apply json patch annotation: Unexpected kind: {other}")


def _steps(path: str) -> list[str]:
    parts = path.split("/")
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def _enter(place: Any, step: str, why: str) -> Any:
    try:
        return place[int(step)] if isinstance(place, list) else place[step]
    except (KeyError, IndexError, ValueError, TypeError):
        raise _Missing(why) from None


def _parent(root: dict[str, Any], path: str, *, make: bool = False) -> tuple[Any, str]:
    *above, last = _steps(path)
    place: Any = root
    following = [*above[1:], last]
    for step, after in zip(above, following, strict=True):
        if make and isinstance(place, dict) and step not in place:
            place[step] = [] if after.isdigit() or after == "-" else {}
        place = _enter(place, step, "path")
    return place, last


def _get(root: dict[str, Any], path: str) -> Any:
    place, last = _parent(root, path)
    return _enter(place, last, "key")


def _put(root: dict[str, Any], path: str, value: Any, *, make: bool = False) -> None:
    place, last = _parent(root, path, make=make)
    if isinstance(place, list):
        place.insert(len(place) if last == "-" else int(last), value)
    elif isinstance(place, dict):
        place[last] = value
    else:
        raise _Missing("path")


def _replace(root: dict[str, Any], path: str, value: Any) -> None:
    place, last = _parent(root, path)
    place[int(last) if isinstance(place, list) else last] = value


def _take(root: dict[str, Any], path: str) -> Any:
    place, last = _parent(root, path)
    value = _enter(place, last, "key")
    del place[int(last) if isinstance(place, list) else last]
    return value
