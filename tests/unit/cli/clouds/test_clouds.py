"""Commands whose work in clouds is not built: they check what is typed, and say so."""

from collections.abc import Iterator

import pytest

from hypershift.cli.clouds.notation import flags
from hypershift.cli.clouds.texts import TEXTS
from hypershift.cli.command import Command, Lazy
from hypershift.cli.flags import BOOL, STRING_MAP, STRINGS
from hypershift.cli.main import HCP, HYPERSHIFT, execute


def unbuilt(command: Command | Lazy, *path: str) -> Iterator[tuple[Command, tuple[str, ...]]]:
    loaded = command.load()
    if loaded.description.startswith("Not built yet"):
        yield loaded, path
    for child in loaded.commands:
        yield from unbuilt(child, *path, child.name)


ALL = [
    (root, command, path) for root in (HYPERSHIFT, HCP) for command, path in unbuilt(root) if path
]


def given(command: Command, path: tuple[str, ...]) -> list[str]:
    """A command line with every flag that is required."""
    required = [f"--{flag.name}=x" for flag in command.flags if flag.required]
    return [*path, *required, *(["--name=x"] if path[1] == "cluster" else [])]


@pytest.mark.parametrize(
    ("root", "command", "path"), ALL, ids=[f"{root.name} {' '.join(path)}" for root, _, path in ALL]
)
def test_it_says_that_it_is_not_built(
    root: Command, command: Command, path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(root, given(command, path)) == 1
    captured = capsys.readouterr()
    assert f"`{' '.join(path)}` is not built yet: " in captured.err
    assert captured.out == ""


def test_a_flag_that_is_required_is_asked_for_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(HYPERSHIFT, ["create", "infra", "gcp", "--infra-id=x"]) == 1
    assert capsys.readouterr().err == 'required flag(s) "project-id", "region" not set\n'


def test_the_notation_knows_kinds_defaults_and_marks() -> None:
    name, zones, tags, wait, vpc = flags("name!=a zones* additional-tags%/t wait?=true vpc^")
    assert (name.required, name.default) == (True, "a")
    assert (zones.type, tags.type, tags.short) == (STRINGS, STRING_MAP, "t")
    assert (wait.type, wait.default) == (BOOL, True)
    assert vpc.hidden


def every(command: Command | Lazy) -> Iterator[Command]:
    loaded = command.load()
    yield loaded
    for child in loaded.commands:
        yield from every(child)


def test_every_text_is_used() -> None:
    texts = {(flag.name, flag.help) for command in every(HYPERSHIFT) for flag in command.flags}
    assert [name for name, text in TEXTS.items() if (name, text) not in texts] == []
