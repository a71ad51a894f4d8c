"""`python -m tests.story`: one of soak's short stories, chosen by the commit, for each run of CI.

A run of CI has time for one of them; the commit's hash decides which, so that landings take turns
and anybody can run again what a commit ran. `--list COUNT` tells which story belongs to which of
the last commits; `--name NAME` runs one by name.
"""

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence

#: Each has some minutes and needs nothing but the parts of `make test`.
STORIES: Mapping[str, str] = {
    "bad input": "tests/soak/test_hosted_bad_input.py",
    "by hand": "tests/soak/test_nodes_by_hand.py",
    "encryption": "tests/soak/test_hosted_encryption.py",
    "neighbours": "tests/soak/test_nodes_neighbours.py",
    "pools": "tests/soak/test_nodes_pools.py",
    "repair": "tests/soak/test_nodes_repair.py",
    "restart": "tests/soak/test_hosted_restart.py",
    "stops": "tests/soak/test_hosted_stops.py",
    "tenants": "tests/soak/test_hosted_tenants.py",
    "zones": "tests/soak/test_zones.py",
}
#: So many hexadecimal digits of a commit decide.
DIGITS = 12


def story_of(commit: str) -> str:
    """The name of the story that belongs to a commit."""
    names = sorted(STORIES)
    return names[int(commit[:DIGITS], 16) % len(names)]


def last_commits(count: int) -> list[tuple[str, str]]:
    """Hash and subject of commits, newest first."""
    argv = ("git", "log", f"-{count}", "--format=%H %s")
    lines = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.splitlines()
    return [(commit, subject) for commit, _, subject in (line.partition(" ") for line in lines)]


def table(commits: Sequence[tuple[str, str]]) -> str:
    return "".join(f"{story_of(sha):12} {sha[:10]} {subject}\n" for sha, subject in commits)


def run(name: str) -> int:
    sys.stdout.write(f"story: {name}\n")
    sys.stdout.flush()
    argv = (sys.executable, "-m", "pytest", "-q", "-m", "soak", STORIES[name])
    return subprocess.run(argv, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.story", description=__doc__)
    parser.add_argument("--list", type=int, metavar="COUNT", help="stories of the last commits")
    parser.add_argument("--name", choices=sorted(STORIES), help="run this one")
    chosen = parser.parse_args()
    if chosen.list:
        sys.stdout.write(table(last_commits(chosen.list)))
        return 0
    return run(chosen.name or story_of(last_commits(1)[0][0]))


if __name__ == "__main__":
    raise SystemExit(main())
