"""The patient: what `explain` names first, and how it is brought back to health."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.e2e.embedded import until
from tests.e2e.hosted import Hosted

PATIENCE = 420.0
NAME = os.environ.get("HYPERSHIFT_E2E_HOSTED", "broken")


def causes(hosted: Hosted, name: str = NAME, kind: str = "cluster") -> list[str]:
    """The objects that `explain` names, the first cause first."""
    done = hosted.hypershift(
        "explain", kind, name, "-n", hosted.namespace, "-o", "json", check=False
    )
    assert done.returncode in (0, 3), done.stderr
    found = [each["object"] for each in json.loads(done.stdout)["causes"]]
    return [f"{each['kind']} {each['namespace']}/{each['name']}" for each in found]


def names_first(hosted: Hosted, wanted: str, **which: str) -> Callable[[], bool]:
    """Whether `explain` names an object first; a name that ends in * is only begun."""

    def check() -> bool:
        found = causes(hosted, **which)
        assert found, "nothing is found"
        fits = found[0].startswith(wanted[:-1]) if wanted.endswith("*") else found[0] == wanted
        assert fits, found
        return True

    return check


def is_well(hosted: Hosted) -> bool:
    found = causes(hosted)
    assert not found, found
    return True


@contextmanager
def mended(hosted: Hosted, mend: Callable[[], object]) -> Iterator[None]:
    """Begin with a cluster that is well, and end with one."""
    until(lambda: is_well(hosted), PATIENCE, every=5)
    try:
        yield
    finally:
        mend()
    until(lambda: is_well(hosted), PATIENCE, every=5)


def restart(hosted: Hosted, app: str) -> None:
    """Have a pod of the control plane made anew."""
    words = ("delete", "pod", "-n", hosted.plane, "-l", f"app={app}", "--wait=false")
    hosted.management.kubectl(*words)


def hurry(hosted: Hosted, app: str) -> None:
    """Do not wait for a controller that was refused to try again: it takes its time."""
    words = ("delete", "replicaset", "-n", hosted.plane, "-l", f"app={app}", "--wait=false")
    hosted.management.kubectl(*words)
