"""Commands get their flags as attributes of typed options; one place decodes them by name."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hypershift.cli

CLI = Path(hypershift.cli.__file__).parent
#: The parser, and where its values become options.
DECODING = ("command.py", "flags.py", "typed.py")


def offences(tree: ast.AST) -> Iterator[str]:
    """What reads flags by their names, or options by the names of their fields."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="hypershift.cli.flags", names=names):
                yield from (f"imports {each.name}" for each in names if each.name == "Values")
            case ast.Attribute(value=ast.Name(id="flags"), attr="Values"):
                yield "uses flags.Values"
            case ast.Subscript(value=ast.Attribute(attr="values")):
                yield f"reads {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="values"), attr="has")):
                yield f"reads {ast.unparse(node)}"
            case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="options"), *_]):
                yield f"reads {ast.unparse(node)}"
            case _:
                pass


def found() -> dict[str, list[str]]:
    every = {
        path.relative_to(CLI).as_posix(): list(offences(ast.parse(path.read_text())))
        for path in sorted(CLI.rglob("*.py"))
    }
    return {name: why for name, why in every.items() if why and name not in DECODING}


def test_no_command_reads_a_flag_by_its_name() -> None:
    assert found() == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("from hypershift.cli.flags import Flag, Values", "imports Values"),
        ("def run(values: flags.Values) -> int: ...", "uses flags.Values"),
        ("name = line.values['name']", "reads line.values['name']"),
        ("named = line.values.has('name')", "reads line.values.has('name')"),
        ("getattr(options, 'name')", "reads getattr(options, 'name')"),
    ],
)
def test_a_flag_that_is_read_by_its_name_is_found(text: str, why: str) -> None:
    assert list(offences(ast.parse(text))) == [why]


def test_an_option_that_is_read_as_an_attribute_is_no_offence() -> None:
    tree = ast.parse("def run(options: Up) -> int: return options.nodes")
    assert list(offences(tree)) == []
