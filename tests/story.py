"""`python -m tests.story`: one of soak's short stories for each run of CI, in turns.

A run of CI has time for one of them. The story that has waited longest is next: as many green runs
as there are stories have run all of them, and one that failed stays next until it is green. Where
several never ran on this machine the commit's hash decides, so that on a machine without a record
anybody can run what a commit ran. `--name NAME` runs one; `make history` tells which ran when.
"""

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence

from tests.lib.runs import JUNIT, STORY, Run, kept, record

SOAK = "tests/soak/test_"
#: What pytest is asked for; each has some minutes. Ten at most: ten runs have run all of them.
STORIES: Mapping[str, tuple[str, ...]] = {
    "restore": (f"{SOAK}hosted_recovery.py", "-k", "comes_back and SingleReplica"),
    "rollout": (f"{SOAK}nodes_rollouts.py", "-k", "nodes_are_reconfigured"),
    "tenants": (f"{SOAK}hosted_tenants.py",),
}
#: Run by name alone, until each was seen green by itself and in time: then it moves up.
WAITING: Mapping[str, tuple[str, ...]] = {
    "encryption": (f"{SOAK}hosted_encryption.py", "-k", "HighlyAvailable"),
    "failures": (f"{SOAK}hosted_failures.py", "-k", "spread or rebuilt"),
    "pools": (
        f"{SOAK}nodes_pools.py",
        f"{SOAK}hosted_bad_input.py",
        f"{SOAK}nodes_by_hand.py",
        *("-k", "not ports"),
    ),
    "repair": (f"{SOAK}nodes_repair.py", f"{SOAK}nodes_neighbours.py"),
    "restarts": (f"{SOAK}hosted_restart.py", f"{SOAK}hosted_stops.py"),
    "upgrade": (f"{SOAK}hosted_upgrade.py", "-k", "without_a_failed_request"),
    "zones": (f"{SOAK}zones.py",),
}
EVERY = {**STORIES, **WAITING}
#: So many hexadecimal digits of a commit decide.
DIGITS = 12


def due(commit: str, runs: Sequence[Run]) -> str:
    """The name of the story that has waited longest; the commit decides among those that never ran.

    `runs` are those that were kept, oldest first.
    """
    green = {run.story.suite: number for number, run in enumerate(runs, 1)
             if run.story is not None and not run.story.failed}  # fmt: skip
    longest = min(green.get(name, 0) for name in STORIES)
    waiting = sorted(name for name in STORIES if green.get(name, 0) == longest)
    return waiting[int(commit[:DIGITS], 16) % len(waiting)]


def newest_commit() -> str:
    argv = ("git", "rev-parse", "HEAD")
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def run(name: str) -> int:
    sys.stdout.write(f"story: {name}\n")
    sys.stdout.flush()
    results = ("-o", f"junit_suite_name={name}", f"--junitxml={JUNIT / STORY}.xml")
    argv = (
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "soak",
        *results,
        *EVERY[name],
    )
    return subprocess.run(argv, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.story", description=__doc__)
    parser.add_argument("--name", choices=sorted(EVERY), help="run this one")
    parser.add_argument("--next", action="store_true", help="say which one would run")
    chosen = parser.parse_args()
    name = chosen.name or due(newest_commit(), kept(record()))
    if chosen.next:
        sys.stdout.write(f"{name}\n")
        return 0
    return run(name)


if __name__ == "__main__":
    raise SystemExit(main())
