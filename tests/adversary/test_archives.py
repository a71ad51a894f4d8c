"""Hostile layers and image archives (findings C5 and H6 of the red-team review).

Nothing outside of the directory that a layer is unpacked into changes, whatever names, links,
whiteouts, owners and modes it has; and no archive costs more memory than its budget.
"""

import gzip
import io
import json
import os
import stat
import tarfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hypershift.oci import InvalidImage, extract, read_archive
from hypershift.oci.limits import MIB, Budget
from hypershift.oci.spec import INDEX, MANIFEST

ZERO_BLOCK = bytes(512)


def member(  # noqa: PLR0917 - a tar header has many fields
    name: str,
    kind: bytes = tarfile.REGTYPE,
    target: str = "",
    size: int = 0,
    mode: int = 0o644,
    pax: dict[str, str] | None = None,
) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size, info.mode = kind, target, size, mode
    info.pax_headers = pax or {}
    return info


def layer(*members: tarfile.TarInfo) -> io.BytesIO:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for each in members:
            archive.addfile(each, io.BytesIO(b"x" * each.size) if each.size else None)
    out.seek(0)
    return out


def snapshot(directory: Path) -> dict[str, tuple[object, ...]]:
    """Everything about a tree that an attack could change."""
    found: dict[str, tuple[object, ...]] = {}
    for path in (directory, *sorted(directory.rglob("*"))):
        status = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
        kept = (status.st_mode, status.st_uid, status.st_gid, status.st_nlink, status.st_mtime_ns)
        found[str(path)] = (*kept, content, tuple(os.listxattr(path, follow_symlinks=False)))
    return found


@pytest.fixture
def sentinel(tmp_path: Path) -> Path:
    """A neighbour of the root: another tenant's tree, with a file that only its owner reads."""
    neighbour = tmp_path / "neighbour"
    (neighbour / "etc").mkdir(parents=True)
    secret = neighbour / "etc" / "secret"
    secret.write_text("precious")
    secret.chmod(0o600)
    return neighbour


def attack(tmp_path: Path, sentinel: Path, *members: tarfile.TarInfo) -> None:
    """Unpack beside the sentinel; refusing and confining are both fine."""
    before = snapshot(sentinel)
    with suppress(InvalidImage):
        extract([layer(*members)], tmp_path / "root")
    assert snapshot(sentinel) == before
    assert {each.name for each in tmp_path.iterdir()} == {"root", "neighbour"}


def test_a_hard_link_to_a_link_changes_no_mode_of_a_host_file(
    tmp_path: Path, sentinel: Path
) -> None:
    secret = str(sentinel / "etc/secret")
    hostile = (
        member("a", tarfile.SYMTYPE, secret),
        member("b", tarfile.LNKTYPE, "a", mode=0o4777),
    )
    attack(tmp_path, sentinel, *hostile)


@pytest.mark.parametrize("name", [".wh...", ".wh..", ".wh.", "d/.wh...", "d/.wh..", "d/.wh..wh."])
def test_a_whiteout_of_no_name_is_refused(tmp_path: Path, sentinel: Path, name: str) -> None:
    before = snapshot(sentinel)
    with pytest.raises(InvalidImage):
        extract([layer(member("keep", size=1), member(name))], tmp_path / "root")
    assert snapshot(sentinel) == before


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_and_pipes_are_refused(tmp_path: Path, kind: bytes) -> None:
    with pytest.raises(InvalidImage, match="device"):
        extract([layer(member("dev", kind))], tmp_path / "root")
    assert not (tmp_path / "root" / "dev").exists()


@pytest.mark.parametrize("target", ["link", "dir/../link", "up/file", "missing", "dir", "/", ".."])
def test_a_hard_link_names_a_file_of_the_tree_and_goes_through_no_link(
    tmp_path: Path, target: str
) -> None:
    members = (
        member("dir", tarfile.DIRTYPE, mode=0o755),
        member("dir/file", size=1),
        member("link", tarfile.SYMTYPE, "dir/file"),
        member("up", tarfile.SYMTYPE, "dir"),
        member("hard", tarfile.LNKTYPE, target),
    )
    with pytest.raises(InvalidImage):
        extract([layer(*members)], tmp_path / "root")


