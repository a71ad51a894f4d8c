from pathlib import Path

import pytest
import yaml
from tests.lib.command_line import install_options

from hypershift.cli.install.helm import LANGUAGE, chart_values
from hypershift.cli.install.resources import resources
from hypershift.cli.install.templating import templated


def chart(tmp_path: Path, *words: str) -> str:
    options = install_options(f"--output-dir={tmp_path}", *words, command="helm")
    return yaml.safe_dump_all(resources(templated(options, LANGUAGE)))


def test_a_chart_follows_its_release(tmp_path: Path) -> None:
    text = chart(tmp_path)
    assert "namespace: '{{ .Release.Namespace }}'" in text
    assert "image: '{{ .Values.image }}:{{ .Values.imagetag }}'" in text


@pytest.mark.parametrize("used", [True, False])
def test_only_what_is_used_becomes_a_value(tmp_path: Path, used: bool) -> None:  # noqa: FBT001
    words = ("--external-dns-provider=google", "--external-dns-domain-filter=d") if used else ()
    assert ("{{ .Values.externaldns.domainFilter }}" in chart(tmp_path, *words)) is used


def test_every_reference_of_a_chart_has_a_value() -> None:
    values = chart_values()
    assert values["oidc"]["s3"] == dict.fromkeys(
        ("name", "region", "credsSecret", "credsSecretKey"), ""
    )
    assert values["image"] == ""
