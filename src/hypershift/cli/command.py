"""Commands as values: a tree whose leaves run, and how a command line finds its leaf.

    COMMAND = Command(
        "parts", "The real binaries that everything runs on",
        commands=(Command("list", "Show every part", run=list_parts, flags=(OUTPUT,)),),
    )

A module of `cli/` declares its `COMMAND`; `main.py` names the modules and imports one only when
its name is typed, so that `--help` stays instant.
"""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hypershift.cli.flags import BOOL, Flag, Values, read
from hypershift.cli.typed import Later, Typed
from hypershift.kit import UsageError

#: A command gets its flags as attributes of a type of its own, and in no other way.
Run = Typed[Any] | Later


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it does, its flags, its sub-commands.

    `arguments` shows the positional words in the usage line; empty means that there are none.
    `exclusive` are sets of flags that must not be given with each other. `aliases` are other words
    for the command, such as its singular and its short name.
    """

    name: str
    summary: str
    description: str = ""
    examples: str = ""
    arguments: str = ""
    flags: tuple[Flag, ...] = ()
    commands: tuple["Command | Lazy", ...] = ()
    exclusive: tuple[tuple[str, ...], ...] = ()
    hidden: bool = False
    run: Run | None = None
    aliases: tuple[str, ...] = ()

    def load(self) -> "Command":
        return self

    def child(self, word: str) -> "Command | None":
        """The sub-command of that name, imported when it has to be."""
        named = (one for one in self.commands if word == one.name or word in one.aliases)
        return next((command.load() for command in named), None)


@dataclass(frozen=True, slots=True)
class Lazy:
    """A command whose module is imported when it is needed.

    `build` makes the command of what the module has, where that is no command itself.
    """

    name: str
    summary: str
    module: str
    attribute: str = "COMMAND"
    hidden: bool = False
    aliases: tuple[str, ...] = ()
    build: Callable[[Any], Command] | None = None

    def load(self) -> Command:
        found = getattr(importlib.import_module(self.module), self.attribute)
        command: Command = found if self.build is None else self.build(found)
        return command


@dataclass(frozen=True, slots=True)
class Line:
    """A parsed command line: the path of commands and the flags' values.

    `warnings` are about deprecated flags.
    """

    path: tuple[Command, ...]
    values: Values
    wants_help: bool
    warnings: tuple[str, ...] = ()

    @property
    def command(self) -> Command:
        return self.path[-1]


def flags_of(path: tuple[Command, ...]) -> dict[str, Flag]:
    """The flags valid at the end of a path: its own, and the persistent ones above it."""
    inherited = (flag for command in path[:-1] for flag in command.flags if flag.persistent)
    return {flag.name: flag for flag in (*inherited, *path[-1].flags)}


def understand(root: Command, words: list[str]) -> Line:
    """Parse a command line: find the command, read its flags, and check them.

    Flags may stand before the sub-command that defines them, as the original allows.
    """
    line = interpret(root, words)
    check(line)
    return line


def interpret(root: Command, words: list[str]) -> Line:
    """Find the command and read its flags; `check` decides which of them are required."""
    path, rest = _descend((root,), words)
    flags = flags_of(path)
    values: dict[str, Any] = {flag.name: flag.default for flag in flags.values()}
    given: set[str] = set()
    arguments: list[str] = []
    passed: list[str] = []
    warnings: list[str] = []
    for flag, word in _tokens(rest, flags):
        if flag is None or flag is PASSED:
            arguments.append(word)
            passed += [word] if flag is PASSED else []
            continue
        value = read(flag, word)
        values[flag.name] = (
            flag.type.merge(values[flag.name], value) if flag.name in given else value
        )
        given.add(flag.name)
        if flag.deprecated:
            warnings.append(f"Flag --{flag.name} has been deprecated, {flag.deprecated}")
    wants_help = bool(values.pop("help", False))
    understood = Values(values, frozenset(given), tuple(arguments), tuple(passed))
    return Line(path, understood, wants_help, tuple(warnings))


HELP = Flag("help", "Show this help", BOOL, short="h")
#: The flag of each argument behind `--`.
PASSED = Flag("--", "Words for another program")


def _descend(path: tuple[Command, ...], words: list[str]) -> tuple[tuple[Command, ...], list[str]]:
    """Follow the names of sub-commands; flags in between keep their place."""
    kept: list[str] = []
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word == "--":
            return path, [*kept, word, *pending]
        if word.startswith("-") and word != "-":
            kept.append(word)
            if pending and _takes_next_word(word, path):
                kept.append(pending.pop(0))
        elif path[-1].commands and (child := path[-1].child(word)) is not None:
            path = (*path, child)
        else:
            kept.append(word)
            if not path[-1].commands:
                return path, [*kept, *pending]
    return path, kept


def follow(root: Command, words: list[str]) -> tuple[tuple[Command, ...], Flag | None]:
    """The command of an unfinished command line, and the flag that needs a value next."""
    path: tuple[Command, ...] = (root,)
    waiting: Flag | None = None
    for word in words:
        if waiting is not None:
            waiting = None
        elif word.startswith("-"):
            waiting = _awaiting(word, path)
        elif (child := path[-1].child(word)) is not None:
            path = (*path, child)
    return path, waiting


def _takes_next_word(word: str, path: tuple[Command, ...]) -> bool:
    return _awaiting(word, path) is not None


def _awaiting(word: str, path: tuple[Command, ...]) -> Flag | None:
    """The flag that a word names, if the next word is its value."""
    if "=" in word:
        return None
    flags = {**flags_of(path), "help": HELP}
    name = word.lstrip("-")
    flag = flags.get(name) or next((each for each in flags.values() if each.short == name), None)
    return None if flag is None or flag.type is BOOL else flag


def _tokens(words: list[str], flags: dict[str, Flag]) -> Iterator[tuple[Flag | None, str]]:
    """Pair each flag with its word; positional words come with none, or with `PASSED`."""
    known = {**flags, "help": flags.get("help", HELP)}
    by_short = {flag.short: flag for flag in known.values() if flag.short}
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word == "--":
            yield from ((PASSED, each) for each in pending)
            return
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if not name or name.startswith("-"):
                raise UsageError(f"bad flag syntax: {word}")
            if name not in known:
                raise UsageError(f"unknown flag: --{name}")
            yield known[name], value if equals else _next(known[name], word, pending)
        elif word.startswith("-") and word != "-":
            yield from _shorthands(word, by_short, pending)
        else:
            yield None, word


def _shorthands(
    word: str, by_short: dict[str, Flag], pending: list[str]
) -> Iterator[tuple[Flag, str]]:
    letters = word[1:]
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter not in by_short:
            raise UsageError(f"unknown shorthand flag: '{letter}' in {word}")
        flag = by_short[letter]
        if letters.startswith("="):
            yield flag, letters[1:]
            return
        if flag.type is not BOOL and letters:
            yield flag, letters
            return
        yield flag, _next(flag, word, pending, f"'{letter}' in {word}")


def _next(flag: Flag, word: str, pending: list[str], shown: str = "") -> str:
    if flag.type is BOOL:
        return "true"
    if not pending:
        raise UsageError(f"flag needs an argument: {shown or word}")
    return pending.pop(0)


def check(line: Line) -> None:
    """Refuse a line that runs a command without what it needs, or with what it cannot take."""
    if line.wants_help or line.command.run is None:
        return
    flags = flags_of(line.path)
    missing = sorted(
        flag.name for flag in flags.values() if flag.required and not line.values.has(flag.name)
    )
    if missing:
        names = ", ".join(f'"{name}"' for name in missing)
        raise UsageError(f"required flag(s) {names} not set")
    for group in sorted(line.command.exclusive, key=" ".join):
        present = sorted(name for name in group if line.values.has(name))
        if len(present) > 1:
            raise UsageError(
                f"if any flags in the group [{' '.join(group)}] are set none of the others can be; "
                f"[{' '.join(present)}] were all set"
            )
    if line.values.arguments and not line.command.arguments:
        words = " ".join(command.name for command in line.path)
        unexpected = line.values.arguments[0]
        raise UsageError(f'unknown command "{unexpected}" for "{words}"')
