"""The cache: never back in time, own writes seen, ends remembered, lists compared."""

from typing import Any

from hypershift.kit import Key, Manifest
from hypershift.kube.cache import Cache, Change, Index


def an_object(name: str = "a", version: int = 1, uid: str = "u", **fields: Any) -> Manifest:
    metadata = {"name": name, "namespace": "n", "resourceVersion": str(version), "uid": uid}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, **fields}


def heard(cache: Cache) -> list[Change]:
    changes: list[Change] = []
    cache.subscribe(changes.append)
    return changes


def test_an_older_state_never_replaces_a_newer_one() -> None:
    cache = Cache()
    cache.upsert(an_object(version=5, data="new"))
    cache.upsert(an_object(version=4, data="old"))
    found = cache.get(Key("n", "a"))
    assert found is not None
    assert found["data"] == "new"


def test_what_is_handed_out_is_a_copy() -> None:
    cache = Cache()
    cache.upsert(an_object(data={"x": [1]}))
    found = cache.get(Key("n", "a"))
    assert found is not None
    found["data"]["x"].append(2)
    assert cache.get(Key("n", "a")) == an_object(data={"x": [1]})


def test_our_own_write_is_told_once() -> None:
    cache = Cache()
    changes = heard(cache)
    cache.upsert(an_object(version=2), confirmed=False)
    cache.upsert(an_object(version=2))
    assert len(changes) == 1


def test_what_we_deleted_does_not_come_back_by_a_late_event() -> None:
    cache = Cache()
    cache.upsert(an_object(version=2))
    cache.remove(an_object(version=2), confirmed=False)
    cache.upsert(an_object(version=3))
    assert cache.get(Key("n", "a")) is None
    cache.remove(an_object(version=4))
    cache.upsert(an_object(version=5, uid="other"))
    assert cache.get(Key("n", "a")) is not None


def test_a_late_answer_to_our_write_does_not_bring_back_what_is_gone() -> None:
    """The watch may tell of an object's end before the answer to our own delete is read."""
    cache = Cache()
    cache.upsert(an_object(version=1))
    cache.remove(an_object(version=3))
    cache.upsert(an_object(version=2), confirmed=False)
    assert len(cache) == 0


def test_a_write_that_the_watch_has_not_told_of_is_seen_at_once() -> None:
    cache = Cache()
    cache.upsert(an_object("other", version=3))
    cache.upsert(an_object(version=4), confirmed=False)
    assert len(cache) == 2


def test_the_end_of_an_earlier_namesake_leaves_the_younger_one() -> None:
    cache = Cache()
    cache.upsert(an_object(version=9, uid="young"))
    cache.remove(an_object(version=8, uid="old"))
    assert cache.get(Key("n", "a")) is not None


def test_a_list_tells_only_what_differs() -> None:
    cache = Cache()
    for name in ("same", "changed", "gone"):
        cache.upsert(an_object(name, version=1))
    changes = heard(cache)
    del changes[:]
    cache.replace(
        [an_object("same", 1), an_object("changed", 5), an_object("new", 6)], 7, rewound=False
    )
    told = {(c.old or {}).get("metadata", {}).get("name", "-") + ">" +
            (c.new or {}).get("metadata", {}).get("name", "-") for c in changes}  # fmt: skip
    assert told == {"changed>changed", "->new", "gone>-"}


def test_a_list_made_before_our_write_does_not_undo_it() -> None:
    cache = Cache()
    cache.upsert(an_object("ours", version=9), confirmed=False)
    cache.replace([], 8, rewound=False)
    assert cache.get(Key("n", "ours")) is not None
    cache.replace([], 10, rewound=False)
    assert cache.get(Key("n", "ours")) is None


def test_a_list_made_before_our_delete_does_not_undo_it() -> None:
    cache = Cache()
    cache.upsert(an_object(version=2))
    cache.remove(an_object(version=2), confirmed=False)
    cache.replace([an_object(version=2)], 3, rewound=False)
    assert cache.get(Key("n", "a")) is None


def test_a_server_that_went_back_in_time_is_believed() -> None:
    cache = Cache()
    cache.upsert(an_object("kept", version=90, data="lost"))
    cache.upsert(an_object("lost", version=95))
    cache.replace([an_object("kept", version=50, data="restored")], 60, rewound=True)
    found = cache.get(Key("n", "kept"))
    assert found is not None
    assert found["data"] == "restored"
    assert cache.get(Key("n", "lost")) is None


def test_indexes_follow_changes() -> None:
    cache = Cache([Index("color", lambda one: one.get("colors", ()))])
    cache.upsert(an_object("a", 1, colors=["red", "blue"]))
    cache.upsert(an_object("a", 2, colors=["blue", "green"]))
    assert list(cache.by_index("color", "red")) == []
    assert len(list(cache.by_index("color", "green"))) == 1
    cache.remove(an_object("a", 3))
    assert list(cache.by_index("color", "blue")) == []


def test_an_index_added_later_knows_what_is_here() -> None:
    cache = Cache()
    cache.upsert(an_object("a", 1, color="red"))
    cache.add_index(Index("color", lambda one: (one["color"],)))
    assert len(list(cache.by_index("color", "red"))) == 1


def test_a_new_listener_hears_what_is_here_and_then_no_more_after_its_end() -> None:
    cache = Cache()
    cache.upsert(an_object("a"))
    changes: list[Change] = []
    end = cache.subscribe(changes.append)
    assert [change.initial for change in changes] == [True]
    end()
    cache.upsert(an_object("b"))
    assert len(changes) == 1


def test_lists_are_ordered_and_chosen() -> None:
    cache = Cache()
    for name in ("b", "a"):
        cache.upsert(an_object(name))
    assert [one["metadata"]["name"] for one in cache.list("n")] == ["a", "b"]
    assert cache.list("elsewhere") == []
    assert [one["metadata"]["name"] for one in cache.list("n", fields="metadata.name=b")] == ["b"]
