"""Options as types: a command declares what it reads of its flags, and gets it as attributes.

    @dataclass(frozen=True, slots=True)
    class Up:
        name: str
        nodes: int | None

    async def up(options: Up) -> None: ...

    UP = Command("up", "Create the cluster", run=Typed(Up, up), flags=(...))

A field is called like its flag, with `_` for `-`, and behind a word of Python's (`as_`); `named`
gives the flag of another one. A field that may be None is None unless the user gave the flag. One
with a default keeps it where the command has no such flag: some flags are those of one program
alone. A field whose type is a dataclass takes the options of that type from the same flags.

Four fields are no flag's: `subject` is the one name that a command is given, as an argument or by
`--name`; `words` are all arguments, `passed` those behind `--`; `given` holds the names of the
flags that the user wrote. The parser reads the words first, so the messages are its own.
"""

from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from importlib import import_module
from types import NoneType
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from hypershift.cli.flags import Flag, Values

T = TypeVar("T")
Result = int | Coroutine[Any, Any, int | None] | None
_FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Typed(Generic[T]):
    """What runs a command: a function that takes typed options instead of `Values`."""

    options: Callable[..., T]
    run: Callable[[T], Result]

    def load(self) -> "Typed[T]":
        return self

    def __call__(self, values: Values) -> Result:
        return self.run(options(self.options, values))

    def flags(self) -> Iterator[str]:
        """The flags that the command reads."""
        return (each.flag for each in _reads(self.options))

    def unknown(self, flags: Mapping[str, Flag]) -> Iterator[str]:
        """The options that no flag of the command gives."""
        return (
            each.flag
            for each in _reads(self.options)
            if each.flag not in flags and not each.has_default
        )


@dataclass(frozen=True, slots=True)
class Nothing:
    """The options of a command that reads none of its flags."""


@dataclass(frozen=True, slots=True)
class Later:
    """A `Typed` whose module is imported when the command runs."""

    module: str
    attribute: str

    def load(self) -> Typed[Any]:
        command: Typed[Any] = getattr(import_module(self.module), self.attribute)
        return command

    def __call__(self, values: Values) -> Result:
        return self.load()(values)


def named(flag: str, *, default: Any = MISSING) -> Any:
    """A field whose flag has a name that no field can have."""
    return field(default=default, metadata={_FLAG: flag})


def options(kind: Callable[..., T], values: Values) -> T:
    """The options of a command line, as a value of their type."""
    read: dict[str, Any] = {}
    for each in _own(kind):
        if each.flag in values.values:
            lacks = each.may_lack and not values.has(each.flag)
            read[each.field] = None if lacks else values[each.flag]
    for name, part in _parts(kind).items():
        read[name] = options(part, values)
    for name in _names(kind):
        if name in _OTHERS:
            read[name] = _OTHERS[name](values)
    return kind(**read)


#: Fields that no flag gives.
_OTHERS: dict[str, Callable[[Values], Any]] = {
    "subject": Values.name,
    "words": lambda values: values.arguments,
    "passed": lambda values: values.passed,
    "given": lambda values: values.given,
}


@dataclass(frozen=True, slots=True)
class _Read:
    """A field, its flag, whether it may be None, and whether it can do without the flag."""

    field: str
    flag: str
    may_lack: bool
    has_default: bool


@cache
def _own(kind: Any) -> tuple[_Read, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _Read(
            each.name,
            each.metadata.get(_FLAG) or each.name.rstrip("_").replace("_", "-"),
            NoneType in get_args(hints[each.name]),
            each.default is not MISSING,
        )
        for each in fields(kind)
        if each.name not in _OTHERS and not is_dataclass(hints[each.name])
    )


@cache
def _parts(kind: Any) -> dict[str, Any]:
    """The fields that are options of their own."""
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind) if is_dataclass(hints[each.name])}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _reads(kind: Any) -> Iterator[_Read]:
    """The flags that options and their parts are read from."""
    yield from _own(kind)
    for part in _parts(kind).values():
        yield from _reads(part)
