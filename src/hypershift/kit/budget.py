"""What a document of another party may cost us: bytes, nodes, depth, and what aliases repeat.

A YAML alias repeats a whole subtree, so a text of 400 bytes can describe 10^9 nodes. A `Meter`
counts a document as if every alias were expanded.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from hypershift.kit.errors import HypershiftError, InvalidSpec

KIBIBYTE: Final = 1024
MEBIBYTE: Final = 1024 * KIBIBYTE


class BadDocument(InvalidSpec):
    """A document that cannot be read, or that would cost more than its budget."""


class Malformed(BadDocument):
    """A text that breaks the rules of its format."""


#: Errors that reading an unexpected value may raise. Not MemoryError: the budget prevents it, and
#: without memory no handler can work.
_SURPRISES = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


@contextmanager
def refusing(what: str) -> Iterator[None]:
    """Turn what a reader did not expect of a user's document into a refusal of that document.

    The error's own message may quote the document, so that its type has to do.
    """
    try:
        yield
    except HypershiftError:
        raise
    except _SURPRISES as error:
        raise BadDocument(f"{what} cannot be read: {type(error).__name__}") from None


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that one document may cost."""

    size: int = MEBIBYTE
    """Bytes of the text. The API server takes no larger Secret or ConfigMap either."""
    nodes: int = 100_000
    depth: int = 100
    """Maps and lists within each other; our readers recurse, and Python's stack ends at 1000."""

    def check_size(self, text: str | bytes) -> None:
        """Refuse a text that is too long to be looked at."""
        size = len(text)
        if size > self.size:
            raise BadDocument(f"the document has {size} bytes, at most {self.size} are allowed")


USER: Final = Budget()
#: Documents of a release: image lists and boot images of every cloud and region.
RELEASE: Final = Budget(size=16 * MEBIBYTE, nodes=1_000_000)

#: go-yaml's rule (`allowedAliasRatio`): which part of the nodes may come from aliases.
_FEW_ALIASED, _FEW_NODES = 100, 1000
_LENIENT, _STRICT = 400_000, 4_000_000
_LENIENT_RATIO, _STRICT_RATIO = 0.99, 0.10
#: What aliases may add at most to what is written, in nodes and in characters.
_GROWTH, _SPARE_NODES, _SPARE_CHARACTERS = 4, 4_000, 64 * KIBIBYTE


def allowed_ratio(nodes: int) -> float:
    """The part of a document's nodes that go-yaml lets aliases make."""
    if nodes <= _LENIENT:
        return _LENIENT_RATIO
    if nodes >= _STRICT:
        return _STRICT_RATIO
    span = (nodes - _LENIENT) / (_STRICT - _LENIENT)
    return _LENIENT_RATIO - (_LENIENT_RATIO - _STRICT_RATIO) * span


@dataclass(frozen=True, slots=True)
class Mark:
    """The counts at the start of an anchored node."""

    nodes: int
    characters: int


@dataclass(slots=True)
class Meter:
    """Counts the nodes of one document while a parser reads it."""

    budget: Budget = USER
    nodes: int = 0
    characters: int = 0
    depth: int = 0
    aliased: int = 0
    _aliased_characters: int = 0
    _costs: dict[str, Mark] = field(default_factory=dict)

    def node(self, characters: int = 0) -> None:
        """Count one node that is written in the document."""
        self.nodes += 1
        self.characters += characters
        if self.nodes > self.budget.nodes:
            raise BadDocument(f"the document has more than {self.budget.nodes} values")

    def enter(self) -> None:
        """Go into a map or list."""
        self.depth += 1
        if self.depth > self.budget.depth:
            raise BadDocument(f"the document is nested more than {self.budget.depth} levels deep")

    def leave(self) -> None:
        """Come out of a map or list."""
        self.depth -= 1

    def mark(self) -> Mark:
        """The counts so far; `anchor` wants those from before the anchored node."""
        return Mark(self.nodes, self.characters)

    def anchor(self, name: str, before: Mark) -> None:
        """Remember what an anchored node costs, now that it is read."""
        self._costs[name] = Mark(self.nodes - before.nodes, self.characters - before.characters)

    def alias(self, name: str) -> bool:
        """Count an alias as the subtree that it repeats; False if no complete node has the name."""
        cost = self._costs.get(name)
        if cost is None:
            return False
        self.node()
        self.nodes += cost.nodes
        self.characters += cost.characters
        self.aliased += cost.nodes
        self._aliased_characters += cost.characters
        self._check_aliases()
        return True

    def _check_aliases(self) -> None:
        written = self.nodes - self.aliased
        text = self.characters - self._aliased_characters
        many = self.aliased > _FEW_ALIASED and self.nodes > _FEW_NODES
        if (
            (many and self.aliased / self.nodes > allowed_ratio(self.nodes))
            or self.aliased > _GROWTH * written + _SPARE_NODES
            or self._aliased_characters > _GROWTH * text + _SPARE_CHARACTERS
        ):
            raise BadDocument("document contains excessive aliasing")
