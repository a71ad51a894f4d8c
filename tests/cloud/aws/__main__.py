"""`python -m tests.cloud.aws`: an AWS beside an embedded cluster, for developers.

    hypershift local up
    python -m tests.cloud.aws --name default

prints what to export, and ends with Ctrl-C, which removes every machine of its instances.
"""

import argparse
import signal
import sys
from ipaddress import IPv4Network
from pathlib import Path

from tests.cloud.aws.beside import AMI, DOMAIN, REGION, VPC, aws_beside
from tests.e2e.embedded import Cluster

from hypershift.local.cluster import state


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
        for name, value in made.environment.items():
            sys.stdout.write(f"export {name}={value}\n")
        sys.stdout.write(
            f"# region {REGION}, domain {DOMAIN}, --vpc-cidr {options.vpc_cidr}; images:\n"
        )
        registry = cluster.spec.plan.registry
        sys.stdout.write(f"# hypershift payload push http://{registry} --provider-aws \\\n")
        sys.stdout.write(f"#   --boot-image {REGION}={AMI}\n")
        sys.stdout.flush()
        signal.sigwait(signals)


if __name__ == "__main__":
    main()
