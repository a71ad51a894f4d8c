"""How long it took from the creation of an object until one of its conditions became True."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from prometheus_client import Histogram
from prometheus_client.core import Metric

from hypershift.api.conditions import ConditionStatus
from hypershift.kit import Manifest, from_rfc3339
from hypershift.runtime import condition_of

BUCKETS = (5, 10, 20, 30, 60, 90, 120, 180, 240, 300, 360, 480, 600)


class Transitions:
    """A histogram of the transitions that happened between one scrape and the next.

    A window of time, and no list of what was seen: it forgets nothing that matters when an object
    is deleted, and a replica that takes clusters over does not count what another one has.
    """

    def __init__(self, name: str, text: str, conditions: Iterable[str], began: datetime) -> None:
        """Count from now on."""
        self._histogram = Histogram(name, text, ["condition"], buckets=BUCKETS, registry=None)
        self._conditions, self._seen_until = tuple(conditions), began

    def families(self, manifests: Sequence[Manifest], now: datetime) -> Iterable[Metric]:
        """Count what became True since the last scrape."""
        for kind in self._conditions:
            for manifest in manifests:
                self._observe(kind, manifest, now)
        self._seen_until = now
        return self._histogram.collect()

    def _observe(self, kind: str, manifest: Manifest, now: datetime) -> None:
        found = condition_of(manifest, kind)
        if (
            found is None
            or found["status"] != ConditionStatus.TRUE
            or not found.get("lastTransitionTime")
        ):
            return
        moment = from_rfc3339(found["lastTransitionTime"])
        if self._seen_until < moment <= now:
            created = from_rfc3339(manifest["metadata"]["creationTimestamp"])
            self._histogram.labels(condition=kind).observe((moment - created).total_seconds())
