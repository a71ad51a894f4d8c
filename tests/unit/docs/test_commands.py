"""Commands in the documents are commands that the programs understand."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from hypershift.cli.command import Command, Lazy, understand
from hypershift.cli.main import HCP, HYPERSHIFT
from hypershift.kit import UsageError

ROOT = Path(__file__).parents[3]
PAGES = [
    page
    for page in sorted(
        [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    )
    if not page.is_relative_to(ROOT / "docs" / "reference" / "api")
]
FENCE = re.compile(r"^ *```(?:sh|console)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
PROGRAMS: dict[str, Command] = {"hypershift": HYPERSHIFT, "hcp": HCP}
#: What may stand before a program, and what ends its command line.
BEFORE = {"sudo", "exec", "$", "time"}
ENDS = {"|", ">", ">>", "<", "&&", "||", ";", "2>", "&"}


def command_lines(text: str) -> list[list[str]]:
    """The lines of shell blocks that call our programs, as words."""
    found = []
    for block in FENCE.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            found += [words for words in calls(line) if words[0] in PROGRAMS]
    return found


def calls(line: str) -> list[list[str]]:
    """The commands of one line, each without redirections."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    found: list[list[str]] = [[]]
    for word in lexer:
        if word in ENDS:
            found.append([])
        elif found[-1] or (word not in BEFORE and "=" not in word):
            found[-1].append(word)
    return [words for words in found if words]


def complaint(words: list[str]) -> str:
    """What the program says about a command line; nothing when it would run it."""
    try:
        line = understand(PROGRAMS[words[0]], words[1:])
    except UsageError as error:
        return str(error)
    if line.wants_help or line.values.values.get("version"):
        return ""
    if line.command.run is None:
        return f"`{line.command.name}` does nothing without a further word"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_is_understood(page: Path) -> None:
    wrong = {
        " ".join(words): said
        for words in command_lines(page.read_text())
        if (said := complaint(words))
    }
    assert not wrong


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hypershift get clusters -o wide", ""),
        ("hypershift kubectl demo -- get nodes --watch", ""),
        ("hypershift get castles", "does nothing"),
        ("hypershift get clusters --colour", "unknown flag"),
        ("hypershift destroy cluster local", "required"),
    ],
)
def test_a_command_that_does_not_exist_is_noticed(line: str, words: str) -> None:
    said = complaint(shlex.split(line))
    assert words in said
    assert bool(words) == bool(said)


def unbuilt(command: Command | Lazy, *path: str) -> Iterator[tuple[str, ...]]:
    loaded = command.load()
    if loaded.description.startswith("Not built yet"):
        yield path
    for child in loaded.commands:
        yield from unbuilt(child, *path, child.name)


def test_what_is_said_to_be_missing_is_missing() -> None:
    """A command that came has to leave the list of those that do nothing, and no other is there."""
    page = (ROOT / "docs" / "differences.md").read_text()
    starts = "| commands of other clouds |"
    rows = " ".join(line for line in page.splitlines() if line.startswith(starts))
    listed = set(" ".join(re.findall(r"`([a-z -]+)`", rows)).split())
    found = list(unbuilt(HYPERSHIFT))
    assert listed <= {word for path in found for word in path}
    assert [path for path in found if path[1] not in listed and path[0] != "fix"] == []


def test_commands_are_found_among_pipes_comments_and_other_programs() -> None:
    text = (
        "```sh\n# hypershift nothing\nmake x && sudo hypershift a \\\n  --b | head  # c\nls\n```\n"
    )
    assert command_lines(text) == [["hypershift", "a", "--b"]]
