"""Asks OpenShift's update service which image a version is."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from hypershift.cloud.stores.http import Call, StoreFailed, send
from hypershift.kit import Clock, SystemClock, TransientError

ADDRESS: Final = "https://api.openshift.com/api/upgrades_info/graph"
#: A release of all processors, as machines of two may be made.
ARCHITECTURE: Final = "multi"
#: Bytes of an answer that are read: a channel has some hundred versions.
LONGEST: Final = 16 << 20
#: Seconds that an answer is believed.
LIFETIME: Final = 600.0
_MOST_KNOWN: Final = 100


@dataclass(slots=True)
class UpdateService:
    """The images of versions, remembered for a while."""

    address: str = ADDRESS
    clock: Clock = field(default_factory=SystemClock)
    _known: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict, repr=False)

    async def resolve(self, version: str, channel: str) -> str:
        """The image of a version in a channel; without one, in that of its minor's newest."""
        channel = channel or f"fast-{'.'.join(version.split('.')[:2])}"
        now = self.clock.monotonic()
        until, image = self._known.get((version, channel), (0.0, ""))
        if now < until:
            return image
        image = _image(await asyncio.to_thread(self._ask, channel), version, channel)
        while len(self._known) >= _MOST_KNOWN:
            self._known.pop(next(iter(self._known)))
        self._known[version, channel] = (now + LIFETIME, image)
        return image

    def _ask(self, channel: str) -> Any:
        asked = urlencode({"channel": channel, "arch": ARCHITECTURE})
        accept = {"Accept": "application/vnd.redhat.cincinnati.v1+json"}
        call = Call("GET", f"{self.address}?{asked}", accept)
        try:
            return json.loads(send(lambda: call, sleep=lambda _: None, longest=LONGEST).body)
        except StoreFailed as error:
            text = f"the update service {self.address} does not answer: {error}"
            raise TransientError(text[:1000]) from None
        except (ValueError, RecursionError):
            raise TransientError("the update service answers something that is no graph") from None


def _image(graph: Any, version: str, channel: str) -> str:
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict) and node.get("version") == version:
            if image := node.get("payload"):
                return str(image)
            raise TransientError(f'empty payload for version "{version}" in Cincinnati graph')
    text = f'version "{version}" not found in Cincinnati graph for channel "{channel}"'
    raise TransientError(text)
