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
#: They spell words themselves until now; whoever ends that strikes them off.
SPELLING = ("cli", "component", "controlplane")


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
    apart = tuple(f"{folder}/" for folder in (*SPELLING, "api", "testing"))
    assert [found for found in spellings(SOURCE) if not found.startswith(apart)] == []


@pytest.mark.parametrize("folder", SPELLING)
def test_the_list_of_those_that_spell_words_is_current(folder: str) -> None:
    assert spellings(SOURCE / folder), f"{folder} takes its words from the API now"
