"""`operator run`: hosted clusters and node pools, and in Shared mode every other role."""

import os
from dataclasses import dataclass
from pathlib import Path

from hypershift import process
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT, STRING_ARRAY, Flag, choice
from hypershift.cli.roles.common import (
    COMMON,
    HEALTH,
    IGNITION_PORT,
    POD_NAME,
    CommonOptions,
    path_of,
    releases_of,
    start_logs,
    surroundings,
)
from hypershift.cli.roles.surroundings import trust_bundles
from hypershift.cli.typed import Typed
from hypershift.cloud.stores import DocumentBucket
from hypershift.kit import UsageError
from hypershift.operators.hypershift import Mode, Settings
from hypershift.runtime import logger


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorOptions(CommonOptions):
    """What the HyperShift operator is given."""

    enable_ocp_cluster_monitoring: bool
    etcd_backup_max_count: int
    hcp_egress_block_cidrs: tuple[str, ...]
    health_probe_addr: str
    ignition_port: int
    metrics_addr: str
    mode: str
    namespace: str
    oidc_storage_provider_s3_bucket_name: str
    oidc_storage_provider_s3_credentials: str
    oidc_storage_provider_s3_region: str
    pod_name: str
    published_domain: tuple[str, ...]
    shard_clusters: bool
    shared_ingress_image: str


async def run_operator(options: OperatorOptions, without_effect: tuple[str, ...] = ()) -> None:
    """Run the HyperShift operator until a signal ends it."""
    start_logs(options)
    for name in without_effect:
        logger().warning("flag has no effect yet", flag=name)
    trust_bundles()
    settings = Settings(
        kubeconfig=path_of(options.kubeconfig),
        namespace=options.namespace,
        name=options.pod_name,
        mode=Mode(options.mode.capitalize()),
        image=options.control_plane_operator_image,
        cluster_api_image=os.environ.get("IMAGE_CLUSTER_API", ""),
        registry_mirrors=options.registry_mirror,
        registry_overrides=options.registry_overrides,
        egress_block_cidrs=options.hcp_egress_block_cidrs,
        cluster_monitoring=options.enable_ocp_cluster_monitoring,
        metrics_access=_switched_on("ENABLE_CVO_MANAGEMENT_CLUSTER_METRICS_ACCESS"),
        rhobs_monitoring=_switched_on("RHOBS_MONITORING"),
        leader_election=options.leader_elect,
        sharding=options.shard_clusters,
        health_address=options.metrics_addr or options.health_probe_addr,
        ignition_port=options.ignition_port,
        documents=_documents(options),
        shared_ingress_image=options.shared_ingress_image,
        published_domains=options.published_domain,
        audit_logs=os.environ.get("ENABLE_AUDIT_LOG_PERSISTENCE") == "true",
        etcd_backup_max_count=options.etcd_backup_max_count,
        **surroundings(os.environ),
    )
    releases = releases_of(options)
    await process.run(settings, releases, images=releases)


def _documents(options: OperatorOptions) -> DocumentBucket | None:
    """The bucket of OIDC documents, where one was named."""
    name = options.oidc_storage_provider_s3_bucket_name
    region = options.oidc_storage_provider_s3_region
    file = options.oidc_storage_provider_s3_credentials
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
            run=Typed(OperatorOptions, run_operator),
            flags=flags("shared"),
        ),
    ),
)
