import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hypershift.payload.elf import read_dynamic

Elf = Callable[..., bytes]


def test_loader_libraries_and_search_paths_are_read(tmp_path: Path, an_elf: Elf) -> None:
    program = tmp_path / "program"
    program.write_bytes(an_elf("/lib64/ld.so", ("libc.so.6", "libm.so.6"), "/opt/a:$ORIGIN/lib"))
    found = read_dynamic(program)
    assert found is not None
    assert found.interpreter == "/lib64/ld.so"
    assert found.needed == ("libc.so.6", "libm.so.6")
    assert found.search == ("/opt/a", "$ORIGIN/lib")


@pytest.mark.parametrize("content", [b"", b"#!/bin/sh\n", b"\x7fELF\x01\x01"])
def test_what_is_no_program_of_ours_has_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    assert read_dynamic(tmp_path / "file") is None


@pytest.mark.skipif(not shutil.which("ldd"), reason="this machine has no ldd to compare with")
def test_a_real_program_needs_what_ldd_says() -> None:
    python = Path(sys.executable).resolve()
    found = read_dynamic(python)
    assert found is not None
    listed = subprocess.run(("ldd", python), capture_output=True, text=True, check=True).stdout
    assert found.needed
    assert all(name in listed for name in found.needed)
