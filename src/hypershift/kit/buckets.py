"""Token buckets: how often each of many parties may do something."""


class Buckets:
    """A bucket for each name, full at first; the names used longest ago are forgotten."""

    def __init__(self, burst: int, every: float, most: int = 4096) -> None:
        """Allow `burst` at once and then one in `every` seconds, for the last `most` names."""
        self._burst, self._every, self._most = burst, every, most
        self._known: dict[str, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def take(self, name: str, now: float) -> bool:
        """True if the name may do it once more now."""
        left, at = self._known.pop(name, (float(self._burst), now))
        left = min(float(self._burst), left + (now - at) / self._every)
        allowed = left >= 1.0
        self._known[name] = (left - 1.0 if allowed else left, now)
        while len(self._known) > self._most:
            self._known.pop(next(iter(self._known)))
        return allowed
