"""Hard concurrent code says which tests hold its invariants, and those tests exist."""

import ast
import re
from pathlib import Path

import pytest

import hypershift

SOURCE = Path(hypershift.__file__).parent
ROOT = SOURCE.parents[1]
#: Modules in which several tasks or processes meet.
CONCURRENT = (
    "kube/cache.py",
    "kube/reflector.py",
    "runtime/applied.py",
    "runtime/leader.py",
    "runtime/queue.py",
    "runtime/runner.py",
    "runtime/sharding/owned_buckets.py",
    "runtime/sharding/shards.py",
)
REFERENCE = re.compile(r"Held by (tests/[\w/]+\.py)::\s*(\w+)")


def holders(text: str) -> list[tuple[str, str]]:
    """The tests that a module names as holding its invariants: file and function."""
    return [(match[1], match[2]) for match in REFERENCE.finditer(text)]


def is_missing(file: str, name: str) -> bool:
    """Whether the named test does not exist."""
    path = ROOT / file
    if not path.exists():
        return True
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.walk(ast.parse(path.read_text()))
    return name not in {node.name for node in tree if isinstance(node, kinds)}


@pytest.mark.parametrize("module", CONCURRENT)
def test_concurrent_code_states_its_invariant_and_the_test_that_holds_it(module: str) -> None:
    text = (SOURCE / module).read_text()
    assert "Invariant: " in text
    assert holders(text)


def test_each_test_that_holds_an_invariant_exists() -> None:
    named = [each for path in SOURCE.rglob("*.py") for each in holders(path.read_text())]
    assert [each for each in named if is_missing(*each)] == []


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("tests/unit/kube/test_moon.py", "test_it_shines"),
        ("tests/unit/kube/test_cache.py", "test_it_shines"),
    ],
)
def test_a_test_that_does_not_exist_is_found(file: str, name: str) -> None:
    assert holders(f"Invariant: light.\nHeld by {file}::{name}") == [(file, name)]
    assert is_missing(file, name)
