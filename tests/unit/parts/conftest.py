from collections.abc import Callable
from pathlib import Path

import pytest

from hypershift.parts.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache=tmp_path / "cache", offline=True, architecture="amd64")


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str, str], Path]:
    """Puts small shell scripts where the real tools would be; the rest of the PATH is basic."""
    directory = tmp_path / "bin"
    directory.mkdir()
    monkeypatch.setenv("PATH", f"{directory}:/usr/bin:/bin")

    def put(name: str, script: str) -> Path:
        place = directory / name
        place.write_text(f"#!/bin/sh\n{script}\n")
        place.chmod(0o755)
        return place

    return put
