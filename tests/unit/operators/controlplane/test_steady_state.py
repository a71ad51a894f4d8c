"""A control plane at rest is not rendered again, until anything about it changes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.unit.component.clusters import NOW, a_view

from hypershift.api import replace as change
from hypershift.component import Infra, Versions, View
from hypershift.operators.controlplane.steady_state import BELIEVED, SteadyState

LATER = NOW + timedelta(minutes=1)
OBJECTS = {"Secret": {"key": "1", "other": "7"}, "ConfigMap": {"key": "2"}}


def at_rest() -> SteadyState:
    rest = SteadyState()
    rest.begin(a_view(), OBJECTS, NOW)
    return rest


def test_a_rest_lasts_while_nothing_changes_and_not_for_ever() -> None:
    rest = at_rest()
    assert rest.holds(a_view(), OBJECTS, LATER)
    assert not rest.holds(a_view(), OBJECTS, NOW + BELIEVED)


def test_nothing_is_at_rest_that_was_never_seen_so() -> None:
    assert not SteadyState().holds(a_view(), OBJECTS, NOW)


@pytest.mark.parametrize(
    "change",
    [
        lambda _: a_view(controllerAvailabilityPolicy="HighlyAvailable"),
        lambda _: a_view(annotations={"kube-apiserver-verbosity-level": "4"}),
        lambda _: a_view(status={"ready": True}),
        lambda view: replace(view, infra=Infra(api_host="elsewhere")),
        lambda view: replace(view, release=replace(view.release, resolved="r.io/k@sha256:2")),
        lambda view: replace(view, user_release=replace(view.user_release, version="1.36.0")),
        lambda view: replace(view, management=replace(view.management, uid=7)),
    ],
)
def test_whatever_rendering_reads_ends_a_rest(change: Callable[[View], View]) -> None:
    assert not at_rest().holds(change(a_view()), OBJECTS, LATER)


@pytest.mark.parametrize(
    "objects",
    [
        {"Secret": {"key": "3", "other": "7"}, "ConfigMap": {"key": "2"}},
        {"Secret": {"key": "1"}, "ConfigMap": {"key": "2"}},
        {"Secret": {"key": "1", "other": "7"}, "ConfigMap": {"other": "2"}},
    ],
    ids=["changed", "deleted", "another"],
)
def test_objects_that_come_and_go_and_change_end_a_rest(objects: Versions) -> None:
    assert not at_rest().holds(a_view(), objects, LATER)


def test_the_order_of_objects_does_not() -> None:
    turned = {"ConfigMap": {"key": "2"}, "Secret": {"other": "7", "key": "1"}}
    assert at_rest().holds(a_view(), turned, LATER)


def test_another_control_plane_rests_for_itself_and_a_deleted_one_is_forgotten() -> None:
    rest, view = at_rest(), a_view()
    metadata = change(view.plane.metadata, namespace="clusters-other")
    other = replace(view, plane=change(view.plane, metadata=metadata))
    assert not rest.holds(other, OBJECTS, LATER)
    rest.forget(view.namespace)
    assert not rest.holds(view, OBJECTS, LATER)
