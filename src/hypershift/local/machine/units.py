"""systemd units as a machine has them: found, read with their drop-ins, and put in order.

A machine runs no systemd. Services keep their meaning as far as their directives are in `Service`;
a directive beyond is named in `surprises` and ignored, as systemd does with one it does not know.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

from hypershift.kit import TerminalError
from hypershift.local.machine import tree

DIRECTORIES: Final = ("/etc/systemd/system", "/usr/lib/systemd/system")
PRESETS: Final = ("/etc/systemd/system-preset", "/usr/lib/systemd/system-preset")
#: systemd's own rule for names.
_NAME: Final = re.compile(r"[A-Za-z0-9:_@\\-][A-Za-z0-9:_.@\\-]*\.[a-z]+")
#: systemd's limit; suffixes of ours (`.run`, `.log`) must fit into a file name too.
MAX_NAME: Final = 240
#: A machine has a handful; each costs a shell.
MAX_UNITS: Final = 200
#: Points in time that have always passed when a machine's units start, and groups of units.
PASSIVE: Final = (".target", ".slice")

#: Directives with no meaning for a machine of ours, where ignoring them changes nothing promised.
HARMLESS: Final = frozenset({
    "Description", "Documentation", "WantedBy", "RequiredBy", "Alias", "DefaultDependencies",
    "Conflicts", "KillMode", "Delegate", "Slice", "NotifyAccess",
    "SyslogIdentifier", "StandardOutput", "StandardError", "LimitNOFILE", "LimitNPROC",
    "LimitCORE", "LimitMEMLOCK", "TasksMax", "OOMScoreAdjust", "CPUAccounting",
    "MemoryAccounting", "IOAccounting", "StartLimitInterval", "StartLimitIntervalSec",
    "StartLimitBurst", "TimeoutStartSec", "TimeoutSec", "SuccessExitStatus", "PIDFile",
    "SendSIGKILL", "User",
})  # fmt: skip


class UnitError(TerminalError):
    """A unit that cannot run on a machine; the message names it."""


class Kind(StrEnum):
    """How a service reports that it has started."""

    SIMPLE = "simple"
    ONESHOT = "oneshot"


#: systemd's types; `notify` counts as started once its process runs and ExecStartPost is through.
KINDS: Final = {
    "simple": Kind.SIMPLE,
    "exec": Kind.SIMPLE,
    "idle": Kind.SIMPLE,
    "notify": Kind.SIMPLE,
    "notify-reload": Kind.SIMPLE,
    "oneshot": Kind.ONESHOT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The settings of a service unit that a machine supports."""

    name: str
    kind: Kind = Kind.SIMPLE
    environment: tuple[str, ...] = ()
    environment_files: tuple[str, ...] = ()
    start_pre: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    start_post: tuple[str, ...] = ()
    stop: tuple[str, ...] = ()
    restart: str = "no"
    restart_seconds: float = 0.1
    stop_seconds: float = 10.0
    kill_signal: str = "TERM"
    remain_after_exit: bool = False
    working_directory: str = "/"
    runtime_directories: tuple[str, ...] = ()
    state_directories: tuple[str, ...] = ()
    conditions: tuple[tuple[str, str], ...] = ()
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()
    surprises: tuple[str, ...] = ()


def enabled_services(root: Path) -> tuple[Service, ...]:
    """The services that a machine starts, in an order that honours `After`."""
    wanted = _enabled(root)
    found: dict[str, Service] = {}
    while wanted:
        name = wanted.pop()
        if name in found or name.endswith(PASSIVE) or not is_name(name):
            continue
        if len(found) == MAX_UNITS:
            raise UnitError(f"more than {MAX_UNITS} units are enabled")
        text = _text(root, name)
        if text is None:
            continue
        found[name] = parse(name, text)
        wanted |= set(found[name].requires) | set(found[name].wants)
    return _ordered(found)


def is_name(name: str) -> bool:
    """Whether a unit can have this name, which becomes a file, a log and an argument in a script.

    A unit with another name counts as missing, as one without a file does.
    """
    return len(name) <= MAX_NAME and _NAME.fullmatch(name) is not None


def parse(name: str, text: str) -> Service:
    """Read a unit; several fragments follow each other in `text`, a later one adds or resets."""
    if not name.endswith(".service"):
        raise UnitError(f"unit {name}: a machine runs services only")
    values = _values(name, text)

    def last(key: str, default: str) -> str:
        return (values.get(key) or [default])[-1]

    def words(key: str) -> tuple[str, ...]:
        return tuple(word for line in values.get(key, []) for word in line.split())

    kind = KINDS.get(last("Type", "oneshot" if not values.get("ExecStart") else "simple"))
    if kind is None:
        raise UnitError(f"unit {name}: Type={last('Type', '')} is not supported on a machine")
    if last("User", "root") not in ("root", "0"):
        raise UnitError(f"unit {name}: User={last('User', '')} is not supported, only root")
    conditions = (
        (key, value) for key in values if key.startswith("Condition") for value in values[key]
    )
    return Service(
        name=name,
        kind=kind,
        environment=tuple(values.get("Environment", ())),
        environment_files=tuple(values.get("EnvironmentFile", ())),
        start_pre=tuple(values.get("ExecStartPre", ())),
        start=tuple(values.get("ExecStart", ())),
        start_post=tuple(values.get("ExecStartPost", ())),
        stop=tuple(values.get("ExecStop", ())),
        restart=last("Restart", "no"),
        restart_seconds=seconds(last("RestartSec", "100ms")),
        stop_seconds=min(seconds(last("TimeoutStopSec", "10")), 90.0),
        kill_signal=last("KillSignal", "TERM").removeprefix("SIG"),
        remain_after_exit=last("RemainAfterExit", "no") in ("yes", "true", "on", "1"),
        working_directory=last("WorkingDirectory", "/").removeprefix("-"),
        runtime_directories=words("RuntimeDirectory"),
        state_directories=words("StateDirectory"),
        conditions=tuple(conditions),
        after=words("After"),
        before=words("Before"),
        requires=words("Requires") + words("BindsTo") + words("Requisite"),
        wants=words("Wants"),
        surprises=tuple(sorted(key for key in values if key not in KNOWN | HARMLESS)),
    )


