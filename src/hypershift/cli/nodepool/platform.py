"""What a platform adds to a NodePool: its flags, checks and section of the spec.

`create cluster` makes its first pools with the same options, so that both commands agree.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from hypershift.cli.flags import Flag, one_of
from hypershift.kit import Manifest, UsageError

UPGRADE_TYPE = one_of(
    "UpgradeType",
    {"replace": "Replace", "inplace": "InPlace"},
    lambda word: f"unknown upgrade type used '{word}'",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolOptions:
    """What `create nodepool` is given for every platform."""

    arch: str
    auto_repair: bool
    cluster_name: str
    name: str
    namespace: str
    node_count: int | None
    node_upgrade_type: str
    release_image: str
    render: bool
    replicas: int


Options = TypeVar("Options", bound=PoolOptions)


def _nothing(_options: PoolOptions) -> Any:
    return None


@dataclass(frozen=True, slots=True)
class PoolPlatform(Generic[Options]):
    """A platform of `create nodepool`, with the type of its options.

    `check` refuses flags, `complete` reads the ones that have an inner form, `section` gives
    `spec.platform.<key>` of a pool in the HostedCluster that is passed.
    """

    name: str
    type: str
    key: str
    upgrade_type: str
    options: Callable[..., Options]
    section: Callable[[Options, Any, Manifest], Manifest]
    flags: tuple[Flag, ...] = ()
    developer_flags: tuple[Flag, ...] = ()
    check: Callable[[Options], None] = _nothing
    complete: Callable[[Options], Any] = _nothing


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
