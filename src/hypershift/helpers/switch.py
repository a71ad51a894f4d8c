"""Flags that are true or false, as Go's programs spell them."""

import argparse
from collections.abc import Sequence

_WORDS = {"true": True, "1": True, "t": True, "false": False, "0": False, "f": False}


def add_switch(parser: argparse.ArgumentParser, name: str, text: str) -> None:
    """Add a flag that is given as `--name` or `--name=true`."""
    parser.add_argument(name, nargs="?", const=True, default=False, type=_boolean, help=text)


def spelled_out(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """Arguments with `--name` as `--name=true`, so that the next argument is not its value."""
    switches = {
        name
        for action in parser._actions  # noqa: SLF001 - argparse has no other way to list them
        if action.const is True
        for name in action.option_strings
    }
    return [f"{word}=true" if word in switches else word for word in words]


def _boolean(word: str) -> bool:
    if word.lower() not in _WORDS:
        raise argparse.ArgumentTypeError(f"{word!r} is neither true nor false")
    return _WORDS[word.lower()]
