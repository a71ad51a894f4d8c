from pathlib import Path

from hypershift.oci import Tree, file
from hypershift.payload.bytecode import add_bytecode, cached
from hypershift.payload.own import HELPERS, _ourselves, required


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


def test_helpers_are_called_by_the_name_that_manifests_use() -> None:
    tree = _ourselves()
    script = tree.entries[HELPERS]
    assert HELPERS == "usr/bin/control-plane-operator"
    assert script.mode == 0o755
    assert isinstance(script.content, bytes)
    compile(script.content, HELPERS, "exec")
    assert b"from hypershift.helpers import" in script.content
