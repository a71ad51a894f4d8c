"""What the catalogue of OpenShift costs: the first rendering in a process, and one more."""

import subprocess
import sys
import time

from tests.bench.figure import Figure
from tests.golden.scenarios import openshift

from hypershift.component import View, render, runs
from hypershift.controlplane import catalog
from hypershift.release import Product

#: The scenario with the fewest peculiarities.
SCENARIO = "openshift-single"
ROUNDS = 7


def figures() -> list[Figure]:
    """Every component of one cluster, in CPU time: neighbours do not count."""
    view = openshift()[SCENARIO]
    again = min(seconds(view) for _ in range(ROUNDS)) * 1000
    return [
        Figure("render OpenShift's catalogue, after import", _first() * 1000, "ms", most=150),
        Figure("render OpenShift's catalogue again", again, "ms", most=20),
    ]


def seconds(view: View) -> float:
    """CPU seconds of rendering every component that runs."""
    start = time.process_time()
    for component in catalog(Product.OPENSHIFT, view.spec):
        if runs(component, view):
            render(component, view)
    return time.process_time() - start


def _first() -> float:
    """CPU seconds in a new interpreter, where no manifest was read yet; the best of a few."""
    name = "tests.bench.bench_catalogue"
    code = f"from {name} import *; print(seconds(openshift()[SCENARIO]))"
    command = [sys.executable, "-c", code]
    done = (subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(4))
    return min(float(each.stdout) for each in done)
