"""Manual pages and completions as files, written out of the command trees themselves.

`python -m hypershift.cli.manual DIRECTORY` writes them; `share/` of the repository holds them, and
a wheel installs them below its prefix, where `man` and shells look.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from hypershift.cli.command import Command
from hypershift.cli.completion import script
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.reference import PROGRAMS, default_text, own_flags, paths

#: Where each shell looks for the completion of a program.
COMPLETIONS = {
    "bash": "bash-completion/completions/{program}",
    "fish": "fish/vendor_completions.d/{program}.fish",
    "zsh": "zsh/site-functions/_{program}",
}


def files() -> dict[str, str]:
    """Every file by its place below `share/`."""
    found = {f"man/man1/{root.name}.1": manual(root) for root in PROGRAMS}
    for root in PROGRAMS:
        for shell, place in COMPLETIONS.items():
            found[place.format(program=root.name)] = script(shell, root.name)
    return found


def manual(root: Command) -> str:
    """The manual page of one program: all of its visible commands with their flags."""
    lines = [f'.TH {root.name.upper()} 1 "" "HyperShift" "User Commands"', ".SH NAME"]
    lines += [f"{root.name} \\- {escaped(root.summary)}", ".SH SYNOPSIS"]
    lines += [f"\\fB{root.name}\\fR \\fICOMMAND\\fR [\\fIFLAGS\\fR]"]
    lines += [".SH DESCRIPTION", *_text(root.description or root.summary), ".SH COMMANDS"]
    for path in paths((root,)):
        lines += _section(path)
    return "\n".join(lines) + "\n"


def _section(path: tuple[Command, ...]) -> Iterator[str]:
    command = path[-1]
    words = " ".join(each.name for each in path)
    yield f".SS {escaped(f'{words} {command.arguments}'.rstrip())}"
    yield from _text(command.description or command.summary)
    if command.examples:
        yield from (".PP", ".nf", *map(escaped, command.examples.rstrip().splitlines()), ".fi")
    shown = (flag for flag in own_flags(path) if not flag.hidden and not flag.deprecated)
    for flag in sorted(shown, key=lambda each: each.name):
        yield from _flag(flag)


def _flag(flag: Flag) -> Iterator[str]:
    short = f"\\fB\\-{flag.short}\\fR, " if flag.short else ""
    value = "" if flag.type is BOOL else f" \\fI{escaped(flag.type.name)}\\fR"
    yield ".TP"
    yield f"{short}\\fB\\-\\-{escaped(flag.name)}\\fR{value}"
    default = f" (default {default_text(flag)})" if default_text(flag) else ""
    yield from _text(flag.help + default + (" (required)" if flag.required else ""))


def _text(text: str) -> Iterator[str]:
    return (escaped(line) for line in text.splitlines() if line)


def escaped(line: str) -> str:
    """A line as roff reads it: no control line by accident, no dash that a copy would lose."""
    plain = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def write(directory: Path) -> None:
    for place, text in files().items():
        target = directory / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
