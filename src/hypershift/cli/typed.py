"""Options as types: a command declares what it reads of its flags, and gets it as attributes.

    @dataclass(frozen=True, slots=True)
    class Up:
        name: str
        nodes: int | None

    async def up(options: Up) -> None: ...

    UP = Command("up", "Create the cluster", run=Typed(Up, up), flags=(...))

A field is called like its flag, with `_` for `-`, and behind a word of Python's (`as_`). One that
may be None is None unless the user gave the flag. Four fields are no flag's: `subject` is the one
name that a command is given, as an argument or by `--name`; `words` are all arguments, `passed`
those behind `--`; `given` holds the names of the flags that the user wrote. The parser reads the
words first, so the messages are its own.
"""

from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import NoneType
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from hypershift.cli.flags import Flag, Values

T = TypeVar("T")
Result = int | Coroutine[Any, Any, int | None] | None


@dataclass(frozen=True, slots=True)
class Typed(Generic[T]):
    """What runs a command: a function that takes typed options instead of `Values`."""

    shape: Callable[..., T]
    run: Callable[[T], Result]

    def __call__(self, values: Values) -> Result:
        return self.run(options(self.shape, values))

    def unknown(self, flags: Mapping[str, Flag]) -> Iterator[str]:
        """The options that no flag of the command gives."""
        return (name for name in _flags(self.shape) if name not in flags)


def options(shape: Callable[..., T], values: Values) -> T:
    """The options of a command line, as a value of their type."""
    read = {
        field: None if may_lack and not values.has(name) else values[name]
        for name, (field, may_lack) in _flags(shape).items()
    }
    others = {field: _OTHERS[field](values) for field in _fields(shape) if field in _OTHERS}
    return shape(**read, **others)


#: Fields that no flag gives.
_OTHERS: dict[str, Callable[[Values], Any]] = {
    "subject": Values.name,
    "words": lambda values: values.arguments,
    "passed": lambda values: values.passed,
    "given": lambda values: values.given,
}


@cache
def _flags(shape: Any) -> dict[str, tuple[str, bool]]:
    """The flag of each option, the option's field, and whether it may be None."""
    hints = get_type_hints(shape)
    return {
        field.rstrip("_").replace("_", "-"): (field, NoneType in get_args(hints[field]))
        for field in _fields(shape)
        if field not in _OTHERS
    }


@cache
def _fields(shape: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(shape))
