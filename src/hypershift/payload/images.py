"""The images of a Kubernetes payload: what each holds, and how its container starts."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from hypershift.oci import Settings, Tree, directory, file
from hypershift.payload import machine_os
from hypershift.payload.base import CERTIFICATES, NONROOT, PATH
from hypershift.payload.machine_os import network_tools

ENVIRONMENT = {"PATH": PATH, "SSL_CERT_FILE": f"/{CERTIFICATES}"}


@dataclass(frozen=True, slots=True)
class Program:
    """An image of programs of ours: static ones, and tools of the distribution beside them."""

    name: str
    programs: tuple[str, ...]
    tools: tuple[str, ...] = ()
    user: str = NONROOT
    #: The tool whose tree, newer than the base, brings the libraries too; they replace the base's.
    tree: str = ""
    #: In every payload, or only in one that was asked to have it.
    optional: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        return (*self.programs, *self.tools, "busybox")


_FIREWALL = ("conntrack", "ip", "ipset", "nft", "xtables-nft-multi")

PROGRAMS = (
    Program("etcd", ("etcd", "etcdctl", "etcdutl")),
    Program("kube-apiserver", ("kube-apiserver",)),
    Program("kube-controller-manager", ("kube-controller-manager",)),
    Program("kube-scheduler", ("kube-scheduler",)),
    Program("kube-proxy", ("kube-proxy",), _FIREWALL, user="0"),
    Program("kube-router", ("kube-router",), _FIREWALL, user="0"),
    Program("coredns", ("coredns",)),
    Program("konnectivity-server", ("konnectivity-server",)),
    Program("konnectivity-agent", ("konnectivity-agent",)),
    Program("cluster-api", ("cluster-api",)),
    Program("cluster-autoscaler", ("cluster-autoscaler",), optional=True),
    Program("aws-cluster-api-controllers", ("cluster-api-provider-aws",), optional=True),
    Program("aws-kms-encryption-provider", ("aws-encryption-provider",), optional=True),
    Program("haproxy", (), ("haproxy",), tree="haproxy"),
    Program("cli", (), ("curl",)),
    Program("busybox", (), user="0"),
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """An image before it is written: its layers, lowest first, and its settings."""

    layers: tuple[Tree, ...]
    settings: Settings


def program_image(
    program: Program, parts: Mapping[str, Path], tools: Path | None, base: Tree
) -> Recipe:
    """Programs on the common base."""
    tree = Tree().add_all(
        {f"usr/bin/{name}": file(parts[name], 0o755) for name in program.programs}
    )
    if program.tools:
        entries = network_tools(parts, program.tools, tools).entries
        kept = {} if program.tree else base.entries
        tree.add_all({path: each for path, each in entries.items() if path not in kept})
    layers = (base, tree) if tree.entries else (base,)
    return Recipe(layers, Settings(_entrypoint(program), (), ENVIRONMENT, program.user))


def _entrypoint(program: Program) -> tuple[str, ...]:
    if program.programs:
        return (f"/usr/bin/{program.programs[0]}",)
    return {"haproxy": ("/usr/sbin/haproxy",)}.get(program.name, ("/bin/sh",))


def pause_image(parts: Mapping[str, Path]) -> Recipe:
    """The smallest image: a pod's first container, alone on an empty root."""
    tree = Tree().add("pause", file(parts["pause"], 0o755)).add("tmp", directory(0o1777))
    return Recipe((tree,), Settings(("/pause",), (), {"PATH": "/"}, NONROOT))


def machine_image(parts: Mapping[str, Path], tools: Path | None, version: str) -> Recipe:
    """The root file system of machines."""
    return Recipe(machine_os.layers(parts, tools, version), machine_os.settings(version))


#: The images that a payload has only when it is asked to have them.
OPTIONAL = tuple(each.name for each in PROGRAMS if each.optional)


def names(optional: Collection[str] = ()) -> tuple[str, ...]:
    """The images of a payload with these optional ones, in the order of the release's list."""
    programs = (each.name for each in PROGRAMS if not each.optional or each.name in optional)
    return tuple(sorted((*programs, "pause", machine_os.NAME, "hypershift")))


def needed_parts(images: tuple[str, ...]) -> tuple[str, ...]:
    """The parts that images are made of, each once."""
    found = ["busybox"]
    for program in PROGRAMS:
        if program.name in images:
            found += program.parts
    if machine_os.NAME in images:
        found += machine_os.PARTS
    if "pause" in images:
        found.append("pause")
    return tuple(dict.fromkeys(found))
