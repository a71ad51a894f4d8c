"""The reference pages are current and lead somewhere."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from hypershift.api import annotations, finalizers, labels
from hypershift.api.docs import pages

ROOT = Path(__file__).parents[4] / "docs" / "reference" / "api"
LINK = re.compile(r"\[\w+\]\(([\w.]*)#?(\w*)\)")


def test_the_pages_in_the_repository_are_those_that_the_declarations_give() -> None:
    found = {path.name: path.read_text() for path in ROOT.glob("*.md")}
    assert found == pages(), "run `hypershift api docs --output docs/reference/api`"


@pytest.mark.parametrize("name", sorted(pages()))
def test_every_link_has_a_target(name: str) -> None:
    made = pages()
    for page, anchor in LINK.findall(made[name]):
        target = made[page or name]
        assert not anchor or f"## {anchor}" in target.lower(), f"{name}: {page}#{anchor}"


@pytest.mark.parametrize(
    ("name", "modules"),
    [("annotations.md", (annotations, finalizers)), ("labels.md", (labels,))],
)
def test_every_word_has_a_row_of_its_own(name: str, modules: tuple[ModuleType, ...]) -> None:
    declared = {
        value
        for module in modules
        for word, value in vars(module).items()
        if word.isupper() and isinstance(value, str) and word != "PREFIX"
    }
    assert set(re.findall(r"^\| `(.+?)` \|", pages()[name], re.MULTILINE)) == declared


def test_every_annotation_has_a_meaning() -> None:
    for name in ("annotations.md", "labels.md"):
        assert "| |" not in pages()[name].replace("| Word | Meaning |", "")
        assert re.search(r"`[^`]+` \|  \|", pages()[name]) is None
