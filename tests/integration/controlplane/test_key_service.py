"""Encryption by AWS' key service: the real plugin beside the real API server, against moto."""

import json
import os
import signal
import sys
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.integration.controlplane.plane import HOSTS, PARTS, Plane
from tests.integration.controlplane.pods import PATIENCE, Machine, a_machine
from tests.integration.controlplane.test_processes import whole_view
from tests.unit.component.clusters import a_view
from tests.unit.controlplane.test_key_services import rolled

from hypershift import parts
from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.encryption.stages import (
    FILE,
    SECRET,
    names_of,
    providers_of,
)
from hypershift.kit import Manifest

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(
        bool(parts.missing((*PARTS, "aws-encryption-provider"))),
        reason="the API server and the plugin are not here",
    ),
]

CLOUD = "http://127.0.0.1:5555"
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
ASK = (
    "import boto3, sys;"
    f"kms = boto3.client('kms', region_name='eu-west-1', endpoint_url='{CLOUD}',"
    " aws_access_key_id='test', aws_secret_access_key='test');"
    "words = dict(KeyId=sys.argv[2].rpartition('/')[2]) if len(sys.argv) > 2 else {};"
    "answer = getattr(kms, sys.argv[1])(**words);"
    "print(answer.get('KeyMetadata', {}).get('Arn', ''))"
)
ROOT = Path(__file__).parents[3]
PREFIX = b"k8s:enc:kms:v2:"
_DEPLOYMENT = ("Deployment", "kube-apiserver")


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


def start_cloud(machine: Machine) -> None:
    words = [sys.executable, "-m", "tests.cloud.aws.serve", "5555"]
    machine.spawn("cloud", words, {"PYTHONPATH": str(ROOT)})
    machine.wait_for(f"{CLOUD}/moto-api/", who="cloud")


def ask(machine: Machine, operation: str, *key: str) -> str:
    """Ask the key service something; the ARN of the key that it answers with."""
    made = machine.run(sys.executable, "-c", ASK, operation, *key, timeout=240)
    assert made.returncode == 0, made.stderr.decode()
    return made.stdout.decode().strip()


def by_key_service(arn: str, old: str = "", *, settled: bool = False) -> View:
    """A cluster with a key; `old` is the one that it replaces, until all is `settled`."""
    role = {"awsKms": "arn:aws:iam::1:role/a"}
    aws = {"region": "eu-west-1", "activeKey": {"arn": arn}, "auth": role}
    wish: dict[str, Any] = {"type": "kms", "kms": {"provider": "AWS", "aws": aws}}
    found = whole_view()
    cloud = {"type": "AWS", "aws": {"region": "eu-west-1"}}
    spec: dict[str, Any] = {"secretEncryption": wish, "platform": cloud}
    told = {"activeKey": _key(old), "targetKey": _key(arn)} if old else {"activeKey": _key(arn)}
    if old or settled:
        spec["status"] = {"secretEncryption": told}
    images = {**found.release.images, "aws-kms-encryption-provider": "registry.example/kms"}
    view = a_view(objects=dict(found.objects), infra=found.infra, **spec)
    secret: Manifest = {"kind": "Secret", "data": {"credentials": ""}}
    objects = {**view.objects, **found.objects, ("Secret", "kms-creds"): secret}
    return replace(view, objects=objects, release=replace(view.release, images=images))


def _key(arn: str) -> Manifest:
    return {"provider": "AWS", "aws": {"arn": arn}}


def with_test_cloud(workload: Manifest) -> Manifest:
    """The plugin as it is rendered, but with keys for the test's cloud instead of a token's."""
    workload = edit.drop_containers(workload, "aws-kms-token-minter")
    program = {"command": ["aws-encryption-provider"]}
    for name in plugins(workload):
        workload = edit.set_env(workload, name, {**KEYS, "AWS_ENDPOINT_URL": CLOUD})
        workload = edit.change_container(workload, name, lambda found: {**found, **program})
    return workload


def plugins(workload: Manifest) -> list[str]:
    containers = edit.pod_of(workload)["spec"]["containers"]
    return [each["name"] for each in containers if each["name"].startswith("aws-kms-")]


def make(plane: Plane, name: str) -> None:
    plane.kubectl("create", "secret", "generic", name, f"--from-literal=a=PLAIN-{name}")


def read(plane: Plane, name: str) -> str:
    found = json.loads(plane.kubectl("get", "secret", name, "-o", "json"))
    return str(found["data"]["a"])


