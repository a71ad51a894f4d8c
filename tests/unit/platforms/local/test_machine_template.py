"""The template of a local machine."""

from typing import Any

from tests.lib.pools import MACHINES, pool_facts

from hypershift.kit import Manifest

LOCAL = MACHINES["Local"]
IMAGE = "registry.example/machine-os@sha256:1"


def machine(**local: Any) -> Manifest:
    template = LOCAL.template(pool_facts("Local", local or None, images={"machine-os": IMAGE}))
    found: Manifest = template.spec["template"]["spec"]
    return found


def test_a_machine_boots_the_image_of_its_release_unless_the_pool_names_one() -> None:
    assert machine(cpu=2, memory="1Gi") == {"cpu": 2, "memory": "1Gi", "image": IMAGE}
    assert machine(image="other")["image"] == "other"


def test_a_pool_without_a_local_section_gets_the_defaults_of_the_machine() -> None:
    assert list(machine()) == ["image"]
