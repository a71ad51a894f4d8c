"""`karpenter-operator`: Karpenter's operator by the name and the flags of its Deployment.

The Deployment is the original's, so the program in our image answers to the same command line;
`hypershift karpenter-operator run` is the same.
"""

import os
from dataclasses import dataclass, replace

from hypershift import process
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.roles.common import COMMON, POD_NAME, surroundings
from hypershift.cli.roles.dedicated import PlaceOptions, place
from hypershift.cli.typed import Typed

SUMMARY = "Nodes of one hosted cluster that Karpenter makes as pods need them"


@dataclass(frozen=True, slots=True, kw_only=True)
class KarpenterOptions(PlaceOptions):
    """What Karpenter's operator is given."""

    hypershift_operator_image: str
    ignition_endpoint: str


async def run_karpenter_operator(options: KarpenterOptions) -> None:
    """Run Karpenter's operator of one control plane namespace until a signal ends it."""
    wanted = process.NodesOnDemand(
        control_plane_image=options.control_plane_operator_image
        or options.hypershift_operator_image,
        ignition_endpoint=options.ignition_endpoint,
        registry_overrides=options.registry_overrides,
        proxy=surroundings(os.environ)["proxy"],
    )
    await process.run_karpenter_operator(place(options), wanted)


RUN = Typed(KarpenterOptions, run_karpenter_operator)


FLAGS = (
    Flag("namespace", "The control plane namespace", required=True),
    Flag("target-kubeconfig", "Does nothing: the Secret hcco-kubeconfig is read, as it is renewed"),
    Flag("hypershift-operator-image", "The image of the HyperShift operator"),
    Flag("ignition-endpoint", "Where nodes fetch their configuration"),
    Flag(
        "enable-standalone-karpenter-operator",
        "Does nothing: Karpenter's own operator is not here",
        BOOL,
    ),
    Flag("health-probe-addr", "Where health and metrics are served", default="0.0.0.0:8080"),
    POD_NAME,
    *COMMON,
)
PROGRAM = Command("karpenter-operator", SUMMARY, run=RUN, flags=FLAGS)
COMMAND = replace(
    PROGRAM,
    run=None,
    flags=(),
    commands=(
        Command(
            "run", f"Run it for one control plane: {SUMMARY.lower()}", run=PROGRAM.run, flags=FLAGS
        ),
    ),
)
