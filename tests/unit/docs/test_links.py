"""Documents lead only to files that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "SECURITY.md",
        *(ROOT / "docs").rglob("*.md"),
    ]
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
ELSEWHERE = re.compile(r"[a-z]+:")


def targets(text: str) -> list[str]:
    """The relative links of a page, without their fragments."""
    found = (match.partition("#")[0] for match in LINK.findall(CODE.sub("", text)))
    return [target for target in found if target and not ELSEWHERE.match(target)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    absent = [one for one in targets(page.read_text()) if not (page.parent / one).exists()]
    assert not absent, f"{page.relative_to(ROOT)} links to what is not there: {absent}"


def test_every_page_can_be_found_from_the_index() -> None:
    """A page that no other links to is a page that nobody reads."""
    linked = {
        (page.parent / target).resolve() for page in PAGES for target in targets(page.read_text())
    }
    folders = {path for path in linked if path.is_dir()}
    lost = [
        str(page.relative_to(ROOT))
        for page in PAGES
        if page.is_relative_to(ROOT / "docs")
        and page not in linked
        and page.parent not in folders
        and page != ROOT / "docs" / "README.md"
    ]
    assert not lost


def test_links_are_told_apart_from_addresses_and_code() -> None:
    text = "[a](b.md#part) [c](https://d) [e](#f) `[i](j)`\n```\n[g](h)\n```\n"
    assert targets(text) == ["b.md"]
