"""Support of `spec.etcd` and `spec.secretEncryption`."""

from hypershift.api.platforms.traits import CloudIdentity, traits_of
from hypershift.api.values import EtcdStorageType
from hypershift.operators.hypershift.support.rows import HOSTED, Support, honoured, ignored, refused
from hypershift.release import Product

_UNREAD = "the operator has no reader for it yet"

#: Where the plugin of a key service finds a role that the cluster's tokens lend.
BY_ROLE = tuple(name for name in HOSTED if traits_of(name).identity is CloudIdentity.ROLE_FILE)

ROWS: tuple[Support, ...] = (
    *honoured(
        "etcd",
        "etcd.managementType",
        "etcd.managed.storage.type",
        "etcd.managed.storage.persistentVolume",
    ),
    *honoured("kube-apiserver, UnmanagedEtcdAvailable", "etcd.unmanaged"),
    *honoured(
        "etcd (restore container)",
        "etcd.managed.storage.restoreSnapshotURL",
    ),
    *honoured("etcd (shards), kube-apiserver", "etcd.managed.shards"),
    refused(
        "etcd.managed.shards.storage.type",
        "a member in memory forgets what the API server has promised to keep:"
        " use type PersistentVolume",
        allows=(EtcdStorageType.PERSISTENT_VOLUME,),
        fixed=True,
    ),
    refused(
        "etcd.managed.scheduling",
        "etcd's pods are placed by spec.nodeSelector and spec.tolerations alone: use those",
    ),
    ignored("etcd.managed.scheduling", _UNREAD, Product.OPENSHIFT),
    *honoured("HCPEtcdBackup (default key)", "etcd.managed.backup"),
    *honoured("kube-apiserver, re-encryption", "secretEncryption.type", "secretEncryption.aescbc"),
    *honoured("kube-apiserver (sidecars)", "secretEncryption.kms", product=Product.OPENSHIFT),
    refused(
        "secretEncryption.kms",
        "a Kubernetes release asks AWS' key service alone, for clusters on AWS: use type aescbc",
    ),
    *honoured(
        "kube-apiserver (sidecars), where the release has the plugin: `payload push --kms-aws`",
        "secretEncryption.kms.provider",
        "secretEncryption.kms.aws",
        product=Product.KUBERNETES,
        platforms=BY_ROLE,
    ),
)
