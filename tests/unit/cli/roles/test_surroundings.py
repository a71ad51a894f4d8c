"""A pod with a read-only root: where it writes, and whom it trusts."""

import os
import tempfile
from pathlib import Path

import pytest

from hypershift.cli.roles.surroundings import scratch, trust_bundles


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", tempfile.tempdir)


def test_temporary_files_go_to_the_first_place_that_can_be_written_to(tmp_path: Path) -> None:
    assert scratch((tmp_path / "absent", tmp_path)) == tmp_path
    assert tempfile.gettempdir() == str(tmp_path)


def test_mounted_bundles_are_trusted_beside_the_images_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, mounted, empty = (tmp_path / name for name in ("own", "mounted", "empty"))
    own.write_text("A")
    mounted.write_text("B")
    empty.touch()
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    trust_bundles((mounted, empty, tmp_path / "absent"))
    made = Path(os.environ["SSL_CERT_FILE"])
    assert made.read_text() == "A\nB"
    made.unlink()


def test_without_a_bundle_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "as it was")
    trust_bundles((tmp_path / "absent",))
    assert os.environ["SSL_CERT_FILE"] == "as it was"
