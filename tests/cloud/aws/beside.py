"""An AWS beside an embedded management cluster: its instances boot on this host.

The product is told where AWS is by AWS' own variables, and by nothing else.
"""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv4Network
from subprocess import SubprocessError

from tests.cloud.aws.booter import Booter, Ground, booting, routed
from tests.cloud.aws.server import Cloud, cloud
from tests.e2e.embedded import Cluster, Manifest

from hypershift import parts
from hypershift.local.addons.cluster_api import one_version

REGION, DOMAIN, BUCKET, PORT = "us-east-1", "example.com", "docs", 4566
VPC = IPv4Network("10.77.0.0/16")
OPERATOR = ("deployment/operator", "-n", "hypershift")
CREDENTIALS = "[default]\naws_access_key_id = test\naws_secret_access_key = test\n"
#: Labels of the pods that ask AWS with Go's SDK, and the container that does.
PROGRAMS = {
    "app=capi-provider-controller-manager": "manager",
    "hypershift.openshift.io/managed-by=control-plane-operator": "cloud-controller-manager",
}
#: Go's SDK makes the client that lends roles before it has read the general variable.
WHERE = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_STS")
LOOK = 2.0


@dataclass
class Beside:
    """A test cloud and the management cluster that it stands beside."""

    cluster: Cluster
    cloud: Cloud
    booter: Booter | None = None

    @property
    def environment(self) -> dict[str, str]:
        """By what the command line and the operator find this AWS."""
        return {
            "AWS_ENDPOINT_URL": self.cloud.endpoint,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_DEFAULT_REGION": REGION,
        }

    def prepare(self) -> None:
        """What an account and a management cluster have before the first cluster is made."""
        self.cloud.verifies = True
        self.cloud.client("route53").create_hosted_zone(Name=DOMAIN, CallerReference="base")
        self.cloud.client("s3").create_bucket(Bucket=BUCKET)
        definitions = asyncio.run(parts.provider_aws_crds())
        kept = {"kind": "List", "apiVersion": "v1", "items": [*map(one_version, definitions)]}
        words = ("apply", "--server-side", "--force-conflicts", "-f", "-")
        self.cluster.kubectl(*words, feed=json.dumps(kept))
        self.cluster.apply(*_objects())
        self.cluster.kubectl("patch", *OPERATOR, "--patch", json.dumps(self._operator()))
        self.cluster.kubectl("rollout", "status", *OPERATOR, "--timeout=300s")

    def _operator(self) -> Manifest:
        """The operator with a bucket, as `install --oidc-storage-provider-s3-*` would have it."""
        found = self.cluster.get(*OPERATOR)
        container = found["spec"]["template"]["spec"]["containers"][0]
        prefix = "--oidc-storage-provider-s3"
        kept = [each for each in container["args"] if not each.startswith(prefix)]
        own = {
            "name": container["name"],
            "args": [
                *kept,
                f"{prefix}-bucket-name={BUCKET}",
                f"{prefix}-region={REGION}",
                f"{prefix}-credentials=/etc/oidc/credentials",
            ],
            "env": [{"name": "AWS_ENDPOINT_URL", "value": self.cloud.endpoint}],
            "volumeMounts": [{"name": "oidc", "mountPath": "/etc/oidc"}],
        }
        volume = {"name": "oidc", "secret": {"secretName": "oidc-credentials"}}
        return {"spec": {"template": {"spec": {"containers": [own], "volumes": [volume]}}}}

    async def lead_programs(self) -> None:
        """Tell each program of a control plane that comes up where AWS is."""
        while True:
            for label, container in PROGRAMS.items():
                with suppress(AssertionError, SubprocessError, ValueError):
                    await asyncio.to_thread(self._lead, label, container)
            await asyncio.sleep(LOOK)

    def _lead(self, label: str, container: str) -> None:
        for found in self.cluster.get("deployments", "-A", "-l", label):
            metadata, spec = found["metadata"], found["spec"]["template"]["spec"]
            wanted = [{"name": name, "value": self.cloud.endpoint} for name in WHERE]
            for each in spec["containers"]:
                known = each.get("env", ())
                if each["name"] != container or all(one in known for one in wanted):
                    continue
                own = {"containers": [{"name": container, "env": wanted}]}
                patch = json.dumps({"spec": {"template": {"spec": own}}})
                where = (f"deployment/{metadata['name']}", "-n", metadata["namespace"])
                self.cluster.kubectl("patch", *where, "--patch", patch)


@contextmanager
def aws_beside(cluster: Cluster, vpc: IPv4Network = VPC) -> Iterator[Beside]:
    """An AWS whose instances boot, as long as the block lasts.

    It listens at the address of the VPC's router: control planes are kept from the management
    cluster's own.
    """
    ground = Ground.beside(cluster.where, vpc, cluster.base / f"{cluster.name}-aws")
    with routed(ground), cloud(ground.gateway, PORT) as own:
        made = Beside(cluster, own)
        made.prepare()
        with _following(made, ground):
            yield made


@contextmanager
def _following(made: Beside, ground: Ground) -> Iterator[None]:
    """Run both loops in a thread of their own."""
    ready, ended = threading.Event(), threading.Event()

    async def follow() -> None:
        async with booting(made.cloud, ground) as made.booter:
            leading = asyncio.create_task(made.lead_programs())
            ready.set()
            try:
                await asyncio.to_thread(ended.wait)
            finally:
                leading.cancel()

    thread = threading.Thread(target=lambda: asyncio.run(follow()))
    thread.start()
    try:
        assert ready.wait(60), "the booter did not start"
        yield
    finally:
        ended.set()
        thread.join()


def _objects() -> list[Manifest]:
    return [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "oidc-storage-provider-s3-config", "namespace": "kube-public"},
            "data": {"name": BUCKET, "region": REGION},
        },
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "oidc-credentials", "namespace": "hypershift"},
            "stringData": {"credentials": CREDENTIALS},
        },
    ]