def test_a_hard_link_does_not_change_the_file_that_it_names(tmp_path: Path) -> None:
    members = (
        member("file", size=1, mode=0o600),
        member("hard", tarfile.LNKTYPE, "file", mode=0o4777),
        member("hard", tarfile.LNKTYPE, "file"),
    )
    extract([layer(*members)], tmp_path)
    assert (tmp_path / "file").stat().st_mode & 0o7777 == 0o600
    assert (tmp_path / "hard").samefile(tmp_path / "file")


def test_attributes_that_steer_overlayfs_are_left_out(tmp_path: Path) -> None:
    attributes = {
        "SCHILY.xattr.trusted.overlay.opaque": "y",
        "SCHILY.xattr.user.overlay.redirect": "/etc",
        "SCHILY.xattr.user.fine": "kept",
    }
    extract([layer(member("file", size=1, pax=attributes))], tmp_path)
    assert set(os.listxattr(tmp_path / "file")) <= {"user.fine"}


WORDS = st.sampled_from(
    ("..", ".", "a", "b", "exit", "dir", "", ".wh.a", ".wh...", ".wh..", ".wh..wh..opq", "é\n")
)
KINDS = st.sampled_from(
    (
        tarfile.REGTYPE,
        tarfile.DIRTYPE,
        tarfile.SYMTYPE,
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.CHRTYPE,
        tarfile.FIFOTYPE,
        tarfile.CONTTYPE,
        b"Z",
    )
)


@st.composite
def members(draw: st.DrawFn) -> tarfile.TarInfo:
    def path() -> str:
        start = draw(st.sampled_from(("", "/", "./", "//", "NEIGHBOUR/", "../neighbour/")))
        return start + "/".join(draw(st.lists(WORDS, min_size=1, max_size=4)))

    kind = draw(KINDS)
    made = member(path(), kind, path(), mode=draw(st.sampled_from((0, 0o600, 0o4777, 0o7777))))
    made.size = draw(st.integers(0, 3)) if kind in (tarfile.REGTYPE, tarfile.CONTTYPE) else 0
    made.uid = draw(st.sampled_from((0, 1000, -1, 1 << 40)))
    made.mtime = draw(st.sampled_from((0, 1.5, -1, 1 << 62)))
    return made


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(members(), max_size=8), min_size=1, max_size=3))
def test_no_layer_ever_changes_what_lies_outside(
    tmp_path_factory: pytest.TempPathFactory, layers: list[list[tarfile.TarInfo]]
) -> None:
    place = tmp_path_factory.mktemp("place")
    sentinel = place / "neighbour"
    (sentinel / "a").mkdir(parents=True)
    (sentinel / "b").write_text("precious")
    (sentinel / "b").chmod(0o600)
    before = snapshot(sentinel)
    for each in (one for several in layers for one in several):
        each.name = each.name.replace("NEIGHBOUR", str(sentinel))
        each.linkname = each.linkname.replace("NEIGHBOUR", str(sentinel))
    with suppress(InvalidImage, tarfile.HeaderError):
        extract([layer(*several) for several in layers], place / "root")
    assert snapshot(sentinel) == before
    assert {each.name for each in place.iterdir()} <= {"root", "neighbour"}


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=2048), st.booleans())
def test_any_bytes_are_a_layer_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    content: bytes,
    packed: bool,  # noqa: FBT001 - drawn
) -> None:
    valid = layer(member("a", size=5), member("b" * 150, size=1)).getvalue()
    mixed = bytearray(valid)
    mixed[: len(content)] = bytes(one ^ other for one, other in zip(content, valid, strict=False))
    raw = gzip.compress(bytes(mixed)) if packed else bytes(mixed)
    with suppress(InvalidImage):
        extract([io.BytesIO(raw)], tmp_path_factory.mktemp("root"))


