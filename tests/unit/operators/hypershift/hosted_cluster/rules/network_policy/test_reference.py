"""Our policies are the original's, but for what we do on purpose."""

import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

REFERENCE = os.environ.get("HYPERSHIFT_REFERENCE", "")
#: Ours on every platform but AWS, where the original has `management-kas`.
OURS_ALONE = {"management-egress"}
#: The original writes ranges there that an API server refuses.
DONE_BETTER = {"aws-dual-stack-management"}

pytestmark = [
    pytest.mark.reference,
    pytest.mark.skipif(not REFERENCE, reason="HYPERSHIFT_REFERENCE names no directory"),
]


def helper() -> ModuleType:
    path = Path(__file__).with_name("reference.py")
    spec = importlib.util.spec_from_file_location("network_policy_reference", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES: dict[str, dict[str, Any]] = helper().cases(Path(REFERENCE)) if REFERENCE else {}


def by_name(documents: list[Any]) -> dict[str, Any]:
    named = {str((d.get("metadata") or {}).get("name") or sorted(d)): d for d in documents if d}
    return {name: named[name] for name in named if name not in OURS_ALONE}


def unordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: unordered(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return sorted((unordered(item) for item in value), key=repr)
    return value


@pytest.mark.parametrize("name", [name for name in CASES if name not in DONE_BETTER])
def test_the_policies_of_a_control_plane_are_the_originals(name: str) -> None:
    path = Path(REFERENCE, "networkpolicies", f"{name}.yaml")
    theirs = by_name(list(yaml.safe_load_all(path.read_text())))
    assert unordered(by_name(helper().ours(CASES[name]))) == unordered(theirs)
