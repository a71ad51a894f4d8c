"""What every image stands on: users, a temporary directory, authorities, and a small shell."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from hypershift.oci import Entry, Tree, directory, file, link
from hypershift.payload.sysroot import MERGED, merged_links, sysroot

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#: The user of images whose program needs no rights: a number, as `runAsNonRoot` demands.
NONROOT = "65532"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
_ACCOUNTS = """\
root:x:0:0:root:/root:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/bin/false
nonroot:x:65532:65532:nonroot:/tmp:/bin/false
"""
_GROUP = """\
root:x:0:
nobody:x:65534:
nonroot:x:65532:
"""
_HOSTS = "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n"
_NAMES = "passwd: files\ngroup: files\nhosts: files dns\nprotocols: files\nservices: files\n"


def accounts() -> dict[str, Entry]:
    """Users, groups and names, as libraries expect to find them."""
    return {
        "etc/passwd": file(_ACCOUNTS),
        "etc/group": file(_GROUP),
        "etc/hosts": file(_HOSTS),
        "etc/nsswitch.conf": file(_NAMES),
    }


def data_files(tree: Path | None) -> dict[str, Entry]:
    """Authorities and protocol names, from the distribution's packages or from this machine."""
    root = tree or Path("/")
    names = ("etc/protocols", "etc/services", "etc/ethertypes")
    found = {name: file(root / name) for name in names if (root / name).is_file()}
    return found | {CERTIFICATES: file(_certificates(tree))}


def _certificates(tree: Path | None) -> bytes:
    """The bundle that the package's installation would make."""
    if tree is None:
        bundles = (Path("/") / CERTIFICATES, Path("/etc/pki/tls/certs/ca-bundle.crt"))
        return next((each.read_bytes() for each in bundles if each.is_file()), b"")
    parts = sorted((tree / "usr/share/ca-certificates").rglob("*.crt"))
    return b"\n".join(part.read_bytes().strip() for part in parts) + b"\n"


def busybox(program: Path, taken: Mapping[str, Entry]) -> dict[str, Entry]:
    """The names of busybox's tools, where no real tool has the name."""
    listed = subprocess.run((program, "--list"), capture_output=True, text=True, check=True)
    names = {path.rpartition("/")[2] for path in taken}
    tools = (name for name in listed.stdout.split() if name not in names | {"busybox"})
    return {f"usr/bin/{name}": link("busybox") for name in tools}


def base_tree(program: Path, tools: Path | None) -> Tree:
    """The layer under the images of single programs."""
    tree = Tree().add("tmp", directory(0o1777)).add("var/tmp", directory(0o1777))
    tree.add_all(merged_links()).add_all(accounts()).add_all(data_files(tools))
    root = sysroot(tools)
    root.add(program, "usr/bin/busybox")
    tree.add_all({f"usr/{name}": directory() for name in MERGED}).add_all(root.entries)
    return tree.add_all(busybox(program, root.entries))
