"""The table of faults names tests that are there, and reasons and conditions that are ours."""

import ast
import re
from pathlib import Path

from hypershift.api import conditions
from hypershift.api.conditions import ConditionReason, ConditionType

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/day-2-faults.md").read_text()
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
WORD = re.compile(r"`([A-Z][A-Za-z]{5,})`")


def test_each_test_is_there() -> None:
    named = TEST.findall(PAGE)
    assert len(named) > 40
    for path, name in named:
        tree = ast.parse((ROOT / path).read_text())
        found = {
            each.name
            for each in ast.walk(tree)
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        assert name in found, f"{path} has no {name}"


def test_each_condition_and_reason_is_one_of_ours() -> None:
    enums = [
        value
        for value in vars(conditions).values()
        if isinstance(value, type) and issubclass(value, ConditionType | ConditionReason)
    ]
    known = {str(word) for enum in enums for word in enum}
    named = set(WORD.findall(PAGE))
    assert len(named) > 10
    assert named <= known, named - known
