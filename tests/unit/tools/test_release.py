import hashlib
import tarfile
from pathlib import Path

import pytest
import yaml
from tools.release import SUMS, changelog_section, checksums, package_chart

LOG = (
    "# Changelog\n\n## Unreleased\n\n- new\n\n"
    "## [0.2.0] - 2026-01-01\n\n- older\n\n## 0.1.0\n\n- x\n"
)


@pytest.mark.parametrize(
    ("released", "says"),
    [("0.2.0", "- older"), ("0.1.0", "- x"), ("0.2.1.dev3+gabc", "- new")],
)
def test_a_release_has_its_section_of_the_changelog(released: str, says: str) -> None:
    section = changelog_section(LOG, released)
    assert section.startswith("## ")
    assert section.endswith(f"{says}\n")
    assert section.count("## ") == 1


def test_a_chart_is_packed_as_helm_does(tmp_path: Path) -> None:
    chart = tmp_path / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: one\nversion: 0.1.0\n")
    (chart / "templates" / "a.yaml").write_text("a: 1\n")
    made = package_chart(chart, tmp_path, "0.1.0.dev5+gabc")
    assert made.name == "one-0.1.0-dev.5+gabc.tgz"
    with tarfile.open(made) as archive:
        assert archive.getnames() == ["one/Chart.yaml", "one/templates/a.yaml"]
        content = archive.extractfile("one/Chart.yaml")
        assert content is not None
        assert yaml.safe_load(content)["appVersion"] == "0.1.0.dev5+gabc"
    first = made.read_bytes()
    assert package_chart(chart, tmp_path, "0.1.0.dev5+gabc").read_bytes() == first


def test_checksums_are_those_of_every_file_but_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"a")
    (tmp_path / SUMS).write_text("old")
    assert checksums(tmp_path) == f"{hashlib.sha256(b'a').hexdigest()}  a.whl\n"
