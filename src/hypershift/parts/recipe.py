"""A fingerprint of everything that decides a part's bytes, besides the compiler."""

import hashlib
import json
from pathlib import Path

from hypershift.parts.part import GoModule, Part

MODULES_DIRECTORY = Path(__file__).parent / "modules"
PAUSE_SOURCE = Path(__file__).parent / "pause.c"


def module_directory(module: GoModule) -> Path:
    """Where the module's go.mod, go.sum and, for some, main.go lie."""
    return MODULES_DIRECTORY / module.name


def ldflags(module: GoModule) -> str:
    """The linker's flags: no symbol tables, and the version stamps that upstream's build sets."""
    stamps = (f"-X={name}={value}" for name, value in sorted(module.stamps.items()))
    static = ("-extldflags=-static",) if module.cgo else ()
    return " ".join(("-s", "-w", *static, *stamps))


def fingerprint(part: Part) -> str:
    """Two parts with equal fingerprints come from the same sources and flags."""
    source = part.source
    if not isinstance(source, GoModule):
        return f"{source.package}:{source.path}"
    digest = hashlib.sha256()
    made_of = source.packages.get(part.name) or source.data[part.name]
    recipe = (made_of, ldflags(source), source.tags, source.cgo)
    digest.update(json.dumps(recipe).encode())
    if part.name in source.tests:
        digest.update(b"tests of the package")
    directory = module_directory(source)
    for file in sorted(each for each in directory.rglob("*") if each.is_file()):
        name = file.relative_to(directory).as_posix()
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    if source.name == "pause":
        digest.update(PAUSE_SOURCE.read_bytes())
    return digest.hexdigest()