KNOWN: Final = frozenset({
    "Type", "Environment", "EnvironmentFile", "ExecStartPre", "ExecStart", "ExecStartPost",
    "ExecStop", "Restart", "RestartSec", "TimeoutStopSec", "KillSignal", "RemainAfterExit",
    "WorkingDirectory", "RuntimeDirectory", "StateDirectory", "After", "Before", "Requires",
    "BindsTo",
    "Requisite", "Wants", "ConditionPathExists", "ConditionPathIsDirectory",
    "ConditionFileNotEmpty", "ConditionFirstBoot",
})  # fmt: skip

_UNITS_OF_TIME: Final = {
    "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "": 1.0,
}  # fmt: skip


def seconds(text: str) -> float:
    """A time span as systemd writes it: `5`, `100ms`, `1min 30s`, `infinity`."""
    if text == "infinity":
        return float("inf")
    total = 0.0
    for word in text.split():
        figure = word.rstrip("abcdefghijklmnopqrstuvwxyz")
        try:
            total += float(figure) * _UNITS_OF_TIME[word[len(figure) :]]
        except (ValueError, KeyError):
            raise UnitError(f"{text!r} is no time span") from None
    return total


def _values(name: str, text: str) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for number, line in _lines(text):
        if line.startswith("["):
            continue
        key, equals, value = line.partition("=")
        if not equals:
            raise UnitError(f"unit {name}: line {number} is not of the form Key=value")
        entries = values.setdefault(key.strip(), [])
        if value.strip():
            entries.append(value.strip())
        else:
            entries.clear()
    return values


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered logical lines: continued ones joined, comments and blank ones dropped."""
    held, number = "", 0
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if line.startswith(("#", ";")):
            continue
        if line.endswith("\\"):
            held += line[:-1] + " "
        elif held + line:
            yield number, held + line
            held = ""
    if held.strip():
        yield number, held.strip()


def _enabled(root: Path) -> set[str]:
    """Units that a preset enables (the first matching line counts) or that a target wants."""
    verdicts: dict[str, bool] = {}
    for path in _paths(root, PRESETS, "*.preset"):
        for line in (tree.read_text(root, path) or "").splitlines():
            verb, _, name = line.strip().partition(" ")
            if verb in ("enable", "disable"):
                verdicts.setdefault(name.strip(), verb == "enable")
    wanted = {name for name, enabled in verdicts.items() if enabled}
    for path in _paths(root, DIRECTORIES, "*.wants"):
        wanted |= set(tree.names(root, path))
    return {name for name in wanted if not name.endswith(PASSIVE)}


def _text(root: Path, name: str) -> str | None:
    """A unit's own file and its drop-ins by name, in one; None when it is missing or masked."""
    fragments: list[str] = []
    for directory in DIRECTORIES:
        path = f"{directory}/{name}"
        if _is_masked(root, path):
            return None
        if (own := tree.read_text(root, path)) is not None:
            fragments.append(own)
            break
    dropins = {
        path.rpartition("/")[2]: path
        for directory in reversed(DIRECTORIES)
        for path in _paths(root, (f"{directory}/{name}.d",), "*.conf")
    }
    fragments += [tree.read_text(root, dropins[key]) or "" for key in sorted(dropins)]
    return "\n".join(fragments) if fragments else None


def _is_masked(root: Path, path: str) -> bool:
    place = tree.inside(root, path)
    return place.is_symlink() and str(place.readlink()) == "/dev/null"


def _paths(root: Path, directories: Iterable[str], pattern: str) -> Iterator[str]:
    """What matches in these directories of the machine, as the machine names it."""
    for directory in directories:
        yield from (f"{directory}/{name}" for name in tree.names(root, directory, pattern))


def _ordered(found: Mapping[str, Service]) -> tuple[Service, ...]:
    """Every service after those it names, and after those that want to be before it."""
    graph = {name: set(service.after) & set(found) for name, service in sorted(found.items())}
    for name, service in found.items():
        for other in set(service.before) & set(found):
            graph[other].add(name)
    try:
        order = tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise UnitError(f"units wait for each other: {' -> '.join(error.args[1])}") from None
    return tuple(replace(found[name], after=tuple(sorted(graph[name]))) for name in order)
