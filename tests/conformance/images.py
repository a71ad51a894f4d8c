"""The images that conformance specs want, assembled from parts and the distribution's packages.

They carry the names that the suite asks for, since a machine may have no way to the registries
that hold the originals. Nothing of the originals is kept in the repository: small files that
specs read (pages, a certificate) are copied from the Go module of the suite.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from hypershift import oci, parts
from hypershift.oci import Settings, Tree, directory, file, link
from hypershift.parts import debian
from hypershift.parts.cache import Cache
from hypershift.parts.process import run
from hypershift.parts.recipe import module_directory
from hypershift.parts.table.tool import CONFORMANCE
from hypershift.parts.toolchain import find_toolchain
from hypershift.payload.base import PATH, base_tree
from hypershift.payload.images import Recipe, pause_image
from hypershift.payload.memo import write_image
from hypershift.payload.sysroot import sysroot

E2E = "registry.k8s.io/e2e-test-images"
#: Programs of the distribution that specs call in their pods, by package.
TOOLS = {
    "bash": ("bin/bash",),
    "bind9-dnsutils": ("usr/bin/dig", "usr/bin/nslookup"),
    "bind9-host": ("usr/bin/host",),
    "bind9-libs": (),  # fetched by name: its name says nothing of a library
    "curl": ("usr/bin/curl",),
    "iperf": ("usr/bin/iperf",),
    "iproute2": ("bin/ip", "bin/ss"),
    "iptables": ("usr/sbin/xtables-nft-multi",),
    "conntrack": ("usr/sbin/conntrack",),
    "netcat-openbsd": ("bin/nc.openbsd",),
    "wget": ("usr/bin/wget",),
    "nginx": ("usr/sbin/nginx",),
}
#: Names under which specs call programs that the distribution names otherwise.
LINKS = {
    "usr/bin/nc": "nc.openbsd",
    "usr/local/bin/iperf": "/usr/bin/iperf",
    # Shells of busybox up to 1.37 and dash drop variables whose names are no shell names, such as
    # `data-1`; specs print them with `sh -c env`. bash passes them on.
    "usr/bin/sh": "bash",
}
PARTS = (
    "agnhost",
    "nonewprivs",
    "sample-apiserver",
    "etcd",
    "etcdctl",
    "pause",
    "busybox",
    "coredns",
)
_ENVIRONMENT = {"PATH": PATH}
_NGINX = """\
worker_processes 1;
daemon off;
error_log /dev/stderr;
pid /tmp/nginx.pid;
events {}
http { server { listen 80; root /usr/share/nginx/html; } access_log /dev/stdout; }
"""


@dataclass(frozen=True, slots=True)
class Sources:
    """What images are made from."""

    binaries: dict[str, Path]
    packages: Path
    module: Path

    def files(self, image: str) -> Path:
        """The directory of an image's own files in the suite's module."""
        return self.module / "test" / "images" / image


async def find_sources() -> Sources:
    """Get the parts, the packages and the suite's module."""
    settings = parts.Settings.from_environment()
    cache = Cache(settings.cache / "parts")
    packages = await debian.fetch_tree(cache, tuple(sorted(TOOLS)), parts.to_stderr)
    toolchain = await find_toolchain(settings.cache, parts.to_stderr)
    listed = await run(
        (toolchain.command, "mod", "download", "-json", CONFORMANCE.upstream),
        directory=module_directory(CONFORMANCE),
        environment=toolchain.environment(),
    )
    module = Path(json.loads(listed.text)["Dir"])
    return Sources(await parts.ensure(PARTS), packages, module)


