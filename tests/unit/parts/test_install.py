import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hypershift.parts.errors import PartUnavailable
from hypershift.parts.install import install_packages

Tool = Callable[[str, str], Path]

#: Installs once its lists are new.
APT = """
echo "$@" >> "$0.calls"
case " $* " in
  *" update "*) touch "$0.new" ;;
  *) test -e "$0.new" || { echo "E: Unable to locate package iproute2"; exit 100; } ;;
esac
"""


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


@pytest.mark.usefixtures("as_root")
async def test_old_lists_are_renewed_and_the_package_installed(tool: Tool, tmp_path: Path) -> None:
    tool("apt-get", APT)
    said: list[str] = []
    await install_packages(("iproute2",), "`ip` is missing", said.append)
    calls = (tmp_path / "bin" / "apt-get.calls").read_text().splitlines()
    assert [line.split()[0] for line in calls] == ["install", "update", "install"]
    assert said == ["`ip` is missing: installing the system's package iproute2"]


@pytest.mark.usefixtures("as_root")
async def test_what_apt_said_last_is_told(tool: Tool) -> None:
    tool("apt-get", "echo 'E: no network'; exit 100")
    with pytest.raises(PartUnavailable, match=r"iproute2.*E: no network"):
        await install_packages(("iproute2",), "`ip` is missing", lambda _line: None)


async def test_who_may_not_install_is_told_what_to_do(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool("apt-get", APT)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(PartUnavailable, match="`ip` is missing: install the system's package"):
        await install_packages(("iproute2",), "`ip` is missing", lambda _line: None)
    assert not (tmp_path / "bin" / "apt-get.calls").exists()
