"""The reference pages are current and lead somewhere."""

import re
from pathlib import Path

import pytest

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


def test_every_annotation_has_a_meaning() -> None:
    for name in ("annotations.md", "labels.md"):
        assert "| |" not in pages()[name].replace("| Word | Meaning |", "")
        assert re.search(r"`[^`]+` \|  \|", pages()[name]) is None
