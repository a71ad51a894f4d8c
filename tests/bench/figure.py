"""One measured figure, beside its budget when it has one."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """A value; `most` or `least` is its budget."""

    name: str
    value: float
    unit: str
    most: float | None = None
    least: float | None = None

    @property
    def within(self) -> bool:
        return (self.most is None or self.value <= self.most) and (
            self.least is None or self.value >= self.least
        )

    @property
    def budget(self) -> str:
        if self.most is not None:
            return f"<= {self.most:g}"
        return f">= {self.least:g}" if self.least is not None else "reported"

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"within": self.within}


def table(figures: Sequence[Figure]) -> str:
    """The figures in columns."""
    rows = [("figure", "value", "budget", "")]
    rows += [
        (one.name, f"{one.value:.4g} {one.unit}", one.budget, "" if one.within else "MISSED")
        for one in figures
    ]
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )
