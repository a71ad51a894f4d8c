import json
import subprocess
import sys
from pathlib import Path

from hypershift.oci import Layout, Tree, extract_image, file
from hypershift.payload.assembly import write_image
from hypershift.payload.bytecode import add_bytecode, cached
from hypershift.payload.own import LIBRARY, PACKAGES, own_image, required


def compiled(tree: Tree, path: str) -> bytes:
    content = tree.entries[cached(path)].content
    assert isinstance(content, Path)
    return content.read_bytes()


def test_bytecode_is_the_same_wherever_it_is_made(tmp_path: Path) -> None:
    source = "VALUES = frozenset(('a', 'b', 'c'))\n\ndef f(x): return x in {'k', 'l', 'm'}\n"
    made = []
    for name in ("one", "two"):
        file_of = tmp_path / name / "module.py"
        file_of.parent.mkdir()
        file_of.write_text(source)
        tree = add_bytecode(Tree().add("lib/module.py", file(file_of)), tmp_path / f"{name}-made")
        made.append(compiled(tree, "lib/module.py"))
    assert made[0] == made[1]


def test_bytecode_is_made_once_for_the_same_sources(tmp_path: Path) -> None:
    def tree() -> Tree:
        return Tree().add("lib/a.py", file("x = 1\n")).add("lib/broken.py", file("x = = 1\n"))

    first = add_bytecode(tree(), tmp_path / "made").fingerprint()
    assert add_bytecode(tree(), tmp_path / "made").fingerprint() == first
    assert cached("lib/broken.py") not in add_bytecode(tree(), tmp_path / "made").entries


def test_development_tools_stay_out() -> None:
    found = {distribution.metadata["Name"].lower() for distribution in required("hypershift")}
    assert {"aiohttp", "cryptography", "msgspec", "pyyaml"} <= found
    assert not {"pytest", "mypy", "ruff", "hypothesis"} & found


def test_the_image_runs_from_its_own_files(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "layout")
    image = write_image(layout, own_image(Tree(), tmp_path / "compiled"))
    root = tmp_path / "root"
    extract_image(layout, layout.manifest(image.digest), root)
    assert (root / "usr/local/bin/hypershift").stat().st_mode & 0o111
    assert not (root / LIBRARY / "test").exists()
    assert not (root / PACKAGES / "pytest").exists()
    loader = root / "usr/lib64/ld-linux-x86-64.so.2"
    if not loader.exists():
        return  # another architecture: the integration tests run the image whole
    libraries = root / "usr/lib" / f"{sys.implementation._multiarch}"  # noqa: SLF001 - Python's own name for it
    script = (
        "import sys, json, ssl, aiohttp, cryptography, yaml, msgspec, hypershift.cli;"
        "print(json.dumps([sys.prefix, ssl.__file__, hypershift.__file__]))"
    )
    finished = subprocess.run(
        (
            loader,
            "--library-path",
            libraries,
            root / LIBRARY.replace("lib/", "bin/"),
            "-I",
            "-c",
            script,
        ),
        capture_output=True,
        text=True,
        check=True,
    )
    prefix, *files = json.loads(finished.stdout)
    assert prefix == str(root / "usr/local")
    assert all(each.startswith(str(root)) for each in files)
