"""Which definitions came with an installation, and which are somebody else's."""

from typing import Any

import pytest

from hypershift.cli.install.installed import Installed
from hypershift.cli.install.operator import CLI_VERSION
from hypershift.cli.uninstall.traces import definitions
from hypershift.kit import Manifest

MARKED = {"annotations": {CLI_VERSION: "1"}}
THEIRS: Manifest = {"metadata": {"name": "capi-controller-manager", "namespace": "theirs"}}


def wrote(manager: str) -> dict[str, Any]:
    return {"managedFields": [{"manager": manager}]}


def is_ours(group: str, metadata: dict[str, Any], manager: Manifest | None = None) -> bool:
    name = f"things.{group}"
    found = {"metadata": {"name": name, **metadata}, "spec": {"group": group, "versions": []}}
    return bool(definitions(Installed(definitions={name: found}, manager=manager), "hypershift"))


@pytest.mark.parametrize(
    ("group", "metadata", "ours"),
    [
        ("hypershift.openshift.io", wrote("kubectl"), True),
        ("certificates.hypershift.openshift.io", {}, True),
        ("infrastructure.local.hypershift.io", wrote("kubectl"), True),
        ("infrastructure.local.hypershift.io", wrote("hypershift-local"), False),
        ("cluster.x-k8s.io", wrote("hypershift"), True),
        ("cluster.x-k8s.io", {**MARKED, **wrote("kubectl")}, True),
        ("cluster.x-k8s.io", wrote("clusterctl"), False),
        ("example.com", wrote("hypershift"), False),
    ],
)
def test_definitions_are_known_by_who_wrote_them(
    group: str, metadata: dict[str, Any], *, ours: bool
) -> None:
    assert is_ours(group, metadata) is ours


def test_definitions_that_somebody_elses_manager_needs_are_left() -> None:
    assert not is_ours("cluster.x-k8s.io", MARKED, THEIRS)
    assert is_ours("cluster.x-k8s.io", MARKED, {"metadata": {**THEIRS["metadata"], **MARKED}})
