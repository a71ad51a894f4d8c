"""JSON patches, with the liberties and the words of the original's library."""

import json
import re
from typing import Any

import pytest

from hypershift.kit import InvalidSpec
from hypershift.platforms.kubevirt import json_patch


def patched(document: Any, **operation: Any) -> Any:
    if "source" in operation:
        operation["from"] = operation.pop("source")
    return json_patch.applied(document, json_patch.read(json.dumps([operation])))


@pytest.mark.parametrize(
    ("document", "operation", "result"),
    [
        ({}, {"op": "add", "path": "/a/b/c", "value": 1}, {"a": {"b": {"c": 1}}}),
        ({}, {"op": "add", "path": "/a/-", "value": 1}, {"a": [1]}),
        ({}, {"op": "add", "path": "/a/2/b", "value": 1}, {"a": [None, None, {"b": 1}]}),
        ({"a": [1, 3]}, {"op": "add", "path": "/a/1", "value": 2}, {"a": [1, 2, 3]}),
        ({"a": [1, 2]}, {"op": "add", "path": "/a/-1", "value": 3}, {"a": [1, 2, 3]}),
        ({"a": [1, 2]}, {"op": "remove", "path": "/a/-1"}, {"a": [1]}),
        ({"a/b": 1}, {"op": "replace", "path": "/a~1b", "value": 2}, {"a/b": 2}),
        ({"a": [1, 2]}, {"op": "replace", "path": "/a/-2", "value": 0}, {"a": [0, 2]}),
        ({"a": 1}, {"op": "move", "source": "/a", "path": "/b"}, {"b": 1}),
        ({"a": [1]}, {"op": "copy", "source": "/a", "path": "/b"}, {"a": [1], "b": [1]}),
        ({"a": 1}, {"op": "test", "path": "/a", "value": 1}, {"a": 1}),
        ({"a": 1}, {"op": "test", "path": "/b", "value": None}, {"a": 1}),
        ({"a": 1}, {"op": "replace", "path": "", "value": {"b": 2}}, {"b": 2}),
        ({"a": 1}, {"op": "add", "path": "", "value": {"b": 2}}, {"b": 2}),
    ],
)
def test_a_patch_changes_the_document(document: Any, operation: Any, result: Any) -> None:
    assert patched(document, **operation) == result


INDEX = "Unable to access invalid index: 9: invalid index referenced"


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (
            {"op": "add", "path": "/s/x", "value": 1},
            'add operation does not apply: doc is missing path: "/s/x": missing value',
        ),
        ({"op": "add", "path": "/l/9", "value": 1}, f"error in add for path: '/l/9': {INDEX}"),
        (
            {"op": "add", "path": "/l/x", "value": 1},
            (
                "error in add for path: '/l/x': value was not a proper array index: 'x': "
                'strconv.Atoi: parsing "x": invalid syntax'
            ),
        ),
        (
            {"op": "add", "path": "/n/-2", "value": 1},
            "Unable to access invalid index: -2: invalid index referenced",
        ),
        (
            {"op": "add", "path": "/new/-2", "value": 1},
            (
                "Unable to ensure path for negative index other than -1: -2: "
                "invalid index referenced"
            ),
        ),
        (
            {"op": "remove", "path": "/x"},
            "error in remove for path: '/x': unable to remove nonexistent key: x: missing value",
        ),
        ({"op": "remove", "path": "/l/9"}, f"error in remove for path: '/l/9': {INDEX}"),
        (
            {"op": "remove", "path": "/x/y"},
            'remove operation does not apply: doc is missing path: "/x/y": missing value',
        ),
        (
            {"op": "replace", "path": "/x/y", "value": 1},
            "replace operation does not apply: doc is missing path: /x/y: missing value",
        ),
        (
            {"op": "replace", "path": "/l/9", "value": 1},
            "replace operation does not apply: doc is missing key: /l/9: missing value",
        ),
        (
            {"op": "move", "source": "/x", "path": "/y"},
            "error in move for path: 'x': unable to get nonexistent key: x: missing value",
        ),
        (
            {"op": "move", "source": "/s", "path": "/x/y"},
            "move operation does not apply: doc is missing destination path: /x/y: missing value",
        ),
        (
            {"op": "move", "source": "/s", "path": "/l/9"},
            f"error in move for path: '/l/9': {INDEX}",
        ),
        (
            {"op": "move", "source": "/x/y", "path": "/y"},
            "move operation does not apply: doc is missing from path: /x/y: missing value",
        ),
        (
            {"op": "move", "source": "", "path": "/y"},
            "unable to move entire document to another path: invalid state detected",
        ),
        (
            {"op": "copy", "source": "/x/y", "path": "/y"},
            'copy operation does not apply: doc is missing from path: "/x/y": missing value',
        ),
        (
            {"op": "copy", "source": "/x", "path": "/y"},
            "error in copy for from: '/x': unable to get nonexistent key: x: missing value",
        ),
        (
            {"op": "copy", "source": "/s", "path": "/x/y"},
            "copy operation does not apply: doc is missing destination path: /x/y: missing value",
        ),
        (
            {"op": "copy", "source": "/s", "path": "/l/9"},
            f"error while adding value during copy: {INDEX}",
        ),
        (
            {"op": "test", "path": "/x/y", "value": 1},
            "test operation does not apply: is missing path: /x/y: missing value",
        ),
        ({"op": "test", "path": "/l/9", "value": 1}, f"error in test for path: '/l/9': {INDEX}"),
        ({"op": "test", "path": "/s", "value": 1}, "testing value /s failed: test failed"),
        ({"op": "test", "path": "", "value": 1}, "testing value  failed: test failed"),
        ({"op": "remove", "path": "s"}, 'doc is missing path: "s": missing value'),
    ],
)
def test_a_patch_that_does_not_fit_says_why(operation: Any, why: str) -> None:
    with pytest.raises(InvalidSpec, match=re.escape(why)):
        patched({"s": "text", "l": [1], "n": []}, **operation)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[", "invalid state detected"),
        ("{}", "cannot unmarshal"),
        ('[{"op":"bend","path":"/a"}]', 'invalid operation {"op":"bend","path":"/a"}: unsupported'),
        (
            '[{"op":"remove"}]',
            "failed to decode 'path': operation missing path field: missing value",
        ),
        ('[{"op":"add","path":"/a"}]', "failed to decode 'value'"),
        ('[{"op":"move","path":"/a"}]', "failed to decode 'from'"),
    ],
)
def test_what_is_no_patch_is_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidSpec, match=re.escape(why)):
        json_patch.read(text)
