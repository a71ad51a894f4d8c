import shlex

import pytest

from hypershift.cli import demo
from hypershift.cli.command import understand
from hypershift.cli.main import HYPERSHIFT


def commands(text: str) -> list[list[str]]:
    lines = [line.strip() for line in text.splitlines() if line.startswith("  hypershift")]
    return [shlex.split(line.split("   ")[0]) for line in lines]


def test_the_three_commands_that_come_next_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/hypershift")
    found = commands(demo.what_now())
    assert len(found) == 3
    for words in found:
        assert understand(HYPERSHIFT, words[1:]).command.run is not None


def test_a_shell_that_does_not_know_the_program_is_told_how(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("sys.argv", [".venv/bin/hypershift"])
    assert "source .venv/bin/activate" in demo.what_now()