@contextmanager
def memory(most: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def bomb(start: bytes, size: int) -> io.BytesIO:
    """A gzip stream of a start and so many zero bytes; small on the wire."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9) as stream:
        stream.write(start)
        for _ in range(size // MIB):
            stream.write(bytes(MIB))
    out.seek(0)
    return out


SMALL = Budget(unpacked=64 * MIB, entries=1000)


def test_a_layer_that_unpacks_to_more_than_its_budget_is_refused(tmp_path: Path) -> None:
    large = member("large", size=256 * MIB)
    packed = bomb(large.tobuf(tarfile.GNU_FORMAT), 256 * MIB)
    assert len(packed.getvalue()) < MIB
    with memory(16 * MIB), pytest.raises(InvalidImage, match="unpack to over"):
        extract([packed], tmp_path, SMALL)


@pytest.mark.parametrize(
    "kind",
    [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK],
)
def test_a_header_of_gigabytes_is_not_read_into_memory(tmp_path: Path, kind: bytes) -> None:
    header = member("x", kind, size=48 * MIB).tobuf(tarfile.USTAR_FORMAT)
    with memory(16 * MIB), pytest.raises(InvalidImage):
        extract([bomb(header, 48 * MIB)], tmp_path, SMALL)


def test_a_chain_of_headers_ends_in_a_refusal(tmp_path: Path) -> None:
    chain = member("x", tarfile.XHDTYPE).tobuf(tarfile.USTAR_FORMAT) * 3000
    with pytest.raises(InvalidImage):
        extract([io.BytesIO(chain + ZERO_BLOCK * 2)], tmp_path, SMALL)


def test_more_names_than_the_budget_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidImage, match="over 1000 names"):
        extract([layer(*(member(f"f{number}") for number in range(1001)))], tmp_path, SMALL)


def test_holes_that_cost_nothing_to_send_are_refused(tmp_path: Path) -> None:
    sparse = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "1" * 13}
    with pytest.raises(InvalidImage):
        extract([layer(member("hole", size=512, pax=sparse))], tmp_path, SMALL)


def test_layers_that_are_compressed_in_another_way_say_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidImage, match="zstd"):
        extract([io.BytesIO(b"\x28\xb5\x2f\xfd" + bytes(600))], tmp_path)


def an_archive(place: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(place, "w:gz") as archive:
        for name, content in files.items():
            archive.addfile(member(name, size=len(content)), io.BytesIO(content))
    return place


@pytest.mark.parametrize(
    "document",
    [
        b"[]",
        b"{}",
        b'{"manifests": 1}',
        b'{"manifests": [1]}',
        b'{"manifests": [{"annotations": {"io.containerd.image.name": 1}}]}',
        b'{"manifests": [{"annotations": {"io.containerd.image.name": "a/b:1"}}]}',
        b'{"manifests": [{"annotations": {"io.containerd.image.name": "a/b:1"}, "digest": 1}]}',
        b"[" * 100_000,
    ],
)
def test_a_malformed_archive_is_refused_by_name(tmp_path: Path, document: bytes) -> None:
    with pytest.raises(InvalidImage, match=r"images\.tar"):
        read_archive(an_archive(tmp_path / "images.tar", {"index.json": document}))


def test_indexes_that_name_each_other_a_thousand_times_are_read_once(tmp_path: Path) -> None:
    def blob(number: int) -> str:
        return f"sha256:{number:064x}"

    def index(child: int) -> bytes:
        kind = INDEX if child < 9 else MANIFEST
        entries = [{"mediaType": kind, "digest": blob(child)}] * 1000
        return json.dumps({"manifests": entries}).encode()

    name = {"io.containerd.image.name": "a/b:1"}
    top = {"manifests": [{"mediaType": INDEX, "digest": blob(1), "annotations": name}]}
    files = {f"blobs/sha256/{number:064x}": index(number + 1) for number in range(1, 9)}
    files[f"blobs/sha256/{9:064x}"] = json.dumps({"config": {"digest": blob(10)}}).encode()
    files[f"blobs/sha256/{10:064x}"] = b'{"architecture": "amd64"}'
    files["index.json"] = json.dumps(top).encode()
    (found,) = read_archive(an_archive(tmp_path / "images.tar", files))
    assert found.architectures == {"amd64"}


def test_an_archive_that_unpacks_without_end_costs_no_memory(tmp_path: Path) -> None:
    place = tmp_path / "images.tar"
    place.write_bytes(bomb(member("x", tarfile.XHDTYPE, size=1 << 32).tobuf(), 32 * MIB).read())
    with memory(24 * MIB), pytest.raises(InvalidImage):
        read_archive(place)
