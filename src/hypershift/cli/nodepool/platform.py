"""What a platform adds to a NodePool: its flags, checks and section of the spec.

`create cluster` makes its first pools with the same values, so that both commands agree.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypershift.cli.flags import Flag, Values, words
from hypershift.kit import Manifest, UsageError

UPGRADE_TYPE = words(
    "UpgradeType",
    {"replace": "Replace", "inplace": "InPlace"},
    lambda word: f"unknown upgrade type used '{word}'",
)


def _nothing(_values: Values) -> Any:
    return None


@dataclass(frozen=True, slots=True)
class PoolPlatform:
    """A platform of `create nodepool`.

    `check` refuses flags, `complete` reads the ones that have an inner form, `section` gives
    `spec.platform.<key>` of a pool in the HostedCluster that is passed.
    """

    name: str
    type: str
    key: str
    summary: str
    upgrade_type: str
    section: Callable[[Values, Any, Manifest], Manifest]
    flags: tuple[Flag, ...] = ()
    developer_flags: tuple[Flag, ...] = ()
    check: Callable[[Values], None] = _nothing
    complete: Callable[[Values], Any] = _nothing


def parameters(flag: str, text: str, known: tuple[str, ...]) -> dict[str, str]:
    """Read `name:value,name:value`, the form of flags that describe one thing."""
    failing = f'failed to parse "--{flag}" flag'
    if not text:
        raise UsageError(f"{failing}: params may not be empty")
    found = {}
    for item in text.split(","):
        name, colon, value = item.partition(":")
        if not colon:
            raise UsageError(f"{failing}: params need to have at least one colon: {item}")
        found[name] = value
    unknown = ",".join(f"{name}:{value}" for name, value in found.items() if name not in known)
    if unknown:
        raise UsageError(f"{failing}: unknown param(s): {unknown}")
    return found


def present(section: Manifest) -> Manifest:
    """The section without empty texts, lists, maps and zeros."""
    return {name: value for name, value in section.items() if value not in ("", None, 0, [], {})}
