"""The product does not know its test tools, and they are not shipped with it."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "hypershift"


def imported_tools(module: str) -> Iterator[str]:
    """Yield what a module imports of the test tools."""
    for node in ast.walk(ast.parse(module)):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names if _is_test_tool(each.name))
            case ast.ImportFrom(module=str(name)) if _is_test_tool(name):
                yield name


def _is_test_tool(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] in {"tests", "pytest", "hypothesis"} or ".testing" in name


def test_no_module_of_the_product_imports_a_test_tool() -> None:
    found = {
        str(path.relative_to(SOURCE)): names
        for path in SOURCE.rglob("*.py")
        if (names := list(imported_tools(path.read_text())))
    }
    assert found == {}


@pytest.mark.parametrize(
    "offence",
    ["import pytest", "from tests.lib.memory import MemoryClient", "import hypershift.testing"],
)
def test_an_import_of_a_test_tool_is_found(offence: str) -> None:
    assert list(imported_tools(offence))


def test_the_wheel_holds_the_product_alone() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"] == {
        "packages": ["src/hypershift"],
        "shared-data": {"share": "share"},
    }
    assert not (SOURCE / "testing").exists()
