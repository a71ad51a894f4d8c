"""`rotate` asks by annotations, and knows what is under way."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta

from hypershift.api import annotations
from hypershift.cli import rotate_ignition
from hypershift.cli.rotate import Rotate, wish
from hypershift.kit import Manifest
from hypershift.pki import Part

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def options(only: str = "") -> Rotate:
    return Rotate(
        finish=False,
        grace=timedelta(hours=1),
        kubeconfig="",
        namespace="clusters",
        only=only,
        subject="demo",
        timeout=timedelta(hours=2),
        token_lifetime=timedelta(minutes=5),
        wait=False,
    )


def test_a_request_is_the_moment_and_its_periods_and_takes_back_what_was_asked_before() -> None:
    assert wish(options(), NOW) == {
        annotations.ROTATE_AUTHORITIES: "2026-01-02T00:00:00Z",
        annotations.ROTATE_AUTHORITIES_GRACE: "3600s",
        annotations.ROTATE_AUTHORITIES_ONLY: None,
        annotations.ROTATE_AUTHORITIES_TOKEN_LIFETIME: "300s",
    }
    asked = wish(options(Part.TOKEN_KEYS), NOW)
    assert asked[annotations.ROTATE_AUTHORITIES_ONLY] == "service-account-keys"


def a_secret(asked: str = "", **data: str) -> Manifest:
    marks = {annotations.ROTATE_AUTHORITIES: asked} if asked else {}
    encoded = {
        name.replace("_", "."): b64encode(value.encode()).decode() for name, value in data.items()
    }
    return {"kind": "Secret", "metadata": {"annotations": marks}, "data": encoded}


def test_an_authority_is_being_replaced_from_the_request_until_the_old_one_is_gone() -> None:
    assert not rotate_ignition.is_under_way(a_secret(tls_crt="A"))
    assert rotate_ignition.is_under_way(a_secret("one", tls_crt="A"))
    assert rotate_ignition.is_under_way(a_secret("one", tls_crt="B", old_crt="A", request="one"))
    assert not rotate_ignition.is_under_way(a_secret("one", tls_crt="B", request="one"))
    assert rotate_ignition.is_under_way(a_secret("two", tls_crt="B", request="one"))
