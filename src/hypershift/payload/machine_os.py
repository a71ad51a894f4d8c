"""The `machine-os` image: the root file system of a machine, our counterpart of RHCOS.

A merged-usr tree that machines share read-only; /etc and /var come from each machine's own disk.
Lower layers change seldom, so that two releases of Kubernetes share them.
"""

from collections.abc import Mapping
from pathlib import Path

from hypershift.oci import Settings, Tree, directory, file, link
from hypershift.payload.base import PATH, accounts, busybox, data_files
from hypershift.payload.sysroot import MERGED, Sysroot, merged_links, sysroot, triplet

NAME = "machine-os"
VERSION_LABEL = "io.hypershift.machine-os.kubernetes-version"

RUNTIME = ("containerd", "containerd-shim-runc-v2", "ctr", "runc")
CNI = ("bridge", "host-local", "loopback", "portmap")
TOOLS = (
    "conntrack",
    "dash",
    "ethtool",
    "findmnt",
    "ip",
    "ipset",
    "losetup",
    "mount",
    "nft",
    "nsenter",
    "socat",
    "tc",
    "umount",
    "unshare",
    "xtables-nft-multi",
)
PARTS = ("kubelet", *RUNTIME, *CNI, *TOOLS, "busybox")

_IPTABLES = ("iptables", "iptables-restore", "iptables-save")
XTABLES_LINKS = (
    *(
        name.replace("iptables", family)
        for family in ("iptables", "ip6tables")
        for name in _IPTABLES
    ),
    *(
        f"{family}-nft{suffix}"
        for family in ("iptables", "ip6tables")
        for suffix in ("", "-restore", "-save")
    ),
    *("ebtables", "ebtables-nft", "arptables", "arptables-nft"),
)
_MOUNT_POINTS = (
    *("dev", "media", "mnt", "opt", "proc", "run", "sys", "var"),
    *("etc/cni/net.d", "etc/containerd", "etc/kubernetes", "etc/systemd/system"),
    *("usr/lib/modules", "usr/libexec"),
)
#: The ordinary user of a machine, as RHCOS has it.
_CORE = b"core:x:1000:1000:core:/var/home/core:/bin/sh\n"


def xtables(tools: Path | None) -> dict[str, Path]:
    """The extensions that iptables loads while it runs, which no header names."""
    root = tools or Path("/")
    found = root / "usr/lib" / triplet() / "xtables"
    return {f"usr/lib/{triplet()}/xtables/{each.name}": each for each in sorted(found.glob("*.so"))}


def network_tools(parts: Mapping[str, Path], names: tuple[str, ...], tools: Path | None) -> Sysroot:
    """Distribution programs with their libraries; iptables brings its extensions and names."""
    root = sysroot(tools)
    for name in names:
        root.add(parts[name])
    if "xtables-nft-multi" in names:
        for place, source in xtables(tools).items():
            root.add(source, place)
        root.entries |= {f"usr/sbin/{name}": link("xtables-nft-multi") for name in XTABLES_LINKS}
    return root


def layers(parts: Mapping[str, Path], tools: Path | None, version: str) -> tuple[Tree, ...]:
    """The layers of the image, lowest first."""
    return (
        _tools_layer(parts, tools),
        _programs({f"usr/bin/{name}": parts[name] for name in RUNTIME}).add_all(
            {f"opt/cni/bin/{name}": file(parts[name], 0o755) for name in CNI}
        ),
        _programs({"usr/bin/kubelet": parts["kubelet"]}),
        _release_layer(version),
    )


def settings(version: str) -> Settings:
    """How the image would start as a container, and the label with its version."""
    return Settings(
        command=("/usr/bin/busybox", "init"),
        environment={"PATH": PATH},
        labels={VERSION_LABEL: version},
    )


def _tools_layer(parts: Mapping[str, Path], tools: Path | None) -> Tree:
    root = network_tools(parts, TOOLS, tools)
    # busybox's shell runs its own mount and ip and ignores the path
    root.entries["usr/bin/sh"] = link("dash")
    root.add(parts["busybox"], "usr/bin/busybox")
    tree = Tree().add_all(merged_links()).add_all({f"usr/{name}": directory() for name in MERGED})
    tree.add_all(root.entries).add_all(busybox(parts["busybox"], root.entries))
    tree.add_all(accounts()).add_all(data_files(tools)).add_all(
        {path: directory() for path in _MOUNT_POINTS}
    )
    users = accounts()
    tree.add("etc/passwd", file(_content(users["etc/passwd"].content) + _CORE))
    tree.add("etc/group", file(_content(users["etc/group"].content) + b"core:x:1000:\n"))
    tree.add("home", link("var/home")).add("usr/local", link("../var/usrlocal"))
    tree.add("root", directory(0o700)).add("tmp", directory(0o1777))
    return tree.add("etc/machine-id", file(""))


def _content(content: bytes | Path) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _programs(places: Mapping[str, Path]) -> Tree:
    return Tree().add_all({place: file(source, 0o755) for place, source in places.items()})


def _release_layer(version: str) -> Tree:
    text = (
        'NAME="HyperShift machine-os"\n'
        "ID=hypershift\n"
        f"VERSION_ID={version}\n"
        f'PRETTY_NAME="HyperShift machine-os {version}"\n'
    )
    tree = Tree().add("usr/lib/os-release", file(text))
    return tree.add("etc/os-release", link("../usr/lib/os-release"))
