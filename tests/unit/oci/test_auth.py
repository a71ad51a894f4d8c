import base64
import json

import pytest

from hypershift.kit import InvalidSpec
from hypershift.oci import read_pull_secret
from hypershift.oci.auth import read_challenge


def document(**auths: dict[str, str]) -> str:
    return json.dumps({"auths": auths})


def encoded(pair: str) -> dict[str, str]:
    return {"auth": base64.b64encode(pair.encode()).decode()}


def test_a_credential_is_found_by_its_registry() -> None:
    secret = read_pull_secret(document(**{"quay.io": encoded("me:pass:word")}))
    found = secret.find("quay.io", "org/app")
    assert found is not None
    assert (found.user, found.password.reveal()) == ("me", "pass:word")
    assert secret.find("example.com", "org/app") is None


def test_the_longest_path_wins() -> None:
    secret = read_pull_secret(
        document(**{"quay.io": encoded("all:x"), "quay.io/org": encoded("org:x")})
    )
    assert [secret.find("quay.io", name).user for name in ("org/app", "other/app")] == [  # type: ignore[union-attr]  # both are there
        "org",
        "all",
    ]


def test_docker_hub_has_an_address_of_its_past() -> None:
    secret = read_pull_secret(document(**{"https://index.docker.io/v1/": encoded("me:x")}))
    assert secret.find("docker.io", "library/busybox") is not None


def test_a_password_never_shows() -> None:
    secret = read_pull_secret(document(**{"quay.io": encoded("me:hunter2")}))
    assert "hunter2" not in repr(secret)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "hunter2",
        '{"auths": {"quay.io": {"auth": "hunter2!"}}}',
        '{"auths": {"quay.io": {"auth": "hünter2"}}}',
        '{"auths": {"quay.io": {"auth": 2}}}',
        '{"auths": {"quay.io": "hunter2"}}',
        '{"auths": ["x"]}',
        '{"auths": null}',
    ],
)
def test_a_broken_secret_is_refused_without_showing_it(content: str) -> None:
    with pytest.raises(InvalidSpec) as caught:
        read_pull_secret(content)
    assert "hunter2" not in str(caught.value)


def test_a_challenge_is_read() -> None:
    challenge = read_challenge('Bearer realm="https://auth.example/token",service="registry"')
    assert challenge.scheme == "bearer"
    assert challenge.parameters == {"realm": "https://auth.example/token", "service": "registry"}
