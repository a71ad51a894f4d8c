"""What a cluster could leave on a host: a list of everything that `local up` touches."""

import asyncio
import json
import os
import subprocess
from pathlib import Path

from tests.e2e.embedded import Cluster

from hypershift.local.cluster import node
from hypershift.local.host import tools
from hypershift.local.host.shared import (
    BRIDGE_FILTERS,
    FORWARDING_V6,
    HOST_DIRECTORY,
    RUNTIME_DIRECTORY,
    WANTED_SYSCTLS,
    bridge_filter,
)
from hypershift.local.machine.spec import link_of

Traces = dict[str, frozenset[str]]


def look(base: Path) -> Traces:
    """See what is there, by subject."""
    return {
        "processes": _processes(),
        "mounts": _mounts(),
        "namespaces": _lines("ip", "netns", "list"),
        "links": _links(),
        "tables": _tables(),
        "addresses": _by_family("-o", "address", "show"),
        "routes": _by_family("route", "show", "table", "all"),
        "cgroups": _groups(),
        "files": _files(base, HOST_DIRECTORY, RUNTIME_DIRECTORY),
    }


def marks(cluster: Cluster) -> tuple[str, ...]:
    """The words by which anything of one cluster is known, while others work on the same host."""
    spec, plan = cluster.spec, cluster.spec.plan
    scopes = (f"mgmt{spec.index}", f"hosted{spec.index}")
    links = tuple(link_of(scopes[0], name) for name in node.names(spec))
    network = str(plan.network.network_address).removesuffix("0.0")
    network_v6 = str(plan.network_v6.network_address).removesuffix(":")
    groups = tuple(f"hypershift/{scope}" for scope in scopes)
    networks = (network, network_v6)
    return (str(cluster.base), plan.bridge, *networks, f"range-{spec.index}", *groups, *links)


def left(before: Traces, after: Traces, words: tuple[str, ...]) -> dict[str, list[str]]:
    """What is there now, was not before, and bears a mark; empty when nothing is."""
    new = {name: sorted(after[name] - before[name]) for name in before}
    marked = {
        name: [item for item in items if any(word in item for word in words)]
        for name, items in new.items()
    }
    return {name: items for name, items in marked.items() if items}


def _processes() -> frozenset[str]:
    """Every process with its words and its control groups, which tell whose it is."""
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            groups = (path / "cgroup").read_text().replace("\n", " ")
        except OSError:
            continue
        if "pytest" not in words:
            found.add(f"{path.name} {words} {groups}")
    return frozenset(found)


def _mounts() -> frozenset[str]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return frozenset(line.split()[4] for line in lines)


def _links() -> frozenset[str]:
    text = subprocess.run(("ip", "-j", "link", "show"), check=True, capture_output=True).stdout
    return frozenset(link["ifname"] for link in json.loads(text))


def _tables() -> frozenset[str]:
    nft = asyncio.run(tools.nft())
    return _lines(*nft, "list", "tables")


def _groups() -> frozenset[str]:
    # `walk` passes over groups of other clusters that go meanwhile; `glob` ends with an error.
    found = (path for path, _, _ in os.walk("/sys/fs/cgroup"))
    return frozenset(path for path in found if "hypershift" in Path(path).parts)


def sysctls() -> frozenset[str]:
    """The settings of the kernel that the first cluster of a host changes."""
    paths = {
        name: Path("/proc/sys") / name.replace(".", "/")
        for name in (*WANTED_SYSCTLS, FORWARDING_V6, *map(bridge_filter, BRIDGE_FILTERS))
    }
    there = {name: path for name, path in paths.items() if path.exists()}
    return frozenset(f"{name}={path.read_text().strip()}" for name, path in there.items())


def _files(*places: Path) -> frozenset[str]:
    return frozenset(str(path) for place in places if place.exists() for path in place.rglob("*"))


def _by_family(*words: str) -> frozenset[str]:
    return _lines("ip", "-4", *words) | _lines("ip", "-6", *words)


def _lines(*argv: str) -> frozenset[str]:
    text = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
    return frozenset(line.strip() for line in text.splitlines())
