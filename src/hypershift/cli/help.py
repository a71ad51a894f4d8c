"""The help text of a command, and the whole tree as data for tools that compare programs."""

from datetime import timedelta
from typing import Any

from hypershift.cli.command import HELP, Command, flags_of
from hypershift.cli.flags import BOOL, Flag
from hypershift.kit.duration import format_duration

WIDTH = 30
#: Every program has these, so that tools which compare programs leave them out.
GENERATED = ("completion",)


def help_text(path: tuple[Command, ...]) -> str:
    """What `--help` prints: purpose, usage, examples, sub-commands, flags."""
    command = path[-1]
    words = " ".join(each.name for each in path)
    sections = [command.description or command.summary, _usage(command, words)]
    if command.aliases:
        sections.append("Aliases:\n  " + ", ".join((command.name, *command.aliases)))
    if command.examples:
        sections.append(f"Examples:\n{command.examples.rstrip()}")
    visible = [child for child in command.commands if not child.hidden]
    if visible:
        rows = (f"  {child.name:<{WIDTH}} {child.summary}" for child in visible)
        sections.append("Available Commands:\n" + "\n".join(rows))
    sections.append(_flags("Flags", (*command.flags, HELP)))
    own = {flag.name for flag in command.flags}
    inherited = tuple(flag for name, flag in flags_of(path).items() if name not in own)
    if inherited:
        sections.append(_flags("Global Flags", inherited))
    if visible:
        sections.append(f'Use "{words} [command] --help" for more information about a command.')
    return "\n\n".join(sections) + "\n"


def tree(command: Command) -> dict[str, Any]:
    """The command and all below it, in the form that `--dump-command-tree` prints."""
    return {
        "name": command.name,
        "commands": [
            tree(child.load()) for child in command.commands if child.name not in GENERATED
        ],
        "flags": [_described(flag) for flag in command.flags],
    }


def _usage(command: Command, words: str) -> str:
    forms = []
    if command.run is not None:
        arguments = f" {command.arguments}" if command.arguments else ""
        forms.append(f"  {words}{arguments} [flags]")
    if command.commands:
        forms.append(f"  {words} [command]")
    return "Usage:\n" + "\n".join(forms)


def _flags(title: str, flags: tuple[Flag, ...]) -> str:
    shown = sorted(
        (flag for flag in flags if not flag.hidden and not flag.deprecated),
        key=lambda flag: flag.name,
    )
    width = max((len(_named(flag)) for flag in shown), default=0)
    return f"{title}:\n" + "\n".join(_row(flag, max(width, WIDTH)) for flag in shown)


def _named(flag: Flag) -> str:
    """A flag's name and the kind of its value."""
    return flag.name if flag.type is BOOL else f"{flag.name} {flag.type.name}"


def _row(flag: Flag, width: int) -> str:
    short = f"-{flag.short}, " if flag.short else "    "
    notes = [flag.help]
    if flag.required:
        notes.append("(required)")
    if flag.default not in (None, "", (), False, 0, timedelta(0)) and flag.default != {}:
        notes.append(f"(default {_shown(flag.default)})")
    return f"  {short}--{_named(flag):<{width}} {' '.join(note for note in notes if note)}"


def _shown(value: Any) -> str:
    match value:
        case timedelta():
            return format_duration(value)
        case tuple():
            return f"[{','.join(value)}]"
        case dict():
            return f"[{','.join(f'{name}={each}' for name, each in value.items())}]"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case _:
            return str(value)


def _described(flag: Flag) -> dict[str, Any]:
    default = flag.default
    if isinstance(default, timedelta):
        default = format_duration(default)
    return {
        "name": flag.name,
        "short": flag.short or None,
        "type": flag.type.name,
        "default": list(default) if isinstance(default, tuple) else default,
        "required": flag.required,
        "persistent": flag.persistent,
        "hidden": flag.hidden,
        "deprecated": bool(flag.deprecated),
    }
