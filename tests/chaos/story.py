"""What users go on doing meanwhile: clusters come, change and go, pools grow and shrink."""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.target import Fleet
from tests.e2e.hosted import Hosted

#: A user's patience with one wish while everything around it breaks.
PATIENCE = 900.0
AGAIN = 3.0
PAUSES = (5.0, 30.0)
PROFILES = ("Default", "WriteRequestBodies", "AllRequestBodies")
NODES = (1, 2, 3)


@dataclass
class Story:
    """A user of the fleet. Each wish is repeated until the management API took it."""

    fleet: Fleet
    rng: random.Random
    files: Path
    #: How often each wish was fulfilled.
    done: dict[str, int] = field(default_factory=dict)
    #: Wishes that patience did not suffice for.
    failed: list[str] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _number: int = 0

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Live while the block runs; the wish under way is brought to its end."""
        threads = [
            threading.Thread(target=self._run, args=(act,), daemon=True)
            for act in (self._live_and_die, self._change)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(3 * PATIENCE)

    def _run(self, act: Callable[[], None]) -> None:
        while not self._stop.wait(self.rng.uniform(*PAUSES)):
            try:
                act()
            except AssertionError as error:
                self.failed.append(f"{act.__name__.strip('_')}: {error}")

    def _live_and_die(self) -> None:
        """A cluster without nodes: created, available, changed, destroyed."""
        self._number += 1
        made = Hosted(self.fleet.management, f"brief-{self._number}", self.files)
        began = time.monotonic()
        self._insist("create", lambda: made.create(wait=False), began)
        self._insist("become available", lambda: _available(made), began)
        if self.rng.random() < 0.5:
            self._insist("change", lambda: made.patch(_audit(self.rng)), began)
        self._insist("destroy", made.destroy, time.monotonic())

    def _change(self) -> None:
        """Scale, rotate or restart one of the clusters that live through everything."""
        hosted = self.rng.choice(self.fleet.hosted)
        now = time.monotonic()
        match self.rng.choice(("scale", "configure", "restart")):
            case "scale":
                self._insist("scale", lambda: _scale(hosted, self.rng.choice(NODES)), now)
            case "configure":
                self._insist("configure", lambda: hosted.patch(_audit(self.rng)), now)
            case _:
                mark = f"hypershift.openshift.io/restart-date={self.rng.randrange(1 << 30)}"
                self._insist("restart", lambda: hosted.annotate(mark), now)

    def _insist(self, wish: str, act: Callable[[], object], began: float) -> None:
        """Repeat a wish until it is fulfilled, as a person or a GitOps tool does."""
        while True:
            try:
                act()
            except AssertionError:
                if time.monotonic() > began + PATIENCE:
                    raise
                time.sleep(AGAIN)
            else:
                self.done[wish] = self.done.get(wish, 0) + 1
                return


def _available(hosted: Hosted) -> None:
    found = hosted.conditions().get("Available", {})
    assert found.get("status") == "True", f"{hosted.name} is not available: {found}"


def _scale(hosted: Hosted, replicas: int) -> None:
    words = ("scale", "nodepool", hosted.name, "-n", hosted.namespace, f"--replicas={replicas}")
    hosted.management.kubectl(*words)


def _audit(rng: random.Random) -> str:
    profile = rng.choice(PROFILES)
    return json.dumps({"spec": {"configuration": {"apiServer": {"audit": {"profile": profile}}}}})
