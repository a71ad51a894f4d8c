"""JSON merge patch (RFC 7386) and JSON patch (RFC 6902), as the API server applies them."""

from contextlib import suppress
from typing import Any

from hypershift.kube.shape import duplicate


class BadPatch(Exception):
    """A patch that does not fit the object."""


def merge_patched(target: Any, patch: Any) -> Any:
    """The target with a merge patch applied."""
    if not isinstance(patch, dict):
        return duplicate(patch)
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge_patched(result.get(name), value)
    return result


def json_patched(target: Any, operations: list[dict[str, Any]]) -> Any:
    """The target with a JSON patch applied."""
    result = {"": duplicate(target)}
    for operation in operations:
        _operate(result, operation)
    return result[""]


def _operate(root: dict[str, Any], operation: dict[str, Any]) -> None:
    path = operation["path"]
    match operation["op"]:
        case "add":
            _add(root, path, operation["value"])
        case "remove":
            _remove(root, path)
        case "replace":
            with suppress(BadPatch):  # the server takes a replace of nothing as an add
                _remove(root, path)
            _add(root, path, operation["value"])
        case "test":
            if _get(root, path) != operation["value"]:
                raise BadPatch(f"testing value {path} failed")
        case "move":
            value = _remove(root, operation["from"])
            _add(root, path, value)
        case "copy":
            _add(root, path, duplicate(_get(root, operation["from"])))
        case other:
            raise BadPatch(f"unknown operation {other}")


def _steps(path: str) -> list[str]:
    parts = ["", *path.split("/")[1:]] if path else [""]
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def _parent(root: dict[str, Any], path: str) -> tuple[Any, str]:
    *above, last = _steps(path)
    place: Any = root
    for step in above:
        place = _enter(place, step, path)
    return place, last


def _enter(place: Any, step: str, path: str) -> Any:
    try:
        return place[int(step)] if isinstance(place, list) else place[step]
    except (KeyError, IndexError, ValueError, TypeError):
        raise BadPatch(f"the path {path} does not exist") from None


def _get(root: dict[str, Any], path: str) -> Any:
    place, last = _parent(root, path)
    return _enter(place, last, path)


def _add(root: dict[str, Any], path: str, value: Any) -> None:
    place, last = _parent(root, path)
    if isinstance(place, list):
        place.insert(len(place) if last == "-" else int(last), duplicate(value))
    elif isinstance(place, dict):
        place[last] = duplicate(value)
    else:
        raise BadPatch(f"the path {path} does not exist")


def _remove(root: dict[str, Any], path: str) -> Any:
    place, last = _parent(root, path)
    value = _enter(place, last, path)
    if isinstance(place, list):
        place.pop(int(last))
    else:
        place.pop(last)
    return value
