"""Encryption by AWS' key service: the real plugin beside the real API server, against moto."""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.integration.controlplane.plane import HOSTS, PARTS, Plane
from tests.integration.controlplane.pods import Machine, a_machine
from tests.integration.controlplane.test_processes import whole_view
from tests.unit.component.clusters import a_view

from hypershift import parts
from hypershift.component import View, edit
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
MAKE = (
    "import boto3, json;"
    f"kms = boto3.client('kms', region_name='eu-west-1', endpoint_url='{CLOUD}',"
    " aws_access_key_id='test', aws_secret_access_key='test');"
    "print(kms.create_key()['KeyMetadata']['Arn'])"
)


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hs-") as name:
        yield Path(name)


def a_key(machine: Machine) -> str:
    machine.spawn("moto", [sys.executable, "-m", "moto.server", "-H127.0.0.1", "-p5555"], {})
    machine.wait_for(f"{CLOUD}/moto-api/", who="moto")
    made = machine.run(sys.executable, "-c", MAKE)
    assert made.returncode == 0, made.stderr.decode()
    return made.stdout.decode().strip()


def by_key_service(arn: str) -> View:
    role = {"awsKms": "arn:aws:iam::1:role/a"}
    aws = {"region": "eu-west-1", "activeKey": {"arn": arn}, "auth": role}
    wish: dict[str, Any] = {"type": "kms", "kms": {"provider": "AWS", "aws": aws}}
    found = whole_view()
    cloud = {"type": "AWS", "aws": {"region": "eu-west-1"}}
    spec: dict[str, Any] = {"secretEncryption": wish, "platform": cloud}
    images = {**found.release.images, "aws-kms-encryption-provider": "registry.example/kms"}
    view = a_view(objects=dict(found.objects), infra=found.infra, **spec)
    secret: Manifest = {"kind": "Secret", "data": {"credentials": ""}}
    objects = {**view.objects, **found.objects, ("Secret", "kms-creds"): secret}
    return replace(view, objects=objects, release=replace(view.release, images=images))


def with_test_cloud(workload: Manifest) -> Manifest:
    """The plugin as it is rendered, but with keys for the test's cloud instead of a token's."""
    workload = edit.drop_containers(workload, "aws-kms-token-minter")
    name = "aws-kms-active"
    workload = edit.set_env(workload, name, {**KEYS, "AWS_ENDPOINT_URL": CLOUD})
    program = {"command": ["aws-encryption-provider"]}
    return edit.change_container(workload, name, lambda found: {**found, **program})


def make(plane: Plane, name: str) -> None:
    plane.kubectl("create", "secret", "generic", name, f"--from-literal=a=PLAIN-{name}")


def read(plane: Plane, name: str) -> str:
    found = json.loads(plane.kubectl("get", "secret", name, "-o", "json"))
    return str(found["data"]["a"])


def test_secrets_are_under_the_key_and_an_outage_loses_no_write(place: Path) -> None:
    with a_machine(f"hs-km-{os.getpid()}", place, HOSTS) as machine:
        plane = Plane(machine, by_key_service(a_key(machine)))
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
        cloud = machine.processes["moto"]
        os.killpg(cloud.pid, signal.SIGSTOP)
        try:
            make(plane, "during")
            assert read(plane, "before")
        finally:
            os.killpg(cloud.pid, signal.SIGCONT)

        # A server that starts again has no key in its memory: the key service opens all of it.
        machine.kill("kube-apiserver")
        machine.kill("aws-kms-active")
        plane.start_server(with_test_cloud)
        assert {name: read(plane, name) for name in ("before", "during")} == {
            "before": "UExBSU4tYmVmb3Jl",
            "during": "UExBSU4tZHVyaW5n",
        }
