import shutil
import subprocess
from pathlib import Path

import pytest

from hypershift.local.host import tools


def test_units_run_names_that_the_cache_cannot_take_away(tmp_path: Path) -> None:
    source = tmp_path / "cache" / "etcd"
    source.parent.mkdir()
    source.write_text("v1")
    kept = tools.keep_binaries({"etcd": source}, tmp_path / "programs")
    shutil.rmtree(source.parent)
    assert kept["etcd"].read_text() == "v1"


def test_a_new_version_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    for text in ("v1", "v2 is longer"):
        source = tmp_path / f"etcd-{len(text)}"
        source.write_text(text)
        kept = tools.keep_binaries({"etcd": source}, tmp_path / "programs")
    assert kept["etcd"].read_text() == "v2 is longer"


def test_a_kept_program_brings_its_libraries(tmp_path: Path) -> None:
    loader = Path("/lib64/ld-linux-x86-64.so.2")
    if not loader.exists():
        pytest.skip("the loader of this architecture is elsewhere")
    words = (str(loader), "--library-path", "/usr/lib/x86_64-linux-gnu", "/usr/bin/env")
    kept = tools.kept(words, tmp_path / "tool")
    assert all(str(tmp_path) in word for word in kept if word.startswith("/"))
    done = subprocess.run((*kept, "--version"), capture_output=True, text=True, check=True)
    assert "env" in done.stdout
