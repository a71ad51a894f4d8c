"""`operator run`: hosted clusters and node pools, and in Shared mode every other role."""

import os
from pathlib import Path

from hypershift import process
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT, STRING_ARRAY, Flag, Values, choice
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
from hypershift.cli.roles.surroundings import trust_bundles
from hypershift.cloud.stores import DocumentBucket
from hypershift.kit import UsageError
from hypershift.operators.hypershift import Mode, Settings
from hypershift.runtime import logger


async def run_operator(values: Values, without_effect: tuple[str, ...] = ()) -> None:
    """Run the HyperShift operator until a signal ends it."""
    start_logs(values)
    for name in without_effect:
        logger().warning("flag has no effect yet", flag=name)
    trust_bundles()
    settings = Settings(
        kubeconfig=path_of(values["kubeconfig"]),
        namespace=values["namespace"],
        name=values["pod-name"],
        mode=Mode(values["mode"].capitalize()),
        image=values["control-plane-operator-image"],
        cluster_api_image=os.environ.get("IMAGE_CLUSTER_API", ""),
        registry_mirrors=values["registry-mirror"],
        registry_overrides=values["registry-overrides"],
        egress_block_cidrs=values["hcp-egress-block-cidrs"],
        cluster_monitoring=values["enable-ocp-cluster-monitoring"],
        metrics_access=_switched_on("ENABLE_CVO_MANAGEMENT_CLUSTER_METRICS_ACCESS"),
        rhobs_monitoring=_switched_on("RHOBS_MONITORING"),
        leader_election=values["leader-elect"],
        sharding=values["shard-clusters"],
        health_address=values["metrics-addr"] or values["health-probe-addr"],
        ignition_port=values["ignition-port"],
        documents=_documents(values),
        shared_ingress_image=values["shared-ingress-image"],
        published_domains=values["published-domain"],
        audit_logs=os.environ.get("ENABLE_AUDIT_LOG_PERSISTENCE") == "true",
        etcd_backup_max_count=values["etcd-backup-max-count"],
        **surroundings(os.environ),
    )
    releases = releases_of(values)
    await process.run(settings, releases, images=releases)


def _documents(values: Values) -> DocumentBucket | None:
    """The bucket of OIDC documents, where one was named."""
    name, region, file = (
        values[f"{S3}-{part}"] for part in ("bucket-name", "region", "credentials")
    )
    if not any((name, region, file)):
        return None
    if not all((name, region, file)):
        raise UsageError(f"--{S3}-bucket-name, --{S3}-region and --{S3}-credentials go together")
    return DocumentBucket(name, region, Path(file))


def _switched_on(variable: str) -> bool:
    return os.environ.get(variable) == "1"


S3 = "oidc-storage-provider-s3"
MODES = choice(
    "string",
    ("shared", "dedicated"),
    lambda text: f"{text!r} is neither shared nor dedicated",
)


def flags(mode: str) -> tuple[Flag, ...]:
    """The flags of the operator, for a program that runs it in this mode by default."""
    return (
        Flag("namespace", "The operator's own namespace", default="hypershift"),
        Flag(
            "mode",
            "Where per-cluster roles run: shared (in this process) or dedicated",
            MODES,
            default=mode,
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
        Flag(
            "etcd-backup-max-count",
            "HCPEtcdBackups that are kept of each cluster once they succeeded; 0 keeps all",
            INT,
            default=5,
        ),
        Flag(f"{S3}-bucket-name", "Bucket of OIDC documents"),
        Flag(f"{S3}-region", "Region of that bucket"),
        Flag(f"{S3}-credentials", "File with the credentials of that bucket"),
        Flag("shared-ingress-image", "HAProxy (2.9 or newer) of the ingress that clusters share"),
        Flag(
            "published-domain",
            "Domain below which host names of clusters must be (repeatable; default: any)",
            STRING_ARRAY,
        ),
        Flag("enable-ocp-cluster-monitoring", "Let OpenShift scrape control planes", BOOL),
        Flag("enable-ci-debug-output", "Log every step", BOOL),
        Flag("metrics-addr", "Where health and metrics are served, before --health-probe-addr"),
        POD_NAME,
        HEALTH,
        IGNITION_PORT,
        *COMMON,
    )


OPERATOR = Command(
    "operator",
    "The HyperShift operator",
    commands=(
        Command(
            "run",
            "Run the operator, in a pod or outside of the cluster",
            run=run_operator,
            flags=flags("shared"),
        ),
    ),
)
