"""A control plane at rest is not rendered again, until anything about it changes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.unit.component.clusters import NOW, a_view

from hypershift.component import Infra, View
from hypershift.operators.controlplane.rest import BELIEVED, Rest

LATER = NOW + timedelta(minutes=1)
SECRET = ("Secret", "key")


def a_picture(version: str = "1", **spec: Any) -> View:
    found = {"metadata": {"name": "key", "resourceVersion": version}}
    return a_view(objects={SECRET: found}, **spec)


def at_rest() -> Rest:
    rest = Rest()
    rest.begin(a_picture(), NOW)
    return rest


def test_a_rest_lasts_while_nothing_changes_and_not_for_ever() -> None:
    rest = at_rest()
    assert rest.lasts(a_picture(), LATER)
    assert not rest.lasts(a_picture(), NOW + BELIEVED)


def test_nothing_is_at_rest_that_was_never_seen_so() -> None:
    assert not Rest().lasts(a_picture(), NOW)


@pytest.mark.parametrize(
    "change",
    [
        lambda _: a_picture("2"),
        lambda view: replace(view, objects={}),
        lambda _: a_picture(controllerAvailabilityPolicy="HighlyAvailable"),
        lambda _: a_picture(annotations={"kube-apiserver-verbosity-level": "4"}),
        lambda view: replace(view, hcp=view.hcp | {"status": {"ready": True}}),
        lambda view: replace(view, infra=Infra(api_host="elsewhere")),
        lambda view: replace(view, release=replace(view.release, resolved="r.io/k@sha256:2")),
        lambda view: replace(view, user_release=replace(view.user_release, version="1.36.0")),
        lambda view: replace(view, management=replace(view.management, uid=7)),
    ],
)
def test_whatever_rendering_reads_ends_a_rest(change: Callable[[View], View]) -> None:
    assert not at_rest().lasts(change(a_picture()), LATER)


def test_another_control_plane_rests_for_itself_and_a_deleted_one_is_forgotten() -> None:
    rest, view = at_rest(), a_picture()
    metadata = view.hcp["metadata"] | {"namespace": "clusters-other"}
    assert not rest.lasts(replace(view, hcp=view.hcp | {"metadata": metadata}), LATER)
    rest.forget(view.namespace)
    assert not rest.lasts(view, LATER)
