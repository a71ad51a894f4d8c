"""A cluster's release is named by its digest."""

from pathlib import Path

import pytest

from hypershift.cli.cluster import local
from hypershift.local.cluster.state import Layout
from hypershift.local.images.publication import Published, record, release_of

TAG = "registry.hypershift.local/kubernetes/release:1.35.8"
DIGEST = f"sha256:{'a' * 64}"


@pytest.mark.parametrize("release", [TAG, f"{TAG}@{DIGEST}"])
def test_new_clusters_name_the_release_by_digest_whatever_wrote_the_record(
    tmp_path: Path, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = Layout(tmp_path / "a", "a")
    where.make()
    assert release_of(where) == ""
    record(where, Published(release, DIGEST, {}, "/os"))
    assert release_of(where) == f"{TAG}@{DIGEST}"
    monkeypatch.setattr(local, "embedded_home", lambda _kubeconfig: where)
    assert local.default_release("") == f"{TAG}@{DIGEST}"
