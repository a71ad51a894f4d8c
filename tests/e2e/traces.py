"""What a cluster could leave on a host: a list of everything that `local up` touches."""

import json
import subprocess
from pathlib import Path

from hypershift.local.hostwide import (
    BRIDGE_FILTER,
    HOST_DIRECTORY,
    RUNTIME_DIRECTORY,
    WANTED_SYSCTLS,
)

Traces = dict[str, frozenset[str]]


def look(base: Path) -> Traces:
    """See what is there, by subject."""
    return {
        "processes": _processes(),
        "mounts": _mounts(),
        "namespaces": _lines("ip", "netns", "list"),
        "links": _links(),
        "addresses": _lines("ip", "-o", "-4", "address", "show"),
        "routes": _lines("ip", "-4", "route", "show", "table", "all"),
        "cgroups": _groups(),
        "sysctls": _sysctls(),
        "files": _files(base, HOST_DIRECTORY, RUNTIME_DIRECTORY),
    }


def left(before: Traces, after: Traces) -> dict[str, list[str]]:
    """What is new, or differs, by subject; empty when nothing is."""
    found = {name: sorted(after[name] ^ before[name]) for name in before}
    for name in ("processes", "mounts", "cgroups", "links"):  # what went by itself is no trace
        found[name] = sorted(after[name] - before[name])
    return {name: items for name, items in found.items() if items}


def _processes() -> frozenset[str]:
    """Every process that runs a part or one of our programs, by its words."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue
        if "hypershift" in words and "pytest" not in words:
            found.add(f"{path.parent.name} {words}")
    return frozenset(found)


def _mounts() -> frozenset[str]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return frozenset(line.split()[4] for line in lines)


def _links() -> frozenset[str]:
    text = subprocess.run(("ip", "-j", "link", "show"), check=True, capture_output=True).stdout
    return frozenset(link["ifname"] for link in json.loads(text))


def _groups() -> frozenset[str]:
    return frozenset(str(path) for path in Path("/sys/fs/cgroup").glob("**/hypershift/**"))


def _sysctls() -> frozenset[str]:
    paths = {
        name: Path("/proc/sys") / name.replace(".", "/")
        for name in (*WANTED_SYSCTLS, BRIDGE_FILTER)
    }
    there = {name: path for name, path in paths.items() if path.exists()}
    return frozenset(f"{name}={path.read_text().strip()}" for name, path in there.items())


def _files(*places: Path) -> frozenset[str]:
    return frozenset(str(path) for place in places if place.exists() for path in place.rglob("*"))


def _lines(*argv: str) -> frozenset[str]:
    text = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
    return frozenset(line.strip() for line in text.splitlines())
