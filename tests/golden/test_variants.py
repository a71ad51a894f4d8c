"""What one setting changes in a control plane is what its golden file says.

A file has the differences from a plain cluster, component by component, so that a reader sees what
a setting does, and nothing else.
"""

from collections.abc import Iterator
from difflib import unified_diff
from functools import cache
from pathlib import Path

import pytest
from tests.golden import variants

from hypershift.cli.output import documents
from hypershift.component import View, render, runs
from hypershift.controlplane import UNDEPLOYED, catalog
from hypershift.release import Product

FOLDER = Path(__file__).parent / "variants"
VIEWS = variants.variants()


def rendered(view: View) -> dict[str, str]:
    """The objects of each component that runs."""
    components = (*catalog(Product.OPENSHIFT, view.spec), *UNDEPLOYED)
    return {each.name: documents(render(each, view)) for each in components if runs(each, view)}


@cache
def plain() -> dict[str, str]:
    return rendered(variants.base())


def differences(view: View) -> Iterator[str]:
    """Yield the lines of what differs, with three lines around each difference."""
    before, after = plain(), rendered(view)
    for name in sorted({*before, *after}):
        pair = (before.get(name, "").splitlines(), after.get(name, "").splitlines())
        yield from unified_diff(*pair, "plain", name, lineterm="")


@pytest.mark.parametrize("name", VIEWS)
def test_a_setting_changes_what_the_golden_file_says(
    name: str,
    rewrite: bool,  # noqa: FBT001 - a fixture
) -> None:
    path = FOLDER / f"{name}.diff"
    text = "\n".join([*differences(VIEWS[name]), ""])
    if rewrite:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.read_text() == text


def test_a_setting_changes_something_or_is_known_to_change_nothing() -> None:
    empty = {name for name in VIEWS if not (FOLDER / f"{name}.diff").read_text().strip()}
    assert empty == set()


def test_no_golden_file_of_a_variant_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(VIEWS)
