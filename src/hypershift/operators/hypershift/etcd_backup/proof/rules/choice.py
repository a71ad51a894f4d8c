"""Which backups are proven, and what of them a proof needs."""

from typing import Final
from urllib.parse import urlsplit

from hypershift.api import HCPEtcdBackup, annotations
from hypershift.api.conditions import EtcdBackupCondition, RestoreProofReason
from hypershift.kit import InvalidSpec, Manifest, annotations_of
from hypershift.runtime import condition_of

PROVEN: Final = EtcdBackupCondition.RESTORE_PROVEN
MOST: Final = 1000
SHOWN: Final = 80
#: Reasons after which the proof of a backup goes on.
OPEN: Final = frozenset({"", RestoreProofReason.WAITING, RestoreProofReason.IN_PROGRESS})


def prove_every(backup: Manifest) -> int:
    """After how many backups of its row one is proven, 0 for none of them; InvalidSpec for rubbish.

    A backup that is in no row is proven with any number.
    """
    text = annotations_of(backup).get(annotations.PROVE_RESTORE)
    if text is None:
        return 0
    # Python refuses to read a number of thousands of digits with an error of its own.
    if not text.isdecimal() or len(text) > len(str(MOST)) or not 0 < int(text) <= MOST:
        shown = text[:SHOWN]
        raise InvalidSpec(
            f"annotation {annotations.PROVE_RESTORE}={shown} is no number from 1 to {MOST}"
        )
    return int(text)


def is_wanted(backup: Manifest) -> bool:
    """Whether a backup is to be proven; a wish that is rubbish is answered with a reason."""
    return annotations.PROVE_RESTORE in annotations_of(backup)


def is_decided(backup: Manifest) -> bool:
    """Whether the proof of a backup has ended."""
    return (condition_of(backup, PROVEN) or {}).get("reason", "") not in OPEN


def key_in_bucket(backup: HCPEtcdBackup) -> str:
    """Where the snapshot lies in the bucket of the spec; empty where it is not there."""
    s3, url = backup.spec.storage.s3, urlsplit(backup.status.snapshot_url or "")
    if s3 is None or url.scheme != "s3" or url.netloc != s3.bucket:
        return ""
    return url.path.lstrip("/")
