"""A hosted cluster on the test cloud, used as its users do: by `hypershift` and `kubectl`."""

import json
import subprocess
import sys
from dataclasses import dataclass, field

from tests.cloud.aws.beside import DOMAIN, REGION, VPC, Beside
from tests.cloud.aws.thrift import AMI
from tests.e2e.embedded import Cluster, Manifest, run
from tests.e2e.hosted import PATIENCE, Hosted
from tests.e2e.workers import Pool

from hypershift.local.units.resolver import HOSTED_DOMAIN

#: Seconds for a command that makes a network, waits for nodes, or removes both.
LONG = 900.0


def push_release(cluster: Cluster) -> str:
    """Push a release with Cluster API's provider for AWS to the embedded cluster's registry."""
    target, image = f"http://{cluster.spec.plan.pushes}", f"{REGION}={AMI}"
    words = ("payload", "push", target, "--provider-aws", "--boot-image", image)
    argv = (sys.executable, "-m", "hypershift.cli", *words)
    return run(argv, seconds=LONG).stdout.strip().splitlines()[-1]


@dataclass
class AwsHosted(Hosted):
    """One hosted cluster whose nodes are instances of the test cloud."""

    beside: Beside = field(kw_only=True)

    def hypershift(
        self,
        *words: str,
        check: bool = True,
        seconds: float = PATIENCE,
        environment: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Type `hypershift ...` at the management cluster, as somebody on AWS."""
        known = {**self.beside.environment, **(environment or {})}
        return super().hypershift(*words, check=check, seconds=seconds, environment=known)

    def create_on_aws(self, release: str, zones: tuple[str, ...], *flags: str) -> str:
        """Type `hypershift create cluster aws ... --wait`; what it says on stderr."""
        secret = self.files / "pull-secret.json"
        secret.write_text(json.dumps({"auths": {}}))
        words = ("create", "cluster", "aws", "--name", self.name, "--namespace", self.namespace)
        ground = ("--base-domain", DOMAIN, "--vpc-cidr", str(VPC), "--zones", ",".join(zones))
        made = self.hypershift(
            *words,
            *ground,
            *("--external-dns-domain", HOSTED_DOMAIN, "--etcd-storage-class", "local"),
            *("--pull-secret", str(secret), "--release-image", release, "--wait"),
            *flags,
            seconds=LONG,
        )
        return made.stderr

    def destroy(self) -> None:
        """Type `hypershift destroy cluster aws`."""
        words = ("destroy", "cluster", "aws", "--name", self.name, "--namespace", self.namespace)
        self.hypershift(*words, seconds=LONG)

    def pool(self, zone: str) -> Pool:
        """The pool of a zone."""
        return Pool(self, f"{self.name}-{zone}")

    def instances(self) -> dict[str, Manifest]:
        """The living instances of the account, by the names of their nodes."""
        ec2 = self.beside.cloud.client("ec2")
        alive = [{"Name": "instance-state-name", "Values": ["pending", "running"]}]
        found = ec2.describe_instances(Filters=alive)["Reservations"]
        every = (dict(each) for one in found for each in one["Instances"])
        return {each["PrivateDnsName"]: each for each in every}

    def there(self) -> bool:
        """Whether the HostedCluster is there."""
        words = ("get", "hostedcluster", self.name, "-n", self.namespace)
        return self.management.try_kubectl(*words).returncode == 0
