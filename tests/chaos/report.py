"""What a run met: faults by kind, the longest silence of each API, what did not hold."""

from collections import defaultdict
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(slots=True)
class Blow:
    """One fault that happened, with the longest time without an acknowledged write by cluster."""

    fault: str
    what: str
    second: float
    lasted: float
    gaps: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Report:
    """One run; `problems` is empty when every invariant holds."""

    seed: int
    minutes: float
    run: dict[str, object] = field(default_factory=dict)
    blows: list[Blow] = field(default_factory=list)
    #: Faults for which no candidate was there, by their name.
    missed: list[str] = field(default_factory=list)
    clients: dict[str, dict[str, Any]] = field(default_factory=dict)
    wishes: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"seed {self.seed}: {len(self.blows)} faults, {len(self.missed)} found nothing"]
        lines += [f"  {row}" for row in self._table()]
        lines += [f"  {name}: {facts}" for name, facts in self.clients.items()]
        lines += [f"  fulfilled: {self.wishes}"]
        lines += [f"  PROBLEM {problem}" for problem in self.problems]
        return "\n".join(lines)

    def _table(self) -> list[str]:
        """Each kind of fault: how often, and the longest silence by cluster."""
        kinds: dict[str, list[Blow]] = defaultdict(list)
        for blow in self.blows:
            kinds[blow.fault].append(blow)
        clusters = sorted({name for blow in self.blows for name in blow.gaps})
        rows = [f"{'fault':42} {'times':>5}  " + "  ".join(f"{name:>10}" for name in clusters)]
        for kind, blows in sorted(kinds.items()):
            longest = (max(b.gaps.get(name, 0.0) for b in blows) for name in clusters)
            gaps = "  ".join(f"{gap:8.1f} s" for gap in longest)
            rows.append(f"{kind:42} {len(blows):5}  {gaps}")
        return rows
