"""Flags of the original that change nothing here say so."""

from pathlib import Path

import pytest

from hypershift.cli.install.idle import REASONS
from hypershift.cli.install.options import FLAGS
from hypershift.cli.main import HYPERSHIFT, execute


def render(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert execute(HYPERSHIFT, ["install", "render", "--outputs=resources", *words]) == 0
    return capsys.readouterr().err


@pytest.mark.parametrize("flag", ["enable-validating-webhook", "enable-defaulting-webhook"])
def test_webhooks_that_nobody_serves_are_named(
    flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = render(capsys, f"--{flag}")
    assert f"WARNING: --{flag} has no effect: this operator serves no admission webhooks" in said


def test_a_chart_names_them_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["install", "helm", f"--output-dir={tmp_path / 'chart'}", "--enable-size-tagging"]
    assert execute(HYPERSHIFT, words) == 0
    assert "--enable-size-tagging has no effect" in capsys.readouterr().err


def test_nothing_is_said_of_flags_that_were_not_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert render(capsys, "--private-platform=None") == ""


def test_private_clusters_are_made_on_aws_alone(capsys: pytest.CaptureFixture[str]) -> None:
    creds = ("--aws-private-secret=keys", "--aws-private-region=us-east-1")
    assert render(capsys, "--private-platform=AWS", *creds) == ""
    said = render(capsys, "--private-platform=GCP")
    assert "--private-platform has no effect: the operator does no work in that cloud yet" in said


def test_every_reason_is_about_a_flag_that_exists() -> None:
    assert set(REASONS) <= {flag.name for flag in FLAGS}


def test_external_dns_works(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--external-dns-provider=google", "--external-dns-domain-filter=example.com")
    assert render(capsys, *words) == ""
