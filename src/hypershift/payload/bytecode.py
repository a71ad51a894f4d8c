"""Compiled Python for images: their root is read-only, so nothing could compile it later.

The files carry no times (they are never checked against their sources), and one fresh
interpreter compiles them in one order, so that equal sources give equal bytes.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

from hypershift.oci import Tree, file

_COMPILE = """\
import json, py_compile, sys
for source, target, name in json.load(sys.stdin):
    try:
        py_compile.compile(
            source, target, name, doraise=True,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
    except py_compile.PyCompileError:
        pass  # a file that is no valid Python fails where it is imported, if ever
"""


def add_bytecode(tree: Tree, scratch: Path) -> Tree:
    """Add the compiled form of every module of a tree, keeping it in a directory of ours."""
    made = scratch / tree.fingerprint()
    if not made.is_dir():
        shutil.rmtree(scratch, ignore_errors=True)
        _compile(tree, made)
    for compiled in sorted(made.rglob("*.pyc")):
        tree.add(str(compiled.relative_to(made)), file(compiled))
    return tree


def _compile(tree: Tree, made: Path) -> None:
    work, sources = made.with_suffix(".work"), made.with_suffix(".sources")
    modules = [
        (str(_source(entry.content, sources / path)), str(work / cached(path)), f"/{path}")
        for path, entry in tree
        if path.endswith(".py")
    ]
    subprocess.run(
        (sys.executable, "-I", "-c", _COMPILE),
        input=json.dumps(modules),
        text=True,
        check=True,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": "0"},
    )
    shutil.rmtree(sources, ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    work.rename(made)


def _source(content: bytes | Path, place: Path) -> Path:
    """A module's source as a file."""
    if isinstance(content, Path):
        return content
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return place


def cached(path: str) -> str:
    """Where Python looks for the compiled form of a module."""
    place = PurePosixPath(path)
    name = f"{place.stem}.{sys.implementation.cache_tag}.pyc"
    return str(place.parent / "__pycache__" / name)
