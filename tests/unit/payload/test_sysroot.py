from collections.abc import Callable
from pathlib import Path

import pytest

from hypershift.kit import TerminalError
from hypershift.payload.sysroot import Sysroot, follow, merged, triplet

Elf = Callable[..., bytes]


def put(root: Path, path: str, content: bytes) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return place


def test_a_program_brings_its_loader_and_libraries_all_the_way_down(
    tmp_path: Path, an_elf: Elf
) -> None:
    library = f"lib/{triplet()}"
    tool = put(tmp_path, "bin/tool", an_elf("/lib64/ld.so", ("liba.so",)))
    put(tmp_path, f"{library}/liba.so.1.2", an_elf("", ("libb.so",)))
    (tmp_path / library / "liba.so").symlink_to("liba.so.1.2")
    put(tmp_path, f"usr/{library}/libb.so", an_elf())
    put(tmp_path, "loader", an_elf())
    (tmp_path / "lib64").mkdir()
    (tmp_path / "lib64/ld.so").symlink_to("/loader")
    root = Sysroot((tmp_path,))
    root.add(tool)
    assert set(root.entries) == {
        "usr/bin/tool",
        "usr/lib64/ld.so",
        f"usr/{library}/liba.so",
        f"usr/{library}/libb.so",
    }
    assert root.entries["usr/lib64/ld.so"].content == tmp_path / "loader"


def test_the_first_root_that_has_a_library_wins(tmp_path: Path, an_elf: Elf) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    tool = put(one, "usr/bin/tool", an_elf("", ("liba.so",)))
    first = put(one, f"lib/{triplet()}/liba.so", an_elf())
    put(two, f"lib/{triplet()}/liba.so", an_elf())
    root = Sysroot((one, two))
    root.add(tool)
    assert root.entries[f"usr/lib/{triplet()}/liba.so"].content == first


def test_a_program_may_name_where_its_libraries_are(tmp_path: Path, an_elf: Elf) -> None:
    tool = put(tmp_path, "opt/bin/tool", an_elf("", ("liba.so",), "$ORIGIN/../lib"))
    put(tmp_path, "opt/lib/liba.so", an_elf())
    root = Sysroot((tmp_path,))
    root.add(tool)
    assert f"usr/lib/{triplet()}/liba.so" in root.entries


def test_a_library_that_is_nowhere_is_named(tmp_path: Path, an_elf: Elf) -> None:
    tool = put(tmp_path, "usr/bin/tool", an_elf("", ("libnone.so",)))
    with pytest.raises(TerminalError, match=r"needs libnone\.so"):
        Sysroot((tmp_path,)).add(tool)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("bin/ip", "usr/bin/ip"),
        ("/lib64/ld.so", "usr/lib64/ld.so"),
        ("usr/sbin/nft", "usr/sbin/nft"),
        ("opt/cni/bin/bridge", "opt/cni/bin/bridge"),
        ("library/x", "library/x"),
    ],
)
def test_everything_lands_below_usr(path: str, expected: str) -> None:
    assert merged(path) == expected


def test_links_are_read_as_inside_the_root(tmp_path: Path) -> None:
    real = put(tmp_path, "usr/lib/real", b"x")
    (tmp_path / "a").symlink_to("/usr/lib/real")
    (tmp_path / "b").symlink_to("a")
    assert follow(tmp_path, tmp_path / "b") == real
