"""Which release a cluster may run next: a table of what runs, what is wanted, and what follows."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.operators.hypershift.hosted_cluster import names, releases
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.release import Product, Release

KUBERNETES, OPENSHIFT = Product.KUBERNETES, Product.OPENSHIFT


def a_scope(
    product: Product,
    current: str,
    wanted: str,
    *,
    annotations: dict[str, str] | None = None,
    held: bool | str = False,
    control_plane_only: bool = False,
) -> ClusterScope:
    """A pass over a cluster that runs one version and wants another."""
    spec: dict[str, Any] = {"release": {"image": f"release:{wanted}"}}
    if control_plane_only:
        spec["controlPlaneRelease"] = {"image": f"release:{wanted}"}
    desired = {"image": f"release:{current}", "version": current}
    status: dict[str, Any] = {"version": {"desired": desired} if current else {}}
    if held:
        said = {"type": "ClusterVersionUpgradeable", "message": "an alert fires"}
        status["conditions"] = [said | {"status": held if isinstance(held, str) else "False"}]
    return cast(
        "ClusterScope",
        SimpleNamespace(
            wanted=a_decoded_spec(spec),
            status=status,
            annotations=annotations or {},
            control_plane_image=f"release:{wanted}",
            release=Release(wanted, product, {}, f"release:{wanted}"),
        ),
    )


@pytest.mark.parametrize(
    ("product", "current", "wanted", "said"),
    [
        (KUBERNETES, "", "1.35.8", ""),
        (OPENSHIFT, "", "3.11.0", "unsupported major version 3; only 4.x and 5.x are supported"),
        (KUBERNETES, "", "1.99.0", "latest version supported"),
        (KUBERNETES, "", "1.20.0", "minimum version supported"),
        (KUBERNETES, "1.34.9", "1.35.8", ""),
        (KUBERNETES, "1.33.1", "1.35.8", "1.33"),
        (KUBERNETES, "1.35.8", "1.34.9", "1.35"),
        (OPENSHIFT, "", "4.13.9", "minimum version supported"),
        (OPENSHIFT, "4.19.1", "4.18.9", "4.19"),
        (OPENSHIFT, "4.23.1", "5.0.0", ""),
    ],
)
def test_a_release_that_cannot_be_rolled_out_is_named(
    product: Product, current: str, wanted: str, said: str
) -> None:
    found = releases.problem(a_scope(product, current, wanted))
    assert said in found
    assert bool(found) == bool(said)


def test_an_annotation_takes_the_check_away() -> None:
    skipped = {names.SKIP_RELEASE_VALIDATION: "true"}
    assert releases.problem(a_scope(KUBERNETES, "", "1.99.0", annotations=skipped)) == ""


FORCED = {names.FORCE_UPGRADE_TO: "release:4.20.0"}
MISMATCH = "force upgrade annotation is present but does not match desired release image"
OTHER = {names.FORCE_UPGRADE_TO: "release:4.21.0"}


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        (a_scope(OPENSHIFT, "4.19.1", "4.20.0"), ""),
        (a_scope(OPENSHIFT, "4.19.1", "4.20.0", held=True), "cluster version is not upgradeable"),
        (a_scope(OPENSHIFT, "4.19.1", "4.20.0", held="Unknown"), "is not upgradeable"),
        (a_scope(KUBERNETES, "1.34.1", "1.35.8", held="Unknown"), ""),
        (a_scope(OPENSHIFT, "4", "4.20.0", held=True), "failed to parse the current target 4 as"),
        (a_scope(OPENSHIFT, "4.19.1", "4.19.9", held=True), ""),
        (a_scope(OPENSHIFT, "4.20.0", "4.20.0", held=True), ""),
        (a_scope(OPENSHIFT, "4.19.1", "4.20.0", held=True, annotations=FORCED), ""),
        (a_scope(OPENSHIFT, "4.19.1", "4.20.0", held=True, annotations=OTHER), MISMATCH),
        (a_scope(OPENSHIFT, "4.19.1", "4.20.0", held=True, control_plane_only=True), ""),
        (a_scope(OPENSHIFT, "", "4.20.0", held=True), ""),
    ],
    ids=[
        "upgradeable",
        "held back",
        "nobody knows",
        "nobody can know",
        "a version that is none",
        "a patch is always allowed",
        "nothing to do",
        "forced to it",
        "forced to another",
        "the management side alone",
        "new",
    ],
)
def test_an_upgrade_that_has_to_wait_says_for_what(scope: ClusterScope, said: str) -> None:
    found = releases.refusal(scope)
    assert said in found
    assert bool(found) == bool(said)