def test_secrets_are_under_the_key_and_an_outage_loses_no_write(place: Path) -> None:
    with a_machine(f"hs-km-{os.getpid()}", place, HOSTS) as machine:
        start_cloud(machine)
        plane = Plane(machine, by_key_service(ask(machine, "create_key")))
        plane.start_etcd()
        plane.start_server(with_test_cloud)
        make(plane, "before")
        stored = plane.stored("/registry/secrets/default/before")
        assert stored.startswith(b"k8s:enc:kms:v2:awskmskey-")
        assert b"PLAIN" not in stored
        assert b"k8s:enc:kms:v2:" in plane.stored(
            "/registry/configmaps/kube-system/extension-apiserver-authentication"
        )

        # The key service does not answer: what is written meanwhile can be read afterwards.
        cloud = machine.processes["cloud"]
        os.killpg(cloud.pid, signal.SIGSTOP)
        try:
            make(plane, "during")
            assert read(plane, "before")
        finally:
            os.killpg(cloud.pid, signal.SIGCONT)

        # A server that starts again has no key in its memory: the key service opens all of it.
        restart(plane)
        assert {name: read(plane, name) for name in ("before", "during")} == {
            "before": "UExBSU4tYmVmb3Jl",
            "during": "UExBSU4tZHVyaW5n",
        }


def restart(plane: Plane) -> None:
    """Start the API server and its plugins anew, as they are rendered by now."""
    stop(plane)
    plane.start_server(with_test_cloud)


def stop(plane: Plane) -> None:
    for name in [each for each in plane.machine.processes if each not in {"cloud", "etcd-0"}]:
        plane.machine.kill(name)


def test_what_a_disabled_key_encrypted_is_closed_until_it_is_enabled(place: Path) -> None:
    with a_machine(f"hs-kd-{os.getpid()}", place, HOSTS) as machine:
        start_cloud(machine)
        key = ask(machine, "create_key")
        plane = Plane(machine, by_key_service(key))
        plane.start_etcd()
        plane.start_server(with_test_cloud)
        make(plane, "kept")
        ask(machine, "disable_key", key)
        stop(plane)
        plane.begin_server(with_test_cloud)
        await_word("DisabledException", machine.directory / "aws-kms-active.log")
        assert not plane.serves()
        ask(machine, "enable_key", key)
        plane.await_server()
        assert read(plane, "kept") == "UExBSU4ta2VwdA=="


def await_word(word: str, log: Path) -> None:
    """Wait until a program's log has a word."""
    end = time.monotonic() + PATIENCE
    while word not in log.read_text(errors="replace"):
        assert time.monotonic() < end, f"no {word} in {log}"
        time.sleep(0.2)


def test_a_key_is_rotated_and_the_one_of_before_is_needed_no_more(place: Path) -> None:
    """Read with both, write with the new one, rewrite, forget the old one: as keys change."""
    with a_machine(f"hs-kr-{os.getpid()}", place, HOSTS) as machine:
        start_cloud(machine)
        old, new = ask(machine, "create_key"), ask(machine, "create_key")
        plane = Plane(machine, by_key_service(old))
        plane.start_etcd()
        plane.start_server(with_test_cloud)
        make(plane, "first")
        before = key_of(plane, "first")

        for _ in range(2):  # every replica reads with the new key before any writes with it
            make(plane, f"turn-{len(names_of_live(plane))}")
            plane.view = running(plane, by_key_service(new, old))
            restart(plane)
        make(plane, "second")
        after = key_of(plane, "second")
        assert names_of_live(plane) == (after, before)
        assert key_of(plane, "turn-2") == before
        names = ("first", "second", "turn-1", "turn-2")
        rewrite(plane)
        assert {key_of(plane, name) for name in names} == {after}

        plane.view = running(plane, by_key_service(new, settled=True))
        ask(machine, "disable_key", old)
        restart(plane)
        assert names_of_live(plane) == (after,)
        assert all(read(plane, name) for name in names)


def key_of(plane: Plane, name: str) -> str:
    """The key that a stored Secret is under, as its prefix names it."""
    stored = plane.stored(f"/registry/secrets/default/{name}")
    assert stored.startswith(PREFIX)
    return stored.removeprefix(PREFIX).partition(b":")[0].decode()


def names_of_live(plane: Plane) -> tuple[str, ...]:
    """The keys that the server was given, in order: the first one writes."""
    return names_of(providers_of(_configuration(plane)))[0]


def _configuration(plane: Plane) -> bytes:
    return b64decode(plane.objects["Secret", SECRET]["data"][FILE])


def running(plane: Plane, view: View) -> View:
    """What the next rendering sees: the same, and a configuration that every replica runs."""
    deployment = rolled(_configuration(plane).decode())
    live = {("Secret", SECRET): plane.objects["Secret", SECRET], _DEPLOYMENT: deployment}
    return replace(view, objects={**plane.view.objects, **live})


def rewrite(plane: Plane) -> None:
    """Write everything that is encrypted again, as the guest configuration does."""
    stored = json.loads(plane.kubectl("get", "secrets,configmaps", "-A", "-o", "json"))
    plane.kubectl("replace", feed=stored)
