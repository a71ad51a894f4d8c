"""Backups of hosted clusters by OADP, OpenShift's operator of Velero."""

from hypershift.cli.clouds.notation import unbuilt

_COMMON = (
    "hc-name! hc-namespace! include-additional-namespaces* name oadp-namespace=openshift-adp "
    "render? use-etcd-snapshot?"
)
_BACKUP = (
    f"{_COMMON} default-volumes-to-fs-backup? included-resources* storage-location=default ttl@=2h"
)
_WHY = "objects of Velero are not made"

CREATE_BACKUP = unbuilt(
    "create oadp-backup",
    "Back a hosted cluster up with OADP",
    f"{_BACKUP} snapshot-move-data?=true",
    _WHY,
)
CREATE_RESTORE = unbuilt(
    "create oadp-restore",
    "Restore a hosted cluster with OADP",
    f"{_COMMON} existing-resource-policy=update from-backup from-schedule "
    f"preserve-node-ports?=true restore-pvs?=true",
    _WHY,
)
CREATE_SCHEDULE = unbuilt(
    "create oadp-schedule",
    "Back a hosted cluster up with OADP again and again",
    f"{_BACKUP} paused? schedule! skip-immediately? snapshot-move-data? use-owner-references?",
    _WHY,
)
