"""`operator run`: hosted clusters and node pools, and in Shared mode every other role."""

import os

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, STRING_ARRAY, Flag, Values, choice
from hypershift.cli.roles.common import (
    COMMON,
    HEALTH,
    IGNITION_PORT,
    POD_NAME,
    path_of,
    releases_of,
    start_logs,
    surroundings,
)
from hypershift.cli.roles.compose import DEDICATED_ROLES, SHARED_ROLES, SHARED_SERVICES
from hypershift.operators import hypershift as operator
from hypershift.operators.hypershift import Mode, Settings


async def run_operator(values: Values) -> None:
    """Run the HyperShift operator until a signal ends it."""
    start_logs(values)
    settings = Settings(
        kubeconfig=path_of(values["kubeconfig"]),
        namespace=values["namespace"],
        name=values["pod-name"],
        mode=Mode(values["mode"].capitalize()),
        image=values["control-plane-operator-image"],
        registry_mirrors=values["registry-mirror"],
        registry_overrides=values["registry-overrides"],
        egress_block_cidrs=values["hcp-egress-block-cidrs"],
        cluster_monitoring=values["enable-ocp-cluster-monitoring"],
        leader_election=values["leader-elect"],
        sharding=values["shard-clusters"],
        health_address=values["health-probe-addr"],
        ignition_port=values["ignition-port"],
        **surroundings(os.environ),
    )
    shared = settings.mode is Mode.SHARED
    await operator.run(
        settings,
        releases_of(values),
        SHARED_ROLES if shared else DEDICATED_ROLES,
        SHARED_SERVICES if shared else (),
    )


MODES = choice(
    "string",
    ("shared", "dedicated"),
    lambda text: f"{text!r} is neither shared nor dedicated",
)
OPERATOR = Command(
    "operator",
    "The HyperShift operator",
    commands=(
        Command(
            "run",
            "Run the operator, in a pod or outside of the cluster",
            run=run_operator,
            flags=(
                Flag("namespace", "The operator's own namespace", default="hypershift"),
                Flag(
                    "mode",
                    "Where per-cluster roles run: shared (in this process) or dedicated",
                    MODES,
                    default="shared",
                ),
                Flag(
                    "hcp-egress-block-cidrs",
                    "Ranges that control planes must not reach (repeatable)",
                    STRING_ARRAY,
                ),
                Flag(
                    "shard-clusters",
                    "Share the clusters among the replicas instead of electing one that does all",
                    BOOL,
                ),
                Flag("enable-ocp-cluster-monitoring", "Let OpenShift scrape control planes", BOOL),
                POD_NAME,
                HEALTH,
                IGNITION_PORT,
                *COMMON,
            ),
        ),
    ),
)
