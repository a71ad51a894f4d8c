"""Our own image, made of the environment that is running: interpreter, packages, libraries.

Nothing is pulled and nothing is installed, so that the image holds the very code that made it.
"""

import contextlib
import functools
import importlib.metadata
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import hypershift
from hypershift.oci import Settings, Tree, file, link
from hypershift.payload.base import CERTIFICATES, NONROOT, PATH
from hypershift.payload.bytecode import add_bytecode
from hypershift.payload.images import Recipe
from hypershift.payload.sysroot import Sysroot
from hypershift.release import labels_of_ours

NAME = "hypershift"
PREFIX = "usr/local"
#: What an installation's Deployment starts: the program asks for the name that it was called by.
OPERATOR = "usr/bin/hypershift-operator"
#: What the Deployment of a control plane's PKI operator starts.
PKI_OPERATOR = "usr/bin/control-plane-pki-operator"
#: What the Deployment of Karpenter's operator starts.
KARPENTER_OPERATOR = "usr/bin/karpenter-operator"
#: What manifests of control planes and nodes call helpers by: `control-plane-operator NAME`.
HELPERS = "usr/bin/control-plane-operator"
LIBRARY = f"{PREFIX}/lib/python{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = f"{LIBRARY}/site-packages"

#: Parts of the standard library that a server never loads.
_UNUSED = frozenset(
    (
        *("__pycache__", "site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter"),
        *("turtledemo", "turtle.py", "lib2to3", "ensurepip", "pydoc_data", "distutils"),
    )
)
_UNUSED_FILES = re.compile(r".*\.(a|c|exe|h|pth|pxd|pyc|pyi|pyx)|_tkinter\..*|_?xx.*|_test.*\.so")
_UNUSED_DIRECTORY = re.compile(r"config-.*|.*\.dist-info/licenses")
_SCRIPT = """\
#!/{prefix}/bin/python3
import sys

from hypershift.cli import main

sys.exit(main())
"""
#: Helpers run in many pods: they do not load the command line.
_HELPERS_SCRIPT = """\
#!/{prefix}/bin/python3
import sys

from hypershift.helpers import PROGRAMS, main

if sys.argv[1:2] and sys.argv[1] in PROGRAMS:
    sys.exit(main(sys.argv[1:]))

from hypershift.cli import main

sys.exit(main())
"""


#: Scripts of OpenShift's manifests ask for bash to start one program of ours.
_SHELL = '#!/bin/sh\nexec /bin/sh "$@"\n'


def own_image(base: Tree, scratch: Path, labels: Mapping[str, str] | None = None) -> Recipe:
    """The image of this program; what changes most lies on top.

    Its labels say what it can do, for HyperShift operators that are newer than it; `labels` adds
    some and, where the value is empty, takes one away.
    """
    layers = (
        base,
        add_bytecode(_interpreter(), scratch / "interpreter"),
        add_bytecode(_dependencies(), scratch / "dependencies"),
        add_bytecode(_ourselves(), scratch / "ourselves"),
    )
    environment = {
        "HOME": "/tmp",  # noqa: S108 - the one directory that any user of the image may write to
        "PATH": PATH,
        "PYTHONDONTWRITEBYTECODE": "1",
        "SSL_CERT_FILE": f"/{CERTIFICATES}",
    }
    ours = {**labels_of_ours(importlib.metadata.version(NAME)), **(labels or {})}
    kept = {name: value for name, value in ours.items() if value}
    entrypoint = (f"/{PREFIX}/bin/{NAME}",)
    return Recipe(layers, Settings(entrypoint, (), environment, NONROOT, labels=kept))


def own_sources() -> list[Path]:
    """Changes when the image must be rebuilt: digest of our files and the others' records."""
    records = (
        Path(str(each.locate_file(name))) for each in required(NAME) for name in _record(each)
    )
    stdlib = Path(sysconfig.get_path("stdlib"))
    python = Path(sys.executable).resolve()
    return [Path(hypershift.__path__[0]), python, stdlib / "os.py", *records]


