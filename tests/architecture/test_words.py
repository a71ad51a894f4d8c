"""Annotations, labels and finalizers are spelled in the API alone; others take its constants."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from hypershift.api import annotations, finalizers, labels

SOURCE = Path(annotations.__file__).parents[1]
WORDS = {
    value
    for module in (annotations, finalizers, labels)
    for name, value in vars(module).items()
    if name.isupper() and isinstance(value, str) and name != "PREFIX"
}


def spelled(tree: ast.AST) -> Iterator[str]:
    """The strings of a module, those too that begin with a constant for our prefix."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.JoinedStr(
                values=[
                    ast.FormattedValue(value=ast.Name(id=name) | ast.Attribute(attr=name)),
                    ast.Constant(value=str(text)),
                ]
            ) if name.endswith("PREFIX"):
                yield f"{annotations.PREFIX}{text.lstrip('/')}"


def spellings(folder: Path) -> list[str]:
    return [
        f"{path.relative_to(SOURCE)}: {word}"
        for path in sorted(folder.rglob("*.py"))
        for word in sorted(WORDS & set(spelled(ast.parse(path.read_text()))))
    ]


def test_a_word_is_taken_from_the_api() -> None:
    found = (each for each in spellings(SOURCE) if not each.startswith(("api/", "testing/")))
    assert list(found) == []


@pytest.mark.parametrize(
    "offence",
    ['RESTART = "hypershift.openshift.io/restart-date"', 'RESTART = f"{PREFIX}restart-date"'],
)
def test_a_word_that_is_spelled_is_found(offence: str) -> None:
    assert set(spelled(ast.parse(offence))) & WORDS == {annotations.RESTART_DATE}
