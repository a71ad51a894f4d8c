"""Asset files are valid as they stand, and each is declared by a component."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from hypershift import controlplane
from hypershift.component import Component
from hypershift.controlplane import CATALOG, UNDEPLOYED, olm_catalogs
from hypershift.release import Product

ROOT = Path(controlplane.__file__).parent
FILES = sorted(ROOT.glob("*/assets/**/*.yaml"))


def components() -> Iterator[Component]:
    for found in CATALOG.values():
        yield from found
    yield from UNDEPLOYED


def test_what_nothing_deploys_is_in_no_catalogue() -> None:
    deployed = {component.name for found in CATALOG.values() for component in found}
    assert not deployed & {component.name for component in UNDEPLOYED}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_asset_is_one_object_without_template_markers(path: Path) -> None:
    text = path.read_text()
    (manifest,) = yaml.safe_load_all(text)
    assert {"apiVersion", "kind", "metadata"} <= manifest.keys()
    assert manifest["metadata"]["name"]
    assert "{{" not in text


def test_declared_files_and_files_on_disk_are_the_same() -> None:
    declared = {found.assets / name for found in components() for name in found.asset_files()}
    assert declared == set(FILES)


def test_a_folder_is_named_after_its_component() -> None:
    # The three catalogs are one component under three names.
    own = [c for c in components() if c.assets.parent.name != "olm_catalogs"]
    assert all(c.assets.parent.name == c.name.replace("-", "_") for c in own)
    assert len(list(components())) - len(own) == len(olm_catalogs.OPENSHIFT)


@pytest.mark.parametrize("product", list(CATALOG))
def test_dependencies_come_first_in_the_catalogue(product: Product) -> None:
    seen: set[str] = set()
    names = {component.name for component in CATALOG[product]}
    for component in CATALOG[product]:
        assert set(component.depends_on) & names <= seen
        seen.add(component.name)
