"""Manifests beside the code are given out as copies."""

from hypershift.kit.assets import asset

PACKAGE, NAME = "hypershift.addons", "coredns"


def test_who_changes_an_asset_changes_nobody_elses() -> None:
    mine, kinds = asset(PACKAGE, NAME), [each["kind"] for each in asset(PACKAGE, NAME)]
    for each in mine:
        each["kind"] = "Mine"
        each["metadata"].clear()
    assert [each["kind"] for each in asset(PACKAGE, NAME)] == kinds
    assert all(each["metadata"]["name"] for each in asset(PACKAGE, NAME))


def test_empty_documents_are_passed_over() -> None:
    assert None not in asset(PACKAGE, NAME)
