"""The operator's program answers to the command line that an installation gives it."""

from pathlib import Path

import pytest
from tests.lib.command_line import install_options

from hypershift.cli.command import understand
from hypershift.cli.install.resources import resources
from hypershift.cli.main import execute
from hypershift.cli.roles import program

EVERYTHING = (
    "--oidc-storage-provider-s3-bucket-name=b",
    "--oidc-storage-provider-s3-region=r",
    "--oidc-storage-provider-s3-secret=s",
    "--scale-from-zero-provider=aws",
    "--scale-from-zero-secret=s",
    "--enable-uwm-telemetry-remote-write",
    "--enable-validating-webhook",
    "--enable-ci-debug-output",
    "--registry-overrides=a=b,c=d",
    "--hcp-egress-block-cidrs=192.0.2.0/24",
    "--platform-monitoring=All",
)


@pytest.mark.parametrize("words", [(), EVERYTHING, (*EVERYTHING, "--shared")])
def test_every_argument_of_a_rendered_deployment_is_understood(words: tuple[str, ...]) -> None:
    objects = resources(install_options(*words))
    deployment = next(each for each in objects if each["kind"] == "Deployment")
    pod = deployment["spec"]["template"]["spec"]
    values = understand(program.COMMAND, pod["containers"][0]["args"]).values
    assert values["metrics-addr"] == ":9000"
    assert values["mode"] == ("shared" if "--shared" in words else "dedicated")
    for container in pod.get("initContainers", ()):
        assert understand(program.COMMAND, container["args"]).command.name == "init"


def test_the_operator_trusts_what_the_cluster_injects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "INJECTED", tmp_path / "injected")
    monkeypatch.setattr(program, "SYSTEM", tmp_path / "system")
    monkeypatch.setattr(program, "BUNDLE", tmp_path / "bundle")
    (tmp_path / "system").write_text("of the image")
    assert execute(program.COMMAND, ["init"]) == 0
    assert (tmp_path / "bundle").read_text() == "of the image"
    (tmp_path / "injected").write_text("of the cluster")
    assert execute(program.COMMAND, ["init"]) == 0
    assert (tmp_path / "bundle").read_text() == "of the cluster"
