"""What has to be made: pieces that are wanted, minus those that a look at the cloud found.

pieces = network(wanted)               # pure: what there shall be, in order of dependence
steps = plan(pieces, look(account))    # pure: what is missing, printable
await apply(steps, ...)                # the only part that changes the cloud
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

#: What is known of pieces that exist: the id of each by the piece's key.
Ids = Mapping[str, str]

World = TypeVar("World")
Cloud = TypeVar("Cloud")


@dataclass(frozen=True)
class Piece(Generic[World, Cloud]):
    """One thing that shall exist: how it is found, and how it is made.

    `find` is pure and gives the id, or None when the piece is missing. `make` does what is missing
    and gives the id; it may run again after it failed half-way. Both know the ids of all `needs`.
    `log` is the line that reports it once made. What it `follows` is made before it too, but the
    piece is found without.
    """

    key: str
    text: str
    find: Callable[[World, Ids], str | None]
    make: Callable[[Cloud, Ids], str]
    log: Callable[[str, Ids], tuple[str, dict[str, str]]]
    needs: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan(Generic[World, Cloud]):
    """The pieces that are missing, in an order that respects their needs, and what is there."""

    steps: tuple[Piece[World, Cloud], ...]
    ids: Ids

    def lines(self) -> Iterator[str]:
        """One line for each step, as `--dry-run` prints them."""
        yield from (step.text for step in self.steps)


def plan(pieces: Sequence[Piece[World, Cloud]], world: World) -> Plan[World, Cloud]:
    """Tell which pieces are missing; a piece is looked for only when all it needs is there."""
    ids: dict[str, str] = {}
    missing: list[Piece[World, Cloud]] = []
    seen: set[str] = set()
    for piece in pieces:
        unknown = {*piece.needs, *piece.follows} - seen
        if unknown or piece.key in seen:
            raise ValueError(f"piece {piece.key} is out of order or double: {sorted(unknown)}")
        seen.add(piece.key)
        there = all(need in ids for need in piece.needs)
        if there and (found := piece.find(world, ids)) is not None:
            ids[piece.key] = found
        else:
            missing.append(piece)
    return Plan(tuple(missing), ids)
