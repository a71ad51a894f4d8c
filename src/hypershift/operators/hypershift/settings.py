"""The settings that the HyperShift operator is started with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from hypershift.cloud.stores import DocumentBucket


class Mode(StrEnum):
    """Where the per-cluster roles run."""

    SHARED = "Shared"  # in the operator's own replicas
    DEDICATED = "Dedicated"  # in a Deployment of each control plane namespace


@dataclass(frozen=True)
class Settings:
    """The operator's settings, filled once by the command line."""

    kubeconfig: Path | None = None
    namespace: str = "hypershift"
    name: str = ""  # of this replica; the host's name when empty
    mode: Mode = Mode.SHARED
    image: str = ""  # of this program, for the Deployments that it makes
    cluster_api_image: str = ""  # of Cluster API's manager; the release's when empty
    registry_mirrors: Mapping[str, str] = field(default_factory=dict)
    registry_overrides: Mapping[str, str] = field(default_factory=dict)
    proxy: Mapping[str, str] = field(default_factory=dict)  # of the management cluster
    metrics_set: str = "Telemetry"
    egress_block_cidrs: tuple[str, ...] = ()
    cluster_monitoring: bool = False
    metrics_access: bool = False
    rhobs_monitoring: bool = False
    leader_election: bool = True
    sharding: bool = False  # replicas share the clusters instead of electing one that does all
    health_address: str = "0.0.0.0:6060"  # probes and metrics
    cache: Path | None = None  # where looked-up releases are kept
    ignition_service: str = "ignition-server"  # of the shared ignition server
    ignition_port: int = 9090
    workers: int = 10
    documents: DocumentBucket | None = None  # where token issuers publish
    shared_ingress_image: str = ""  # HAProxy of the shared ingress; empty: there is none
    published_domains: tuple[str, ...] = ()  # below which clusters may have host names; all
    audit_logs: bool = False  # API servers keep audit logs as the AuditLogPersistenceConfig asks
    etcd_backup_max_count: int = 5  # successful backups that are kept of each cluster; 0: all
