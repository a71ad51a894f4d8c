from collections.abc import Callable
from pathlib import Path

import pytest

from hypershift.parts import debian
from hypershift.parts.cache import Cache
from hypershift.parts.errors import PartUnavailable

Tool = Callable[[str, str], Path]

#: A package manager that knows two packages; what it downloads is named after them.
APT = """
echo "$@" >> "$0.calls"
case " $* " in
  *" --simulate "*)
    echo "Inst libtool1 (2.0 Debian:12 [amd64])"
    echo "Inst adduser (3.0 Debian:12 [all])"
    echo "Inst tool (1:1.5-2 Debian:12 [amd64])" ;;
  *" download "*) touch tool_1.5_amd64.deb libtool1_2.0_amd64.deb ;;
esac
"""
UNPACK = """
name=${2##*/}; name=${name%%_*}
mkdir -p "$3/usr/bin" "$3/usr/share/doc/$name"
echo "program $name" > "$3/usr/bin/$name"; echo text > "$3/usr/share/doc/$name/copyright"
"""


def silent(_line: str) -> None: ...


@pytest.fixture
def cache(tmp_path: Path, tool: Tool) -> Cache:
    tool("apt-get", APT)
    tool("dpkg-deb", UNPACK)
    return Cache(tmp_path / "parts")


async def test_a_package_is_unpacked_with_its_libraries_and_without_documents(
    cache: Cache,
) -> None:
    tree = await debian.fetch_tree(cache, ("tool",), silent)
    assert (tree / "usr/bin/tool").read_text() == "program tool\n"
    assert (tree / "usr/bin/libtool1").exists()
    assert not (tree / "usr/share/doc").exists()


async def test_what_is_no_library_is_left_out(cache: Cache, tmp_path: Path) -> None:
    await debian.fetch_tree(cache, ("tool",), silent)
    calls = (tmp_path / "bin" / "apt-get.calls").read_text()
    assert "tool=1:1.5-2" in calls
    assert "libtool1=2.0" in calls
    assert "adduser" not in calls


async def test_nothing_is_asked_for_twice(cache: Cache, tmp_path: Path) -> None:
    first = await debian.fetch_tree(cache, ("tool",), silent)
    assert await debian.fetch_tree(cache, ("tool",), silent) == first
    assert len((tmp_path / "bin" / "apt-get.calls").read_text().splitlines()) == 2


async def test_a_file_is_found_above_or_below_usr(cache: Cache) -> None:
    tree = await debian.fetch_tree(cache, ("tool",), silent)
    assert debian.find_file(cache, ("tool",), "bin/tool") == tree / "usr/bin/tool"
    assert debian.find_file(cache, ("tool",), "usr/bin/tool") == tree / "usr/bin/tool"
    assert debian.find_file(cache, ("tool",), "bin/other") is None


async def test_a_changed_file_makes_the_tree_be_fetched_again(cache: Cache) -> None:
    tree = await debian.fetch_tree(cache, ("tool",), silent)
    (tree / "usr/bin/tool").write_text("rotten")
    assert debian.find_file(cache, ("tool",), "bin/tool") is None
    again = await debian.fetch_tree(cache, ("tool",), silent)
    assert (again / "usr/bin/tool").read_text() == "program tool\n"


async def test_no_network_is_one_clear_sentence(cache: Cache, tool: Tool) -> None:
    tool("apt-get", "exit 100")
    with pytest.raises(PartUnavailable, match="tool are not in the cache and cannot be"):
        await debian.fetch_tree(cache, ("tool",), silent)


#: Lists that name a package which the mirror has replaced since.
STALE = """
echo "$@" >> "$0.calls"
case " $* " in
  *" update "*) touch "$0.new" ;;
  *" --simulate "*)
    version=1; test -e "$0.new" && version=2
    echo "Inst tool ($version Debian:12 [amd64])" ;;
  *"tool=1"*) exit 100 ;;
  *" download "*) touch tool_2_amd64.deb ;;
esac
"""


async def test_lists_that_are_out_of_date_are_fetched_anew_beside_the_system(
    cache: Cache, tool: Tool, tmp_path: Path
) -> None:
    tool("apt-get", STALE)
    await debian.fetch_tree(cache, ("tool",), silent)
    calls = (tmp_path / "bin" / "apt-get.calls").read_text().splitlines()
    (update,) = [line for line in calls if line.endswith(" update")]
    assert "Dir::State::Lists=" in update
    assert "tool=2" in calls[-1]


#: A release with an old tool, and a newer one by lists of our own.
OLD = """
echo "$@" >> "$0.calls"
case " $* " in
  *newer*--simulate*) echo "Inst tool (1:3.0.11-1 Debian:13 [amd64])" ;;
  *" --simulate "*) echo "Inst tool (1:2.6.12-1+deb12u4 Debian:12 [amd64])" ;;
  *" download "*) touch tool_1_amd64.deb ;;
esac
"""


@pytest.mark.parametrize(
    ("keyring", "version"), [(True, "tool=1:3.0.11-1"), (False, "tool=1:2.6.12-1+deb12u4")]
)
async def test_a_tool_that_is_too_old_comes_from_a_newer_release_whose_keys_are_trusted(
    cache: Cache,
    tool: Tool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    keyring: bool,
    version: str,
) -> None:
    tool("apt-get", OLD)
    keys = tmp_path / "keys.gpg"
    if keyring:
        keys.touch()
    monkeypatch.setattr(debian, "KEYRING", keys)
    told: list[str] = []
    await debian.fetch_tree(cache, ("tool",), told.append, since=(2, 9))
    calls = (tmp_path / "bin" / "apt-get.calls").read_text().splitlines()
    assert version in calls[-1]
    assert any("too old" in line for line in told) is not keyring


def test_the_numbers_of_a_version_leave_out_epoch_and_revision() -> None:
    assert debian.numbers("1:2.6.12-1+deb12u4") == (2, 6, 12)
    assert debian.numbers("2.10+dfsg-1") == (2, 10)
