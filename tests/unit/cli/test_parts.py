import json
from pathlib import Path

import pytest

from hypershift import parts
from hypershift.cli import image, payload
from hypershift.cli.command import Command
from hypershift.cli.main import execute
from hypershift.cli.parts import COMMAND
from hypershift.kit import UsageError
from hypershift.local.cluster.plan import Plan
from hypershift.parts import find
from hypershift.parts.fetch import sources
from hypershift.parts.pins import pinned_download

ROOT = Command("hypershift", "", commands=(COMMAND, payload.COMMAND, image.COMMAND))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HYPERSHIFT_CACHE", str(tmp_path))
    monkeypatch.setenv("HYPERSHIFT_OFFLINE", "1")
    monkeypatch.delenv("HYPERSHIFT_PARTS_DIR", raising=False)
    return tmp_path


def stored(name: str) -> Path:
    cache = sources().cache
    made = cache.workspace("test") / name
    made.write_text("binary")
    return cache.store(find(name), made, source="download")


def test_the_list_shows_every_part_with_its_state(capsys: pytest.CaptureFixture[str]) -> None:
    stored("etcd")
    assert execute(ROOT, ["parts", "list", "-o", "json"]) == 0
    listed = {(each["name"], each["version"]): each for each in json.loads(capsys.readouterr().out)}
    assert len(listed) == len(list(parts.parts()))
    assert listed["etcd", "3.6.16"]["state"] == "ready"
    assert listed["kubelet", "1.34.10"]["state"] == "absent"


def test_a_path_is_printed_or_the_way_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    place = stored("etcd")
    assert execute(ROOT, ["parts", "path", "etcd"]) == 0
    assert capsys.readouterr().out == f"{place}\n"
    assert execute(ROOT, ["parts", "path", "kubelet"]) == 1
    assert "hypershift parts fetch kubelet" in capsys.readouterr().err


def test_verify_fails_when_a_file_is_corrupt(capsys: pytest.CaptureFixture[str]) -> None:
    place = stored("etcd")
    assert execute(ROOT, ["parts", "verify"]) == 0
    place.write_text("rotten")
    assert execute(ROOT, ["parts", "verify", "etcd"]) == 1
    assert "corrupt" in capsys.readouterr().out


def test_verify_tells_a_build_that_is_not_the_pinned_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cache = sources().cache
    made = cache.workspace("test") / "etcd"
    made.write_text("another binary")
    cache.store(find("etcd"), made, source="build", toolchain="go1.26.8")
    pinned = parts.architecture() == "amd64"
    assert execute(ROOT, ["parts", "verify", "etcd"]) == (1 if pinned else 0)
    assert not pinned or "unpinned" in capsys.readouterr().out


@pytest.mark.parametrize(("given", "code"), [(None, 0), ("0" * 64, 1)])
def test_verify_compares_a_download_with_the_pin_of_its_address(
    given: str | None, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "https://get.helm.sh/helm-v3.22.0-linux-amd64.tar.gz"
    cache = sources().cache
    made = cache.workspace("test") / "helm"
    made.write_text("binary")
    digest = given or pinned_download(url)
    cache.store(find("helm"), made, source="download", url=url, download=digest)
    assert execute(ROOT, ["parts", "verify", "helm", "-o", "json"]) == code
    (told,) = json.loads(capsys.readouterr().out)
    assert told["state"] == ("unpinned" if code else "ready")
    assert (told["source"], told["compared"]) == ("download, pinned", digest)


@pytest.mark.parametrize(
    ("name", "url", "source"),
    [
        ("containerd", "https://github.com/c.tar.gz", "download, signed by the workflow"),
        ("kubelet", "https://dl.k8s.io/v1.35.8/bin/linux/amd64/kubelet",
         "download, pinned, signed by the workflow"),
    ],
)  # fmt: skip
def test_list_and_verify_say_who_signed_a_download(
    name: str, url: str, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = sources().cache
    made = cache.workspace("test") / name
    made.write_text("binary")
    digest = pinned_download(url)
    cache.store(
        find(name), made, source="download", url=url, download=digest, signer="the workflow"
    )
    assert execute(ROOT, ["parts", "verify", name, "-o", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["source"], told["signedBy"]) == (source, "the workflow")
    assert execute(ROOT, ["parts", "list"]) == 0
    assert source in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["parts", "path", "kubelett"], "there is no part"),
        (["payload", "build", "--kubernetes", "1.2.3"], "no payload of Kubernetes 1.2.3"),
        (["payload", "push"], "name one registry"),
        (["image", "push", "a", "b"], "name one registry"),
        (["payload", "inspect", "Not/A Reference"], "is not an image reference"),
        (["payload", "inspect", "--pull-secret", "/nowhere"], "cannot read the pull secret"),
    ],
)
def test_a_command_that_cannot_work_is_one_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(ROOT, words) == 1
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (
            "http://10.80.0.1:5000/",
            ("registry.hypershift.local/kubernetes", "http://10.80.0.1:5000"),
        ),
        ("quay.io/me", ("quay.io/me", "https://quay.io")),
        ("localhost:5000/me", ("localhost:5000/me", "http://localhost:5000")),
    ],
)
def test_a_registry_is_an_address_or_a_name(
    where: str, expected: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payload, "embedded_registries", dict)
    assert payload.destination((where,)) == expected


def test_the_registry_of_an_embedded_cluster_takes_pushes_on_the_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = Plan(2)
    known = {f"http://{plan.registry}": f"http://{plan.pushes}"}
    monkeypatch.setattr(payload, "embedded_registries", lambda: known)
    assert payload.destination(("http://10.82.0.1:5000/",))[1] == "http://127.82.0.1:5000"
    assert payload.destination(("http://10.83.0.1:5000",))[1] == "http://10.83.0.1:5000"


def test_two_registries_are_one_too_many() -> None:
    with pytest.raises(UsageError):
        payload.destination(("a", "b"))
