"""Promises that views keep for every object, older or newer than our types."""

from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.property.api.objects import objects

from hypershift.api import HostedCluster, HostedControlPlane, LocalMachine, NodePool
from hypershift.api.defaults import defaulted
from hypershift.api.docs.shapes import below
from hypershift.api.facts import facts_of
from hypershift.api.kind import Resource
from hypershift.api.struct import Shape, ShapeMeta, struct_fields
from hypershift.api.view import encode, read, replace, write

KINDS: list[type[Resource]] = [HostedCluster, HostedControlPlane, NodePool, LocalMachine]
PROFILE = settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def older(shape: type[Shape], missing: set[str]) -> type[Shape]:
    """The shape as a version before ours might have declared it: without some fields."""
    kept = [each for each in struct_fields(shape) if each.name not in missing]
    namespace: dict[str, Any] = {
        "__annotations__": {each.name: each.type for each in kept},
        "__module__": __name__,
        **{each.name: each.default for each in kept if not each.required},
    }
    return cast("type[Shape]", ShapeMeta(f"Older{shape.__name__}", (Shape,), namespace))


@pytest.mark.parametrize("kind", KINDS)
@PROFILE
@given(data=st.data())
def test_reading_and_writing_changes_nothing(kind: type[Resource], data: st.DataObject) -> None:
    manifest = data.draw(objects(kind))
    assert write(manifest, read(kind, manifest)) == manifest


@pytest.mark.parametrize("kind", KINDS)
@PROFILE
@given(data=st.data())
def test_what_is_encoded_reads_as_the_same_view(kind: type[Resource], data: st.DataObject) -> None:
    view = read(kind, data.draw(objects(kind)))
    assert read(kind, encode(view)) == view


@pytest.mark.parametrize("kind", KINDS)
@PROFILE
@given(data=st.data())
def test_an_object_of_a_newer_version_loses_nothing(
    kind: type[Resource], data: st.DataObject
) -> None:
    manifest = data.draw(objects(kind, newer=True))
    view = read(kind, manifest)
    renamed = replace(view, metadata=replace(view.metadata, name="renamed"))
    wanted = {**manifest, "metadata": {**manifest.get("metadata", {}), "name": "renamed"}}
    assert write(manifest, renamed) == wanted


@PROFILE
@given(data=st.data())
def test_an_older_version_of_our_types_keeps_the_fields_that_are_new_to_it(
    data: st.DataObject,
) -> None:
    shape = data.draw(st.sampled_from(list(below(NodePool))))
    optional = [each.name for each in struct_fields(shape) if not each.required]
    missing = data.draw(st.sets(st.sampled_from(optional))) if optional else set()
    manifest = data.draw(objects(shape))
    earlier = older(shape, missing)
    view = read(earlier, manifest)
    assert write(manifest, view) == manifest
    left = [each for each in struct_fields(earlier) if not each.required]
    if left:
        reset = replace(view, **{left[0].name: left[0].default})
        kept = {facts.wire for facts in facts_of(shape) if facts.name in missing} & manifest.keys()
        assert all(write(manifest, reset)[wire] == manifest[wire] for wire in kept)


@pytest.mark.parametrize("kind", KINDS)
@PROFILE
@given(data=st.data())
def test_filling_in_defaults_twice_is_filling_them_in_once(
    kind: type[Resource], data: st.DataObject
) -> None:
    once = defaulted(kind, data.draw(objects(kind)))
    assert defaulted(kind, once) == once
