"""What a snapshot contains, and which files are refused."""

import contextlib
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.controlplane.etcd.snapshot import databases

from hypershift.controlplane.etcd.snapshot import NotASnapshot, verified
from hypershift.controlplane.etcd.snapshot.bolt import Database
from hypershift.controlplane.etcd.snapshot.content import content, kind_of

ORDINARY = databases.history(
    ("/registry/configmaps/a/one", b"1"),
    ("/registry/configmaps/a/two", b"x" * 9000),
    ("/registry/secrets/a/s", b"k8s:enc:aescbc:v1:key-17:sealed"),
    ("/registry/example.org/things/a/t", b"t"),
    ("/registry/configmaps/a/one", b"newer"),
    ("/registry/pods/a/p", b"p"),
    ("/registry/pods/a/p", None),
)


def test_live_objects_are_counted_by_kind(tmp_path: Path) -> None:
    found = verified(databases.snapshot(tmp_path / "s.db", ORDINARY))
    counts = {kind: tally.count for kind, tally in found.kinds.items()}
    assert counts == {"configmaps": 2, "secrets": 1, "example.org/things": 1}
    assert (found.keys, found.revision, found.version) == (4, 8, "3.6")
    assert found.encrypted_with == {"aescbc/key-17"}


def test_a_reader_without_tallies_finds_and_refuses_the_same(tmp_path: Path) -> None:
    path = databases.snapshot(tmp_path / "s.db", ORDINARY)
    whole, found = verified(path), verified(path, tallied=False)
    assert replace(whole, kinds={}) == replace(found, kinds={})
    assert not found.kinds
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(NotASnapshot, match="digest does not match"):
        verified(path, tallied=False)


def test_equal_objects_have_equal_tallies_whatever_their_history(tmp_path: Path) -> None:
    short = databases.history(
        ("/registry/configmaps/a/two", b"x" * 9000), ("/registry/configmaps/a/one", b"newer")
    )
    other = databases.history(
        ("/registry/configmaps/a/two", b"x" * 9000), ("/registry/configmaps/a/one", b"other")
    )
    full, same, differs = (
        verified(databases.snapshot(tmp_path / name, history)).kinds["configmaps"]
        for name, history in (("1", ORDINARY), ("2", short), ("3", other))
    )
    assert full == same
    assert full.count == differs.count
    assert full != differs


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = databases.snapshot(tmp_path / "s.db", ORDINARY)
    whole = path.read_bytes()
    for length in (0, 10, 4096, len(whole) - 512, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(NotASnapshot, match=r"truncated|digest"):
            verified(path)


def test_a_changed_byte_is_found(tmp_path: Path) -> None:
    path = databases.snapshot(tmp_path / "s.db", ORDINARY)
    whole = bytearray(path.read_bytes())
    whole[9000] ^= 1
    path.write_bytes(whole)
    with pytest.raises(NotASnapshot, match="digest does not match"):
        verified(path)


def test_a_change_is_told_before_what_it_does_to_the_pages(tmp_path: Path) -> None:
    path = databases.snapshot(tmp_path / "s.db", ORDINARY)
    whole = path.read_bytes()
    path.write_bytes(bytes(len(whole) - 32) + whole[-32:])
    with pytest.raises(NotASnapshot, match="digest does not match"):
        verified(path)


def test_an_error_document_with_a_right_digest_is_no_database(tmp_path: Path) -> None:
    body = b"<?xml version='1.0'?>".ljust(1024, b" ")
    path = tmp_path / "s.db"
    path.write_bytes(body + hashlib.sha256(body).digest())
    with pytest.raises(NotASnapshot, match="no valid meta page"):
        verified(path)


def test_pages_that_form_a_loop_end() -> None:
    loop = databases.branch([(b"a", 2), (b"b", 2)], 2)
    root = databases.leaf([(1, b"key", (2).to_bytes(8, "little") + bytes(8))])
    data = databases.meta(0, 3, 4, 1) + databases.meta(1, 3, 4, 0) + loop + root
    with pytest.raises(NotASnapshot, match="damaged"):
        content(Database.of(memoryview(data)))


@given(st.data())
def test_a_damaged_database_is_refused_and_never_crashes_the_reader(data: st.DataObject) -> None:
    whole = bytearray(databases.database(ORDINARY))
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(NotASnapshot):
        found = content(Database.of(memoryview(bytes(whole))))
        assert found.keys <= len(ORDINARY)


def test_kinds_of_keys() -> None:
    assert kind_of(b"/registry/secrets/ns/name") == "secrets"
    assert kind_of(b"/kubernetes.io/apps.example/things/ns/name") == "apps.example/things"
    assert kind_of(b"odd") == "odd"
