import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hypershift.parts import debian
from hypershift.parts.cache import Cache
from hypershift.parts.errors import PartUnavailable
from hypershift.parts.gpgv import find_gpgv

Tool = Callable[[str, str], Path]


async def test_the_systems_own_comes_first(tool: Tool, tmp_path: Path) -> None:
    own = tool("gpgv", "exit 0")
    assert await find_gpgv(Cache(tmp_path)) == (str(own),)


async def test_a_system_without_it_takes_the_distributions_package(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.path.dirname(tool("apt-get", "exit 0")))  # noqa: PTH120
    tool("dpkg-deb", "exit 0")
    asked: list[object] = []

    async def fetched(_cache: Cache, packages: object, _report: object) -> Path:
        asked.append(packages)
        return tmp_path

    monkeypatch.setattr(debian, "fetch_tree", fetched)
    assert await find_gpgv(Cache(tmp_path)) == (f"{tmp_path}/usr/bin/gpgv",)
    assert asked == [("gpgv",)]


async def test_a_system_without_packages_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PartUnavailable, match="without gpgv"):
        await find_gpgv(Cache(tmp_path))
