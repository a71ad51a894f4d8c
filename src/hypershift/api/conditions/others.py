"""What is stated about components, backups, private endpoints, certificates and node classes."""

from hypershift.api.conditions.words import ConditionReason, ConditionType


class ComponentCondition(ConditionType):
    """Condition types of a ControlPlaneComponent."""

    #: Enough replicas serve.
    AVAILABLE = "Available"
    #: The wanted version runs everywhere; only then does `status.version` move.
    ROLLOUT_COMPLETE = "RolloutComplete"


class ComponentReason(ConditionReason):
    """Reasons that only a ControlPlaneComponent's conditions have."""

    #: The message lists them: "Waiting for Dependencies: a, b".
    WAITING_FOR_DEPENDENCIES = "WaitingForDependencies"
    RECONCILIATION_ERROR = "ReconciliationError"
    WAITING_FOR_ROLLOUT_COMPLETE = "WaitingForRolloutComplete"
    WAITING_FOR_OPERANDS = "WaitingForOperands"
    #: This cluster does without the component.
    DISABLED = "Disabled"
    #: A Job neither runs nor ended.
    UNKNOWN = "Unknown"


class EtcdBackupCondition(ConditionType):
    """Condition types of an HCPEtcdBackup."""

    #: The snapshot is stored.
    COMPLETED = "BackupCompleted"
    #: It was restored in a scratch control plane, and all of it was there.
    RESTORE_PROVEN = "RestoreProven"


class EtcdBackupReason(ConditionReason):
    """Reasons of an HCPEtcdBackup's condition; only the last two are final failures."""

    IN_PROGRESS = "BackupInProgress"
    SUCCEEDED = "BackupSucceeded"
    ETCD_UNHEALTHY = "EtcdUnhealthy"
    FAILED = "BackupFailed"
    REJECTED = "BackupRejected"


class AuditLogCondition(ConditionType):
    """Condition types of an AuditLogPersistenceConfig; ours, the original states none."""

    #: There is a storage class for the volumes of logs.
    STORAGE_FOUND = "StorageFound"
    #: All files that are kept fit the volume.
    ROTATION_FITS = "RotationFits"
    #: The management cluster has VolumeSnapshots; absent while none are asked for.
    SNAPSHOTS_AVAILABLE = "SnapshotsAvailable"


class AuditLogReason(ConditionReason):
    """Reasons of an AuditLogPersistenceConfig's conditions."""

    STORAGE_CLASS_NOT_FOUND = "StorageClassNotFound"
    VOLUME_TOO_SMALL = "VolumeTooSmall"
    SNAPSHOTS_NOT_SERVED = "SnapshotsNotServed"


class RestoreProofReason(ConditionReason):
    """Reasons of `RestoreProven`; all but the first two are final."""

    #: Another backup is being proven, or something is in the way.
    WAITING = "WaitingForRestoreProof"
    IN_PROGRESS = "RestoreProofInProgress"
    RESTORED = "Restored"
    #: This kind of store, credentials, key or release cannot be proven.
    NOT_SUPPORTED = "RestoreProofNotSupported"
    #: The store does not give the snapshot.
    NOT_FETCHED = "SnapshotNotFetched"
    #: The snapshot is damaged, or another one than was stored.
    SNAPSHOT_BAD = "SnapshotDamaged"
    #: The manifest is missing or damaged, or its key is another one.
    MANIFEST_BAD = "ManifestUnreadable"
    #: The manifest lacks a key that values are encrypted with.
    KEY_MISSING = "EncryptionKeyMissing"
    #: etcd or the API server did not start with the data.
    NOT_STARTED = "ControlPlaneNotStarted"
    #: Objects are missing, changed, or cannot be read.
    DIFFERENT = "ObjectsDiffer"
    #: The proof itself could not run to its end.
    FAILED = "RestoreProofFailed"


class GCPPrivateServiceConnectCondition(ConditionType):
    """Condition types of a GCPPrivateServiceConnect."""

    SERVICE_ATTACHMENT_AVAILABLE = "GCPServiceAttachmentAvailable"
    ENDPOINT_AVAILABLE = "GCPEndpointAvailable"
    DNS_AVAILABLE = "GCPDNSAvailable"
    #: All of the above.
    AVAILABLE = "GCPPrivateServiceConnectAvailable"


class RevocationCondition(ConditionType):
    """Condition types of a CertificateRevocationRequest, in the order of its steps."""

    SIGNER_CLASS_VALID = "SignerClassValid"
    ROOT_CERTIFICATES_REGENERATED = "RootCertificatesRegenerated"
    NEW_CERTIFICATES_TRUSTED = "NewCertificatesTrusted"
    LEAF_CERTIFICATES_REGENERATED = "LeafCertificatesRegenerated"
    PREVIOUS_CERTIFICATES_REVOKED = "PreviousCertificatesRevoked"


class RevocationReason(ConditionReason):
    """Reasons that only a CertificateRevocationRequest's conditions have."""

    SIGNER_CLASS_UNKNOWN = "SignerClassUnknown"
    ROOT_CERTIFICATES_STALE = "RootCertificatesStale"
    LEAF_CERTIFICATES_STALE = "LeafCertificatesStale"
    #: Long after the new list, API servers still accept old certificates, or cannot be asked.
    VERIFICATION_TIMEOUT = "RevocationVerificationTimeout"


class SizingCondition(ConditionType):
    """Condition types of a ClusterSizingConfiguration."""

    VALID = "ClusterSizingConfigurationValid"


class SizingReason(ConditionReason):
    """Reasons of a ClusterSizingConfiguration's condition."""

    INVALID = "SizeConfigurationInvalid"


class NodeClassCondition(ConditionType):
    """Condition types of an OpenshiftEC2NodeClass."""

    READY = "Ready"
    #: `spec.version` names a release.
    VERSION_RESOLVED = "VersionResolved"
    SUPPORTED_VERSION_SKEW = "SupportedVersionSkew"


class NodeClassReason(ConditionReason):
    """Reasons of an OpenshiftEC2NodeClass's conditions."""

    VERSION_NOT_SPECIFIED = "VersionNotSpecified"
    VERSION_RESOLVED = "VersionResolved"
    RESOLUTION_FAILED = "ResolutionFailed"
    UNSUPPORTED_SKEW = "UnsupportedSkew"
