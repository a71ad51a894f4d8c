"""Karpenter's operator takes the command line of the Deployment that is rendered."""

from tests.unit.controlplane.test_undeployed import on_demand

from hypershift.cli.command import interpret
from hypershift.cli.roles.karpenter import COMMAND, PROGRAM
from hypershift.component import edit, render
from hypershift.controlplane import karpenter_operator


def test_every_flag_of_the_deployment_is_known() -> None:
    options = karpenter_operator.Options("image", "control-plane", "ignition.example.com")
    workload = render(karpenter_operator.component(options), on_demand())[-1]
    container = edit.pod_of(workload)["spec"]["containers"][0]
    assert container["command"] == [f"/usr/bin/{PROGRAM.name}"]
    values = interpret(PROGRAM, container["args"]).values
    assert values["ignition-endpoint"] == "ignition.example.com"
    assert values["hypershift-operator-image"] == "image"
    assert values["control-plane-operator-image"] == "control-plane"


def test_the_role_is_a_command_as_the_others() -> None:
    line = interpret(COMMAND, ["run", "--namespace=clusters-demo"])
    assert line.values["namespace"] == "clusters-demo"
    assert line.values["health-probe-addr"] == "0.0.0.0:8080"
