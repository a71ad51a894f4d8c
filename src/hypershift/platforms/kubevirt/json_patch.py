"""JSON Patch (RFC 6902) as the original's library applies it: its liberties and its words.

Paths that an `add` needs are made, indices may count from the end, and every refusal reads as the
original's, since users find it in a condition.
"""

import copy
import json
import re
from typing import Any, Final

from hypershift.ignition.goyaml import to_json
from hypershift.kit import InvalidSpec
from hypershift.kit.budget import KIBIBYTE, Budget, Malformed, refusing
from hypershift.kit.documents import read_json

Operation = dict[str, Any]

_MISSING, _BAD_INDEX, _TEST_FAILED = "missing value", "invalid index referenced", "test failed"
_NEEDS = {
    "add": ("value", "path"),
    "replace": ("value", "path"),
    "move": ("from", "path"),
    "copy": ("from", "path"),
    "remove": ("path",),
    "test": ("path",),
}
BUDGET: Final = Budget(size=256 * KIBIBYTE, nodes=10_000, depth=50)
#: What all `copy` operations of one patch may copy together.
LARGEST_COPIES: Final = 256 * KIBIBYTE
#: What the indices of a patch may add up to: each makes its list as long as it needs, so that a
#: number of ten digits stands for that much memory.
LARGEST_INDICES: Final = 10_000
#: Steps of a path, and the digits of an index that Python reads.
DEEPEST: Final = 100
_LONGEST_NUMBER: Final = 18
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)


def read(text: str) -> list[Operation]:
    """The operations of a patch."""
    try:
        patch = read_json(text, BUDGET)
    except Malformed:
        raise InvalidSpec("invalid state detected") from None
    if not isinstance(patch, list) or not all(isinstance(one, dict) for one in patch):
        raise InvalidSpec("json: cannot unmarshal value into Go value of type jsonpatch.Patch")
    for operation in patch:
        if why := _why_invalid(operation):
            raise InvalidSpec(f"invalid operation {to_json(operation)}: {why}")
    paths = [operation.get(name, "") for operation in patch for name in ("path", "from")]
    for path in paths:
        _check_path(path)
    if (found := sum(map(_growth, paths))) > LARGEST_INDICES:
        raise InvalidSpec(f"indices of the patch add up to {found}, more than {LARGEST_INDICES}")
    return patch


def _check_path(path: Any) -> None:
    if not isinstance(path, str):
        raise InvalidSpec("the path of an operation is no text")
    if path.count("/") > DEEPEST:
        raise InvalidSpec(f"the path of an operation has more than {DEEPEST} steps")


def _growth(path: str) -> int:
    """How many entries the indices of a path may make."""
    return sum(max(_index(part), 0) for part in path.split("/") if _INTEGER.fullmatch(part))


def _why_invalid(operation: Operation) -> str:
    needed = _NEEDS.get(str(operation.get("op")))
    if needed is None:
        return "unsupported operation"
    for name in needed:
        if name not in operation:
            comma = "" if name == "path" else ","
            why = f"operation{comma} missing {name} field: {_MISSING}"
            return f"failed to decode '{name}': {why}"
    return ""


def applied(document: Any, operations: list[Operation]) -> Any:
    """The document after every operation; it is changed itself."""
    with refusing("the patch"):
        return _applied(document, operations)


def _applied(document: Any, operations: list[Operation]) -> Any:
    root = [document]
    copied = 0
    for operation in operations:
        path, value = operation["path"], operation.get("value")
        match operation["op"]:
            case "add":
                _add(root, path, copy.deepcopy(value))
            case "remove":
                _remove(root, path)
            case "replace":
                _replace(root, path, copy.deepcopy(value))
            case "move":
                _move(root, operation["from"], path)
            case "copy":
                copied += _copy(root, operation["from"], path, LARGEST_COPIES - copied)
            case _:
                _test(root, path, value)
    return root[0]


def _add(root: list[Any], path: str, value: Any) -> None:
    if not path:
        root[0] = value
        return
    _make(root[0], path)
    if (found := _find(root[0], path)) is None:
        raise InvalidSpec(
            f'add operation does not apply: doc is missing path: "{path}": {_MISSING}'
        )
    try:
        _put(*found, value)
    except InvalidSpec as error:
        raise InvalidSpec(f"error in add for path: '{path}': {error}") from error


def _remove(root: list[Any], path: str) -> None:
    if (found := _find(root[0], path)) is None:
        raise InvalidSpec(
            f'remove operation does not apply: doc is missing path: "{path}": {_MISSING}'
        )
    try:
        _take(*found)
    except InvalidSpec as error:
        raise InvalidSpec(f"error in remove for path: '{path}': {error}") from error


def _replace(root: list[Any], path: str, value: Any) -> None:
    if not path:
        root[0] = value
        return
    failed = "replace operation does not apply: doc is missing"
    if (found := _find(root[0], path)) is None:
        raise InvalidSpec(f"{failed} path: {path}: {_MISSING}")
    place, key = found
    try:
        _get(place, key)
    except InvalidSpec:
        raise InvalidSpec(f"{failed} key: {path}: {_MISSING}") from None
    place[_index(key) if isinstance(place, list) else key] = value