def _record(distribution: importlib.metadata.Distribution) -> Iterator[str]:
    for name in distribution.files or ():
        if name.name == "RECORD":
            yield str(name)


def _interpreter() -> Tree:
    """Python, its standard library, and the shared libraries under both."""
    root = Sysroot((Path("/"),))
    version = LIBRARY.rpartition("/")[2]
    root.add(Path(sys.executable).resolve(), f"{PREFIX}/bin/{version}")
    tree = Tree().add(f"{PREFIX}/bin/python3", link(version))
    for name, source in _files(Path(sysconfig.get_path("stdlib")), _UNUSED):
        _add(tree, root, f"{LIBRARY}/{name}", source)
    return tree.add_all(root.entries)


def _dependencies() -> Tree:
    """The packages that ours asks for, and no others that happen to be installed."""
    tree, root = Tree(), Sysroot((Path("/"),))
    for distribution in required(NAME):
        for name in distribution.files or ():
            source = Path(str(distribution.locate_file(name)))
            if _wanted(name.parts) and source.is_file():
                _add(tree, root, f"{PACKAGES}/{name}", source)
    return tree.add_all(root.entries)


def _ourselves() -> Tree:
    """This package, its metadata and its command."""
    tree = Tree().add(f"{PREFIX}/bin/{NAME}", file(_SCRIPT.format(prefix=PREFIX), 0o755))
    for program in (OPERATOR, PKI_OPERATOR, KARPENTER_OPERATOR):
        tree.add(program, link(f"/{PREFIX}/bin/{NAME}"))
    tree.add("usr/bin/bash", file(_SHELL, 0o755))
    tree.add(HELPERS, file(_HELPERS_SCRIPT.format(prefix=PREFIX), 0o755))
    for name, source in _files(Path(hypershift.__path__[0]), frozenset({"__pycache__", "testing"})):
        # read at once: in a work tree files come and go while an image is made of them
        with contextlib.suppress(FileNotFoundError):
            tree.add(f"{PACKAGES}/{NAME}/{name}", file(source.read_bytes()))
    metadata = importlib.metadata.distribution(NAME)
    for entry in metadata.files or ():
        if entry.name in {"METADATA", "entry_points.txt"}:
            tree.add(f"{PACKAGES}/{entry}", file(Path(str(metadata.locate_file(entry)))))
    return tree.add(f"{PREFIX}/bin/hcp", link(NAME))


def _add(tree: Tree, root: Sysroot, place: str, source: Path) -> None:
    if ".so" in source.suffixes:
        root.add(source, place)
    else:
        tree.add(place, file(source))


def _files(root: Path, unused: frozenset[str]) -> Iterator[tuple[str, Path]]:
    for where, directories, files in os.walk(root):
        # pruned on the way down: a standard library has more tests than library
        directories[:] = sorted(set(directories) - unused)
        for each in sorted(set(files) - unused):
            name = Path(where, each).relative_to(root)
            if _wanted(name.parts):
                yield str(name), Path(where, each)


def _wanted(parts: Iterable[str]) -> bool:
    *directories, name = parts
    if ".." in directories or _UNUSED_FILES.fullmatch(name):
        return False
    return not any(
        each == "__pycache__" or _UNUSED_DIRECTORY.fullmatch(each) for each in directories
    )


@functools.cache
def required(name: str) -> tuple[importlib.metadata.Distribution, ...]:
    """The installed distributions under one, itself left out."""
    found: dict[str, importlib.metadata.Distribution] = {}
    pending = [name]
    while pending:
        for need in importlib.metadata.requires(pending.pop()) or ():
            # a need that is not installed is for another platform, or for an extra of theirs
            needed = re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0].lower().replace("_", "-")
            if needed not in found and "extra ==" not in need and (it := _installed(needed)):
                found[needed] = it
                pending.append(needed)
    return tuple(found[each] for each in sorted(found))


def _installed(name: str) -> importlib.metadata.Distribution | None:
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None
