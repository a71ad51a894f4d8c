import pytest
from tests.lib.command_line import install_options

from hypershift.cli.install.resources import resources
from hypershift.kit import Manifest

AZURE = ("--private-platform=Azure", "--azure-pls-resource-group=rg", "--azure-private-secret=s")


def pod(*words: str) -> Manifest:
    made = resources(install_options(*words))
    (found,) = [each for each in made if each["kind"] == "Deployment"]
    spec: Manifest = found["spec"]["template"]["spec"]
    return spec


def environment(*words: str) -> dict[str, str]:
    found = pod(*words)["containers"][0]["env"]
    return {each["name"]: each.get("value", "") for each in found}


@pytest.mark.parametrize(("word", "chosen"), [("sre", "SRE"), ("ALL", "All"), ("", "Telemetry")])
def test_a_set_of_metrics_is_taken_in_any_case(word: str, chosen: str) -> None:
    assert environment(f"--metrics-set={word}")["METRICS_SET"] == chosen


def test_a_secret_without_a_key_is_not_mounted() -> None:
    def mounted(*words: str) -> bool:
        return any(each["name"] == "azure-credentials" for each in pod(*words)["volumes"])

    assert mounted(*AZURE)
    assert not mounted(*AZURE, "--azure-private-secret-key=")
    assert "AZURE_CREDENTIALS_FILE" not in environment(*AZURE, "--azure-private-secret-key=")


def test_no_user_replaces_what_the_operator_knows_of_itself() -> None:
    found = pod("--additional-operator-env-vars=MY_NAME=x,OTHER=y")["containers"][0]["env"]
    assert [each for each in found if each["name"] == "MY_NAME"] == [
        {"name": "MY_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
    ]
    assert {"name": "OTHER", "value": "y"} in found
