"""The inside of an OpenShift cluster is what its golden files say."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.golden import scenarios
from tests.unit.operators.guest_config.openshift.guests import OIDC, a_guest

from hypershift.cli.output import documents
from hypershift.operators.guest_config.openshift.rules import catalog

FOLDER = Path(__file__).parent / "guest" / "openshift"
CASES: dict[str, dict[str, Any]] = {
    "local": {},
    "oidc": OIDC,
    "catalogs-beside": {"olmCatalogPlacement": "management"},
    "without-capabilities": {
        "capabilities": {"disabled": ["Ingress", "Console", "ImageRegistry", "NodeTuning"]}
    },
    "aws": {
        "platform": {
            "type": "AWS",
            "aws": {"region": "eu-west-1", "resourceTags": [{"key": "team", "value": "blue"}]},
        },
        "configuration": {"proxy": {"httpsProxy": "http://proxy:3128", "noProxy": "example.org"}},
        "imageContentSources": [{"source": "quay.io/a", "mirrors": ["mirror.example.com/a"]}],
    },
    **{
        name: {"platform": {"type": scenarios.TYPES.get(name, "Azure"), name: section}}
        for name, section in scenarios.platforms().items()
        if "-" not in name
    },
}


@pytest.mark.parametrize("name", CASES)
def test_the_inside_equals_the_golden_file(
    name: str,
    rewrite: bool,  # noqa: FBT001 - a fixture
) -> None:
    guest = a_guest(**CASES[name])
    text = documents([*catalog.manifests(guest), *catalog.at_first(guest)])
    path = FOLDER / f"{name}.yaml"
    if rewrite:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert list(yaml.safe_load_all(path.read_text())) == list(yaml.safe_load_all(text))


def test_no_golden_file_of_the_inside_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(CASES)
