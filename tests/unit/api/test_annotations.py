"""Annotations, labels and finalizers."""

from types import ModuleType

import pytest

from hypershift.api import annotations, finalizers, labels


def words(module: ModuleType) -> list[str]:
    return [
        value
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str) and not name.endswith("PREFIX")
    ]


@pytest.mark.parametrize("module", [annotations, labels, finalizers])
def test_every_word_is_a_qualified_name_and_declared_once(module: ModuleType) -> None:
    found = words(module)
    assert len(found) == len(set(found))
    assert all(word.count("/") == 1 and len(word.rpartition("/")[2]) <= 63 for word in found)


def test_the_control_plane_gets_the_annotations_that_concern_it() -> None:
    given = {
        annotations.TOPOLOGY: "dedicated-request-serving-components",
        annotations.RESTART_DATE: "today",
        f"{annotations.IDP_OVERRIDES_PREFIX}okta": "{}",
        f"{annotations.RESOURCE_REQUEST_OVERRIDE_PREFIX}etcd.etcd": "cpu=1",
        "example.com/mine": "x",
    }
    assert set(annotations.mirrored(given)) == {
        annotations.TOPOLOGY,
        f"{annotations.IDP_OVERRIDES_PREFIX}okta",
        f"{annotations.RESOURCE_REQUEST_OVERRIDE_PREFIX}etcd.etcd",
    }