def recipes(sources: Sources) -> dict[str, Recipe]:
    """Every image by the name that the suite asks for."""
    base = _base(sources)
    agnhost = _agnhost(sources)
    tools = Recipe((base,), Settings(("/bin/sh",), (), _ENVIRONMENT))
    with_agnhost = Recipe((base, agnhost), Settings(("/agnhost",), ("pause",), _ENVIRONMENT))
    web = Settings(("/usr/sbin/nginx", "-c", "/etc/nginx/nginx.conf"), (), _ENVIRONMENT)
    nginx = Recipe((base, _nginx(sources)), web)
    return {
        f"{E2E}/agnhost:2.55": with_agnhost,
        f"{E2E}/agnhost:2.59": with_agnhost,
        f"{E2E}/busybox:1.37.0-1": Recipe((base,), Settings((), ("sh",), _ENVIRONMENT)),
        f"{E2E}/jessie-dnsutils:1.7": tools,
        f"{E2E}/kitten:1.7": _pages(sources, "kitten", base, agnhost),
        f"{E2E}/nautilus:1.7": _pages(sources, "nautilus", base, agnhost),
        f"{E2E}/nginx:1.14-4": nginx,
        f"{E2E}/nginx:1.15-4": nginx,
        f"{E2E}/nonewprivs:1.3": _one(sources, "nonewprivs", "/usr/local/bin/nnp", 0o4755),
        f"{E2E}/nonroot:1.4": Recipe((base,), Settings((), ("sh",), _ENVIRONMENT, "1234")),
        f"{E2E}/sample-apiserver:1.29.2": _one(
            sources, "sample-apiserver", "/sample-apiserver", 0o755
        ),
        "registry.k8s.io/etcd:3.6.6-0": _etcd(sources, base),
        "registry.k8s.io/pause:3.10.1": pause_image(sources.binaries),
    }


def write(made: dict[str, Recipe], directory_: Path) -> Path:
    """Write images as one archive for `hypershift local image load`."""
    layout = oci.Layout(directory_ / "layout")
    layout.name({name: write_image(layout, recipe) for name, recipe in made.items()})
    target = directory_ / "images.tar"
    oci.write_archive(layout, made, target)
    return target


def _base(sources: Sources) -> Tree:
    """A small system with the tools of the distribution that specs call."""
    tree = base_tree(sources.binaries["busybox"], None)
    root = sysroot(sources.packages)
    for path in (each for several in TOOLS.values() for each in several):
        root.add(_located(sources.packages, path))
    tree.add_all(root.entries)
    return tree.add_all({place: link(target) for place, target in LINKS.items()})


def _located(packages: Path, path: str) -> Path:
    places = (packages / path, packages / "usr" / path)
    return next(place for place in places if place.exists())


def _agnhost(sources: Sources) -> Tree:
    porter = sources.files("agnhost") / "porter"
    tree = Tree().add("agnhost", file(sources.binaries["agnhost"], 0o755))
    tree.add("agnhost-2", link("agnhost")).add("uploads", directory(0o777))
    tree.add("coredns", file(sources.binaries["coredns"], 0o755))
    for name in ("localhost.crt", "localhost.key"):
        tree.add(name, file(porter / name))
    accounts = "root:x:0:0:root:/root:/bin/sh\nuser-defined-in-image:x:1000:1000::/tmp:/bin/sh\n"
    groups = "root:x:0:\nuser-defined-in-image:x:1000:\n"
    groups += "group-defined-in-image:x:50000:user-defined-in-image\n"
    return tree.add("etc/passwd", file(accounts)).add("etc/group", file(groups))


def _pages(sources: Sources, name: str, *below: Tree) -> Recipe:
    tree = Tree().add_copy("", sources.files(name) / "html")
    return Recipe((*below, tree), Settings(("/agnhost",), ("test-webserver",), _ENVIRONMENT))


def _nginx(_sources: Sources) -> Tree:
    tree = Tree().add("etc/nginx/nginx.conf", file(_NGINX))
    page = "<html><title>Welcome to nginx!</title><h1>Welcome to nginx!</h1></html>\n"
    tree.add("usr/share/nginx/html/index.html", file(page))
    for name in ("var/lib/nginx", "var/log/nginx"):
        tree.add(name, directory(0o777))
    return tree


def _one(sources: Sources, part: str, place: str, mode: int) -> Recipe:
    tree = Tree().add("tmp", directory(0o1777)).add(place, file(sources.binaries[part], mode))
    return Recipe((tree,), Settings((place,), (), _ENVIRONMENT))


def _etcd(sources: Sources, base: Tree) -> Recipe:
    tree = Tree()
    for name in ("etcd", "etcdctl"):
        tree.add(f"usr/local/bin/{name}", file(sources.binaries[name], 0o755))
    return Recipe((base, tree), Settings((), ("/usr/local/bin/etcd",), _ENVIRONMENT))
