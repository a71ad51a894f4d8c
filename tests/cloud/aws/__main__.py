"""`python -m tests.cloud.aws`: an AWS beside an embedded cluster, for developers.

    hypershift local up
    python -m tests.cloud.aws --name local

makes a release with Cluster API's provider for AWS, prints what to export and how a cluster is
made, and ends with Ctrl-C, which removes every machine of its instances.
"""

import argparse
import signal
import sys
from ipaddress import IPv4Network
from pathlib import Path

from tests.cloud.aws.beside import DOMAIN, REGION, VPC, aws_beside
from tests.cloud.aws.hosted import push_release
from tests.e2e.embedded import Cluster

from hypershift.local.cluster import state
from hypershift.local.units.resolver import HOSTED_DOMAIN


def main() -> None:
    """Serve until a signal comes."""
    parser = argparse.ArgumentParser(prog="python -m tests.cloud.aws", description=__doc__)
    parser.add_argument("--name", default=state.DEFAULT_NAME, help="Name of the embedded cluster")
    parser.add_argument("--state-dir", type=Path, default=None, help="Where its state is")
    parser.add_argument("--vpc-cidr", type=IPv4Network, default=VPC, help="Range of the VPC, a /16")
    options = parser.parse_args()
    cluster = Cluster(options.name, options.state_dir or state.base_directory())
    signals = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    with aws_beside(cluster, options.vpc_cidr) as made:
        release = push_release(cluster)
        secret = cluster.base / f"{cluster.name}-aws-pull-secret.json"
        secret.write_text('{"auths": {}}')
        say(f"export KUBECONFIG={cluster.kubeconfig}")
        for name, value in made.environment.items():
            say(f"export {name}={value}")
        say("hypershift create cluster aws --name demo --node-pool-replicas 1 --wait \\")
        say(f"  --base-domain {DOMAIN} --external-dns-domain {HOSTED_DOMAIN} \\")
        say(f"  --zones {REGION}a --vpc-cidr {options.vpc_cidr} --etcd-storage-class local \\")
        say(f"  --pull-secret {secret} --release-image {release}")
        say("hypershift destroy cluster aws --name demo")
        signal.sigwait(signals)
        secret.unlink()


def say(line: str) -> None:
    """Print a line at once: who reads it may be a script."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
