import pytest

from hypershift.cli.command import understand
from hypershift.cli.main import HYPERSHIFT
from hypershift.cli.nodepool import kubevirt
from hypershift.cli.typed import options
from hypershift.kit import UsageError


def test_sizes_are_printed_as_kubernetes_prints_them() -> None:
    words = ["create", "nodepool", "kubevirt", "--memory=8192Mi", "--root-volume-size=1024"]
    values = understand(HYPERSHIFT, words).values
    made = kubevirt.section(options(kubevirt.KubeVirtMachine, values), {})
    assert made["compute"]["memory"] == "8Gi"
    assert made["rootVolume"]["persistent"]["size"] == "1Ti"


def test_memory_is_a_quantity() -> None:
    values = understand(HYPERSHIFT, ["create", "nodepool", "kubevirt", "--memory=8K"]).values
    with pytest.raises(UsageError) as error:
        kubevirt.check(options(kubevirt.KubeVirtMachine, values))
    assert str(error.value) == 'invalid memory quantity "8K": unable to parse quantity\'s suffix'
