"""Documents for machines: accepted, refused and re-encoded."""

import pytest

from hypershift.ignition import machine_config
from hypershift.kit import InvalidSpec

KUBELET = """\
apiVersion: machineconfiguration.openshift.io/v1
kind: KubeletConfig
metadata: {name: k}
spec: {kubeletConfig: {maxPods: 500}}
"""


def test_a_kubelet_config_selects_the_pool_of_every_machine() -> None:
    document = machine_config.read(KUBELET)
    selector = {"matchLabels": {machine_config.BUILT_IN_POOL_LABEL: ""}}
    assert document.content["spec"]["machineConfigPoolSelector"] == selector
    assert "maxPods: 500" in document.text


def test_a_machine_config_always_has_the_worker_role() -> None:
    text = KUBELET.replace("KubeletConfig", "MachineConfig")
    document = machine_config.read(text)
    assert document.content["metadata"]["labels"] == {machine_config.ROLE_LABEL: "worker"}


def test_other_kinds_are_refused_by_name() -> None:
    with pytest.raises(InvalidSpec, match='no kind "Pod" is registered for version "v1"'):
        machine_config.read("apiVersion: v1\nkind: Pod\n")


def test_documents_are_split_at_separators_alone() -> None:
    text = "a: |\n  x\n--- # next\nb: 1\n---\n"
    assert list(machine_config.documents(text)) == ["a: |\n  x\n", "b: 1\n"]


def test_windows_line_ends_become_plain() -> None:
    assert list(machine_config.documents("a: 1\r\nb: 2")) == ["a: 1\nb: 2\n"]
