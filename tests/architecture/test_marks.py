"""A test that bears no mark of its folder is run by no target of the Makefile."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("mark", ["integration", "soak"])
def test_each_module_of_a_folder_bears_its_mark(mark: str) -> None:
    modules = list((TESTS / mark).rglob("test_*.py"))
    assert modules
    without = [each for each in modules if f"pytest.mark.{mark}" not in each.read_text()]
    assert without == []
