"""The reader who types the pages: without true exit codes the walk would prove nothing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.soak.terminal import Terminal, commands


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(tmp_path, dict(os.environ))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("command", "code", "seen"),
    [
        ("echo hello", 0, "hello"),
        ("printf hello", 0, "hello"),
        ("(exit 3)", 3, ""),
        ("false || true", 0, ""),
        ("cat", 0, ""),
        ("no-such-command", 127, "not found"),
    ],
)
def test_a_command_tells_how_it_ended_and_what_it_said(
    terminal: Terminal, command: str, code: int, seen: str
) -> None:
    ended, said = terminal.type(command)
    assert ended == code
    assert seen in said


def test_variables_and_aliases_last(terminal: Terminal) -> None:
    terminal.type("NAME=demo")
    terminal.type('alias greet="echo hello"')
    assert terminal.type("greet $NAME") == (0, "hello demo\n\n")


def test_a_command_that_does_not_end_is_a_failure(terminal: Terminal) -> None:
    with pytest.raises(AssertionError, match="no end"):
        terminal.type("sleep 60", seconds=0.2)


def test_commands_are_read_line_by_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("text\n```sh\n# why\na \\\n  --b   # c\nd\n```\n```\ne\n```\n")
    assert list(commands(page)) == ["a --b", "d"]
