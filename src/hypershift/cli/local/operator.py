"""The HyperShift operator as the embedded cluster runs it: Shared, from its own registry."""

from collections.abc import Sequence

from hypershift.cli.command import Command, understand
from hypershift.cli.install import render
from hypershift.cli.install.options import FLAGS, InstallOptions
from hypershift.cli.install.resources import resources
from hypershift.cli.typed import options
from hypershift.kit import Manifest
from hypershift.local.cluster.state import Spec
from hypershift.local.images.prepare import Published
from hypershift.payload import REGISTRY

INSTALL = Command("install", "", flags=FLAGS, commands=(render.COMMAND,))


def operator_of(spec: Spec, made: Published) -> Sequence[Manifest]:
    """The very objects that `install render` prints for this command line."""
    line = understand(INSTALL, ["render", *flags(spec, made)])
    return resources(options(InstallOptions, line.values))


def flags(spec: Spec, made: Published) -> list[str]:
    """One replica of a shared operator, and no webhooks: one version of each kind is served."""
    return [
        "--shared",
        "--personas",
        # All content of the embedded registry comes from the host's administrator.
        f"--offered-release={REGISTRY}/*",
        "--limit-crd-install=Local",
        f"--hypershift-image={made.images['hypershift']}",
        # Its pods come with the first cluster that chooses it.
        f"--shared-ingress-image={made.images['haproxy']}",
        f"--registry-mirror={REGISTRY}=http://{spec.plan.registry}",
        # The management API server answers on the machines' bridge: no control plane needs either,
        # nor pods of other namespaces. Constant ranges spare a look at each node.
        f"--hcp-egress-block-cidrs={spec.plan.machines}",
        f"--hcp-egress-block-cidrs={spec.plan.pods}",
        "--enable-audit-log-persistence",
        "--enable-conversion-webhook=false",
        "--disable-capi-conversion-webhook",
        "--monitoring-objects=false",
    ]
