"""An error of a phase is an error for metrics and backoff, in every controller.

A phase that catches an error and ends with a `Wait` or a `Stop` hands the error on with it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hypershift

OPERATORS = Path(hypershift.__file__).parent / "operators"


def swallowed(tree: ast.AST) -> Iterator[str]:
    """The outcomes in handlers of errors that do not say so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    yield from _without_error(inner.value)


def _without_error(value: ast.expr) -> Iterator[str]:
    if not isinstance(value, ast.Call) or ast.unparse(value.func) not in {"Wait", "Stop"}:
        return
    named = {keyword.arg for keyword in value.keywords}
    if "error" not in named and len(value.args) < len(("reason", "message", "after", "error")):
        yield ast.unparse(value)


def test_no_phase_hides_an_error_behind_an_outcome() -> None:
    found = {
        f"{path.relative_to(OPERATORS)}: {text}"
        for path in sorted(OPERATORS.rglob("*.py"))
        for text in swallowed(ast.parse(path.read_text()))
    }
    assert found == EXPECTED


#: A template that the cloud cannot make yet is no error: what it lacks wakes the pool.
EXPECTED = {"hypershift/node_pool/templates.py: Stop('NotReady', str(error), after=NOT_READY)"}

TEMPLATE = "try:\n    await look()\nexcept ApiError as error:\n    return {}"


@pytest.mark.parametrize(
    "outcome", ["Wait('Unavailable', after=RETRY)", "Stop('Unavailable', str(error), after=RETRY)"]
)
def test_a_hidden_error_is_found(outcome: str) -> None:
    body = f"async def phase(scope):\n{_indented(TEMPLATE.format(outcome))}"
    assert list(swallowed(ast.parse(body)))


@pytest.mark.parametrize(
    "outcome",
    ["Wait('Unavailable', after=RETRY, error=error)", "Stop('Gone', str(error), RETRY, error)"],
)
def test_an_error_that_is_handed_on_is_fine(outcome: str) -> None:
    body = f"async def phase(scope):\n{_indented(TEMPLATE.format(outcome))}"
    assert list(swallowed(ast.parse(body))) == []


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
