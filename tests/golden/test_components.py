"""Each component in each of our clusters renders what its golden file says."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.golden import scenarios

from hypershift.cli.output import documents
from hypershift.component import Component, View, render, runs
from hypershift.controlplane import UNDEPLOYED, catalog
from hypershift.release import Product

HERE = Path(__file__).parent


def cases() -> Iterator[tuple[Component, str, View]]:
    for components, views in (
        (catalog(Product.KUBERNETES), scenarios.kubernetes()),
        ((*catalog(Product.OPENSHIFT), *UNDEPLOYED), scenarios.openshift()),
    ):
        for component in components:
            for name, view in views.items():
                if runs(component, view):
                    yield component, name, view


@pytest.mark.parametrize(
    ("component", "scenario", "view"),
    [pytest.param(*case, id=f"{case[0].name}-{case[1]}") for case in cases()],
)
def test_rendering_equals_the_golden_file(
    component: Component,
    scenario: str,
    view: View,
    rewrite: bool,  # noqa: FBT001 - a fixture
) -> None:
    path = HERE / component.name / f"{scenario}.yaml"
    text = documents(render(component, view))
    if rewrite:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert list(yaml.safe_load_all(path.read_text())) == list(yaml.safe_load_all(text))


def test_no_golden_file_is_left_over() -> None:
    wanted = {f"{component.name}/{scenario}.yaml" for component, scenario, _ in cases()}
    found = {str(path.relative_to(HERE)) for path in HERE.glob("*/*.yaml")}
    assert found == wanted