def _move(root: list[Any], source: str, path: str) -> None:
    if not source:
        raise InvalidSpec("unable to move entire document to another path: invalid state detected")
    failed = "move operation does not apply: doc is missing"
    if (found := _find(root[0], source)) is None:
        raise InvalidSpec(f"{failed} from path: {source}: {_MISSING}")
    try:
        value = _get(*found)
        _take(*found)
    except InvalidSpec as error:
        raise InvalidSpec(f"error in move for path: '{found[1]}': {error}") from error
    if (target := _find(root[0], path)) is None:
        raise InvalidSpec(f"{failed} destination path: {path}: {_MISSING}")
    try:
        _put(*target, value)
    except InvalidSpec as error:
        raise InvalidSpec(f"error in move for path: '{path}': {error}") from error


def _copy(root: list[Any], source: str, path: str, most: int) -> int:
    """Copy a value and return its size; each copy may double the document, so that sizes add up."""
    failed = "copy operation does not apply: doc is missing"
    if (found := _find(root[0], source)) is None:
        raise InvalidSpec(f'{failed} from path: "{source}": {_MISSING}')
    try:
        original = _get(*found)
    except InvalidSpec as error:
        raise InvalidSpec(f"error in copy for from: '{source}': {error}") from error
    if (size := len(json.dumps(original))) > most:
        raise InvalidSpec(f"the patch copies more than {LARGEST_COPIES} bytes")
    value = copy.deepcopy(original)
    if (target := _find(root[0], path)) is None:
        raise InvalidSpec(f"{failed} destination path: {path}: {_MISSING}")
    try:
        _put(*target, value)
    except InvalidSpec as error:
        raise InvalidSpec(f"error while adding value during copy: {error}") from error
    return size


def _test(root: list[Any], path: str, value: Any) -> None:
    if not path:
        actual = root[0]
    elif (found := _find(root[0], path)) is None:
        why = f"test operation does not apply: is missing path: {path}: {_MISSING}"
        raise InvalidSpec(why)
    elif isinstance(found[0], dict):
        actual = found[0].get(found[1])
    else:
        try:
            actual = _get(*found)
        except InvalidSpec as error:
            raise InvalidSpec(f"error in test for path: '{path}': {error}") from error
    if actual != value:
        raise InvalidSpec(f"testing value {path} failed: {_TEST_FAILED}")


def _decoded(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def _find(document: Any, path: str) -> tuple[Any, str] | None:
    """The map or list that holds the last part of a path, and that part."""
    _, slash, rest = path.partition("/")
    if not slash:
        return None
    *above, last = rest.split("/")
    place = document
    for part in above:
        try:
            place = _get(place, _decoded(part))
        except InvalidSpec:
            return None
    return (place, _decoded(last)) if isinstance(place, dict | list) else None


def _index(key: str) -> int:
    if not _INTEGER.fullmatch(key):
        raise InvalidSpec(f'strconv.Atoi: parsing "{key}": invalid syntax')
    if len(key) > _LONGEST_NUMBER:
        raise InvalidSpec(f'strconv.Atoi: parsing "{key[:40]}": value out of range')
    return int(key)


def _in_range(index: int, size: int) -> int:
    """An index into something of that size; those below zero count from its end."""
    if not -size <= index < size:
        raise InvalidSpec(f"Unable to access invalid index: {index}: {_BAD_INDEX}")
    return index + size if index < 0 else index


def _get(place: Any, key: str) -> Any:
    if isinstance(place, list):
        return place[_in_range(_index(key), len(place))]
    if not isinstance(place, dict) or key not in place:
        raise InvalidSpec(f"unable to get nonexistent key: {key}: {_MISSING}")
    return place[key]


def _put(place: Any, key: str, value: Any) -> None:
    if isinstance(place, dict):
        place[key] = value
    elif key == "-":
        place.append(value)
    else:
        try:
            index = _index(key)
        except InvalidSpec as error:
            why = f"value was not a proper array index: '{key}': {error}"
            raise InvalidSpec(why) from error
        place.insert(_in_range(index, len(place) + 1), value)


def _take(place: Any, key: str) -> None:
    if isinstance(place, list):
        del place[_in_range(_index(key), len(place))]
    elif key not in place:
        raise InvalidSpec(f"unable to remove nonexistent key: {key}: {_MISSING}")
    else:
        del place[key]


def _make(document: Any, path: str) -> None:
    """Make what a path leads through, lists where a number or `-` follows."""
    *above, last = path.split("/")[1:] or [""]
    place = document
    for part, after in zip(above, [*above[1:], last], strict=True):
        try:
            found = _get(place, _decoded(part))
        except InvalidSpec:
            found = None
        if found is None:
            found = _new(after)
            if isinstance(place, list) and _INTEGER.fullmatch(part):
                place.extend([None] * (_index(part) - len(place)))
            _set(place, part, found)
        place = found


def _new(after: str) -> Any:
    if not _INTEGER.fullmatch(after):
        return [] if after == "-" else {}
    if (index := _index(after)) < -1:
        why = f"Unable to ensure path for negative index other than -1: {index}: {_BAD_INDEX}"
        raise InvalidSpec(why)
    return [None] * max(index, 0)


def _set(place: Any, part: str, value: Any) -> None:
    """Put a new part of a path; a part without a place is lost, as in the original."""
    try:
        if isinstance(place, dict | list):
            _put(place, part, value)
    except InvalidSpec:
        return
