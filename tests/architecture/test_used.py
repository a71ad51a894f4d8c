"""Every module is imported by another one or named by it: what nothing uses is deleted."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import hypershift

SOURCE = Path(hypershift.__file__).parent
ROOT = SOURCE.parents[1]
PREFIX = "hypershift"
#: Where a program may start besides `python -m hypershift`.
ENTRIES = ("pyproject.toml", "Makefile", "Dockerfile")


def name_of(path: Path) -> str:
    """The name by which a module is imported."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join((PREFIX, *(part for part in parts if part != "__init__")))


def named(package: str, tree: ast.AST) -> Iterator[str]:
    """The modules that a module imports, or names in a string to import them later.

    Such a string may be the end of a name alone, behind the module's own package:
    `f"{_HERE}.image"`.
    """
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{each.name}" for each in names)
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.Constant(value=str(text)) if text:
                yield text
                yield f"{package}.{text.removeprefix('.')}"
            case _:
                pass


def lineage(name: str) -> Iterator[str]:
    """A module and the packages that it is in."""
    parts = name.split(".")
    yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def unused(modules: Mapping[Path, ast.AST], entries: str) -> set[str]:
    """The modules that no other one names, and no entry."""
    names = {path: name_of(path) for path in modules}
    used: set[str] = set()
    for path, tree in modules.items():
        name = names[path]
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        used |= {one for each in named(package, tree) for one in lineage(each)} - {name}
    kept = {name for name in names.values() if name in entries or name.endswith(".__main__")}
    return set(names.values()) - used - kept


def test_each_module_is_used() -> None:
    modules = {path: ast.parse(path.read_text()) for path in SOURCE.rglob("*.py")}
    entries = "\n".join((ROOT / each).read_text() for each in ENTRIES)
    assert unused(modules, entries) == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {"hypershift.cli.new"}),
        ("from hypershift.cli import new", set()),
        ("from hypershift.cli.new import COMMAND", set()),
        ("import hypershift.cli.new", set()),
        ('Lazy("x", "A new command", "hypershift.cli.new")', set()),
        ('Lazy("x", "A new command", f"{_HERE}.new")', set()),
    ],
)
def test_a_module_without_users_is_found(text: str, found: set[str]) -> None:
    trees = {SOURCE / "cli/old.py": ast.parse(text), SOURCE / "cli/new.py": ast.parse("")}
    assert unused(trees, "hypershift.cli.old") == found
