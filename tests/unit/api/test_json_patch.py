"""The patch on virtual machines."""

import pytest

from hypershift.api.annotations import KUBEVIRT_VM_JSON_PATCH
from hypershift.api.json_patch import check_kubevirt_patch, patch_problems
from hypershift.kit import InvalidSpec


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '[{"op": "add", "path": "/spec", "value": null}]',
        '[{"op": "remove", "path": "/spec/x"}]',
        '[{"op": "move", "from": "/a", "path": "/b"}, {"op": "test", "path": "", "value": 1}]',
    ],
)
def test_a_patch_that_can_be_applied_has_no_problem(text: str) -> None:
    assert list(patch_problems(text)) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not JSON"),
        ("{}", "not a list of operations"),
        ("[1]", "operation 0: not an object"),
        ('[{"op": "jump", "path": "/a"}]', "op must be one of add, copy"),
        ('[{"op": "remove"}]', "path must be a JSON pointer"),
        ('[{"op": "remove", "path": "a"}]', "path must be a JSON pointer"),
        ('[{"op": "add", "path": "/a"}]', "add needs a value"),
        ('[{"op": "copy", "path": "/a"}]', "copy needs from"),
    ],
)
def test_a_patch_that_cannot_be_applied_is_told_why(text: str, problem: str) -> None:
    assert any(problem in each for each in patch_problems(text))


def test_only_virtual_machines_are_patched() -> None:
    annotations = {KUBEVIRT_VM_JSON_PATCH: "nonsense"}
    pool = {"metadata": {"annotations": annotations}, "spec": {"platform": {"type": "AWS"}}}
    check_kubevirt_patch(pool)
    with pytest.raises(InvalidSpec, match="not JSON"):
        check_kubevirt_patch(pool | {"spec": {"platform": {"type": "KubeVirt"}}})
