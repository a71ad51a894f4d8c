"""`hypershift api`."""

from pathlib import Path

import pytest
import yaml

from hypershift.cli.main import HYPERSHIFT, execute


def test_definitions_of_one_feature_set_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["api", "crds", "--feature-set", "Default", "--output", str(tmp_path / "out")]
    assert execute(HYPERSHIFT, words) == 0
    assert capsys.readouterr().out == f"16 files written to {tmp_path / 'out'}\n"
    generated = tmp_path / "out/hypershift-operator/zz_generated.crd-manifests"
    manifest = yaml.safe_load((generated / "nodepools-Default.crd.yaml").read_text())
    assert manifest["metadata"]["annotations"]["release.openshift.io/feature-set"] == "Default"


def test_a_gate_adds_the_kinds_behind_it(tmp_path: Path) -> None:
    words = ["api", "crds", "--feature-set", "Default", "--gate", "LocalPlatform"]
    assert execute(HYPERSHIFT, [*words, "-o", str(tmp_path)]) == 0
    assert len(list(tmp_path.rglob("infrastructure.local.hypershift.io_*.yaml"))) == 3


def test_an_unknown_feature_set_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(HYPERSHIFT, ["api", "crds", "--feature-set", "x", "-o", str(tmp_path)]) == 1
    assert "must be one of Default, TechPreviewNoUpgrade" in capsys.readouterr().err


def test_policies_are_written_with_their_binding(tmp_path: Path) -> None:
    assert execute(HYPERSHIFT, ["api", "policies", "-o", str(tmp_path)]) == 0
    kinds = [each["kind"] for each in yaml.safe_load_all((tmp_path / "policies.yaml").read_text())]
    assert kinds == ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"]
