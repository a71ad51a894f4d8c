"""The reference of both programs as a page, written out of the command trees themselves.

`python -m hypershift.cli.reference` prints it; `docs/reference/cli.md` is that text.
"""

import sys
from collections.abc import Iterator
from datetime import timedelta

from hypershift.cli.command import Command, flags_of
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.main import HCP, HYPERSHIFT
from hypershift.kit.duration import format_duration

NOTE = "<!-- Written by `python -m hypershift.cli.reference`; change the commands instead. -->"
PROGRAMS = (HYPERSHIFT, HCP)
Path = tuple[Command, ...]


def page() -> str:
    """Every visible command of both programs, with its flags."""
    lines = [NOTE, "", "# Command line", ""]
    lines += ["Flags of a command hold in the commands below it where they are marked *below*.", ""]
    for root in PROGRAMS:
        for path in paths((root,)):
            lines += section(path)
    return "\n".join(lines).rstrip() + "\n"


def paths(path: Path) -> Iterator[Path]:
    """A command and all below it, but for those that help does not show."""
    yield path
    for child in path[-1].commands:
        if not child.hidden:
            yield from paths((*path, child.load()))


def section(path: Path) -> list[str]:
    """The lines about one command."""
    command = path[-1]
    heading = "##" if len(path) == 1 else "###"
    lines = [f"{heading} `{_words(path)}`", "", _sentence(command), ""]
    if command.run is not None:
        lines += [f"    {_words(path)} {command.arguments}".rstrip() + " [flags]", ""]
    if command.examples:
        lines += ["```sh", *_unindented(command.examples), "```", ""]
    shown = [flag for flag in own_flags(path) if not flag.hidden and not flag.deprecated]
    if shown:
        lines += ["| flag | value | meaning |", "|---|---|---|"]
        lines += [row(flag) for flag in sorted(shown, key=lambda flag: flag.name)]
        lines.append("")
    return lines


def row(flag: Flag) -> str:
    """One flag as a line of the table."""
    name = f"`--{flag.name}`" + (f", `-{flag.short}`" if flag.short else "")
    notes = [flag.help]
    if flag.required:
        notes.append("(required)")
    if default := default_text(flag):
        notes.append(f"(default `{default}`)")
    if flag.persistent:
        notes.append("*below*")
    kind = "" if flag.type is BOOL else flag.type.name
    meaning = " ".join(note for note in notes if note).replace("|", "\\|")
    return f"| {name} | {kind} | {meaning} |"


def own_flags(path: Path) -> tuple[Flag, ...]:
    """The flags to list here: a command repeats none that it inherits."""
    inherited = {flag.name for command in path[:-1] for flag in command.flags if flag.persistent}
    return tuple(flag for name, flag in flags_of(path).items() if name not in inherited)


def _words(path: Path) -> str:
    return " ".join(command.name for command in path)


def _sentence(command: Command) -> str:
    text = command.description or command.summary
    return text if text.endswith(".") else f"{text}."


def _unindented(text: str) -> list[str]:
    return [line.removeprefix("  ") for line in text.rstrip().splitlines()]


def default_text(flag: Flag) -> str:
    """A default as the command line spells it; empty where there is none."""
    match flag.default:
        case None | False | 0 | "" | ():
            return ""
        case True:
            return "true"
        case timedelta() as duration:
            return format_duration(duration) if duration else ""
        case tuple() as several:
            return ",".join(several)
        case dict() as named:
            return ",".join(f"{name}={value}" for name, value in named.items())
        case value:
            return str(value)


if __name__ == "__main__":
    sys.stdout.write(page())
