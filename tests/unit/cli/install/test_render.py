import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift.cli.install.installed import made_by_us
from hypershift.cli.main import HYPERSHIFT, execute

COMMAND = ["install", "render", "--outputs=resources"]


def render(capsys: pytest.CaptureFixture[str], *words: str) -> dict[tuple[str, str], Any]:
    code = execute(HYPERSHIFT, [*COMMAND, *words])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return {
        (each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(captured.out)
    }


def container(objects: dict[tuple[str, str], Any]) -> dict[str, Any]:
    pod = objects["Deployment", "operator"]["spec"]["template"]["spec"]
    found: dict[str, Any] = pod["containers"][0]
    return found


def test_everything_moves_to_the_namespace_that_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    objects = render(capsys, "--namespace=elsewhere")
    assert ("Namespace", "elsewhere") in objects
    spaces = {each["metadata"].get("namespace") for each in objects.values()}
    assert spaces == {None, "elsewhere", "kube-system"}
    binding = objects["ClusterRoleBinding", "hypershift-operator"]
    assert binding["subjects"][0]["namespace"] == "elsewhere"


@pytest.mark.parametrize(
    ("words", "replicas"),
    [
        ((), 2),
        (("--development",), 0),
        (("--enable-conversion-webhook=false", "--disable-capi-conversion-webhook"), 1),
    ],
)
def test_webhooks_need_a_second_operator(
    words: tuple[str, ...], replicas: int, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = render(capsys, *words)["Deployment", "operator"]["spec"]
    assert spec["replicas"] == replicas


def test_secrets_are_printed_only_when_asked_for(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pull.json"
    file.write_text("{}")
    hidden = render(capsys, f"--pull-secret={file}")
    assert ("Secret", "pull-secret") not in hidden
    shown = render(capsys, f"--pull-secret={file}", "--render-sensitive")
    assert ("Secret", "pull-secret") in shown


def test_what_a_user_adds_never_replaces_the_operators_environment(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--additional-operator-env-vars=METRICS_SET=All,MINE=1",)
    environment = container(render(capsys, *words))["env"]
    values = {each["name"]: each.get("value") for each in environment}
    assert values["METRICS_SET"] == "Telemetry"
    assert values["MINE"] == "1"


def test_json_is_a_list_of_the_same_objects(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = render(capsys)
    assert execute(HYPERSHIFT, [*COMMAND, "--format=json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {(each["kind"], each["metadata"]["name"]) for each in found["items"]} == set(wanted)


def test_every_violated_rule_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(HYPERSHIFT, [*COMMAND, "--private-platform=AWS"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("[--aws-private-creds")
    assert "--aws-private-region is required" in said


def test_cluster_api_is_printed_when_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    manager = ("Deployment", "capi-controller-manager")
    assert manager not in render(capsys)
    found = render(capsys, "--cluster-api=install", "--render-sensitive")
    assert ("Secret", "capi-webhook-certificates") in found
    assert made_by_us(found[manager])


def test_a_manager_that_is_there_gets_rights_alone(capsys: pytest.CaptureFixture[str]) -> None:
    more = set(render(capsys, "--cluster-api=adopt")) - set(render(capsys))
    assert more == {("ClusterRole", "capi-hypershift-role")}


def test_a_chart_has_cluster_api_when_it_is_asked_for(tmp_path: Path) -> None:
    words = ["install", "helm", f"--output-dir={tmp_path / 'chart'}", "--cluster-api=install"]
    assert execute(HYPERSHIFT, words) == 0
    templates = tmp_path / "chart" / "templates"
    assert (templates / "deployment-capi-controller-manager.yaml").exists()
    secret = templates / "secret-capi-webhook-certificates.yaml"
    assert secret.stat().st_mode & 0o777 == 0o600


def test_only_monitoring_reaches_the_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    assert ("NetworkPolicy", "operator-metrics") not in render(capsys)
    objects = render(capsys, "--metrics-policy", "--shared", "--namespace=elsewhere")
    policy = objects["NetworkPolicy", "operator-metrics"]
    assert policy["metadata"]["namespace"] == "elsewhere"
    closed, open_ports = policy["spec"]["ingress"]
    named = {port["name"] for port in container(objects)["ports"]}
    ports = {port["port"] for port in open_ports["ports"]}
    assert ports == named - {"metrics"}
    assert {port["port"] for port in closed["ports"]} == {"metrics", 8080}
    assert "from" in closed
    assert "from" not in open_ports
