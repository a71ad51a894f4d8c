"""Programs of a restore proof's Pod: `restore-proof-fetch` and `restore-proof-compare`."""

import json
import os
import sys
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from hypershift.api.conditions import RestoreProofReason as Reason
from hypershift.api.well_known import ENCRYPTION_CONFIG
from hypershift.cli.command import Command
from hypershift.cli.flags import DURATION, Flag
from hypershift.cli.roles.backup import TERMINATION_MESSAGE
from hypershift.cli.typed import Typed
from hypershift.component.encryption_keys import AESCBC
from hypershift.controlplane.etcd import snapshot
from hypershift.controlplane.etcd.proof import Disproved, Folder, Verdict
from hypershift.controlplane.etcd.proof.compare import PATIENCE, compare, plane
from hypershift.kit import HypershiftError, data_of
from hypershift.operators.hypershift import recovery
from hypershift.operators.hypershift.hosted_cluster.rules import copies
from hypershift.operators.hypershift.recovery import ClusterManifest

#: The environment variables with the signed addresses; no message repeats them.
SNAPSHOT: Final = "PROOF_SNAPSHOT_URL"
CONTENTS: Final = "PROOF_CONTENTS_URL"
MANIFEST: Final = "PROOF_MANIFEST_URL"
LARGEST_LIST: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """What `restore-proof-fetch` is given."""

    folder: str
    manifest_key_file: str
    trust: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """What `restore-proof-compare` is given."""

    canary: str
    folder: str
    patience: timedelta


def run_fetch(options: FetchOptions) -> int:
    """Bring a backup and all that a control plane needs to start with it."""
    trust = Path(options.trust) if options.trust else None
    try:
        fetch(Folder(Path(options.folder)), Path(options.manifest_key_file), trust)
    except Disproved as error:
        return _failed(error)
    return 0


def fetch(folder: Folder, key_file: Path, trust: Path | None) -> None:
    """Fetch and verify list, manifest and snapshot, in this order: the small ones first."""
    began = time.time()
    listed = _list(_small(folder, CONTENTS, LARGEST_LIST, trust, Reason.SNAPSHOT_BAD))
    manifest = _manifest(
        _small(folder, MANIFEST, recovery.LARGEST, trust, Reason.MANIFEST_BAD), key_file
    )
    found = _snapshot(folder, trust)
    _check_list(listed, found)
    _check_keys(manifest, found)
    account, encryption = _keys(manifest)
    folder.equip(account, encryption)
    folder.expect(listed, began)
    sys.stdout.write(f"the snapshot has {found.keys} keys at revision {found.revision}\n")


def _small(folder: Folder, name: str, largest: int, trust: Path | None, missing: Reason) -> bytes:
    """A small file beside the snapshot."""
    path = folder.place / "small"
    wanted = snapshot.Fetch(os.environ[name], path, largest=largest, trust=trust)
    try:
        snapshot.download(wanted, path)
        return path.read_bytes()
    except snapshot.NotASnapshot as error:
        raise Disproved(missing, f"what lies beside the snapshot: {error}") from None
    except snapshot.CannotFetch as error:
        what = "the manifest" if name == MANIFEST else "the list of contents"
        is_gone = "answers 404" in str(error) or "answers 403" in str(error)
        reason = missing if is_gone else Reason.NOT_FETCHED
        raise Disproved(reason, f"{what} of the backup: {error}") from None
    finally:
        path.unlink(missing_ok=True)


def _list(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
        kinds, _ = found["kinds"], (found["revision"], found["keys"], found["size"])
        if isinstance(kinds, dict):
            return dict(found)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise Disproved(Reason.SNAPSHOT_BAD, "the list of contents beside the snapshot is damaged")


def _manifest(sealed: bytes, key_file: Path) -> ClusterManifest:
    try:
        key = recovery.seal_key(key_file.read_bytes())
        return recovery.unpacked(recovery.opened(sealed, key))
    except (recovery.BadSeal, recovery.BadManifest) as error:
        raise Disproved(Reason.MANIFEST_BAD, f"the manifest of the backup: {error}") from None


def _snapshot(folder: Folder, trust: Path | None) -> snapshot.Content:
    wanted = snapshot.Fetch(os.environ[SNAPSHOT], folder.snapshot, trust=trust)
    try:
        snapshot.download(wanted, folder.snapshot)
    except HypershiftError as error:
        raise Disproved(Reason.NOT_FETCHED, f"the snapshot: {error}") from None
    try:
        return snapshot.verified(folder.snapshot)
    except snapshot.NotASnapshot as error:
        raise Disproved(Reason.SNAPSHOT_BAD, f"the snapshot: {error}") from None


def _check_list(listed: dict[str, Any], found: snapshot.Content) -> None:
    """Refuse a snapshot that is not the one whose contents were listed when it was stored."""
    for what, was, now in (
        ("revision", listed["revision"], found.revision),
        ("keys", listed["keys"], found.keys),
    ):
        if was != now:
            text = f"the snapshot has {what} {now}, and {was} when it was stored"
            raise Disproved(Reason.SNAPSHOT_BAD, text)


def _check_keys(manifest: ClusterManifest, found: snapshot.Content) -> None:
    providers = {name.partition("/")[0] for name in found.encrypted_with}
    if others := providers - {AESCBC}:
        text = f"values are encrypted by {', '.join(sorted(others))}, which a proof cannot ask"
        raise Disproved(Reason.NOT_SUPPORTED, text)
    if missing := recovery.missing_keys(manifest, found.encrypted_with):
        names = ", ".join(sorted(missing))
        text = f"values are encrypted with {names}, and the manifest does not have that key"
        raise Disproved(Reason.KEY_MISSING, text)


def _keys(manifest: ClusterManifest) -> tuple[tuple[bytes, bytes], bytes]:
    """The pair that signs tokens of service accounts, and the configuration of encryption."""
    known = {one["metadata"]["name"]: one for one in manifest.keys}
    signing = known.get(copies.SIGNING_KEY)
    pair = tuple(data_of(signing, f"service-account.{part}") for part in ("key", "pub"))
    if not all(pair):
        text = "the manifest lacks the key that signs tokens of service accounts"
        raise Disproved(Reason.MANIFEST_BAD, text)
    return (pair[0], pair[1]), data_of(known.get(ENCRYPTION_CONFIG), "config.yaml")


def run_compare(options: CompareOptions) -> int:
    """Compare the control plane beside this program with the backup."""
    folder = Folder(Path(options.folder))
    try:
        verdict = compare(plane(folder, options.patience.total_seconds()), folder, options.canary)
    except Disproved as error:
        return _failed(error)
    _tell(verdict)
    return 0


def _failed(error: Disproved) -> int:
    _tell(Verdict(error.reason, str(error)))
    return 1


def _tell(verdict: Verdict) -> None:
    sys.stdout.write(f"{verdict.reason}: {verdict.message}\n")
    if TERMINATION_MESSAGE.exists():
        TERMINATION_MESSAGE.write_text(verdict.text())


_FOLDER = Flag("folder", "Folder that the programs of the proof share", required=True)
FETCH = Command(
    "restore-proof-fetch",
    "Fetch and verify a backup that is to be proven",
    description=(
        f"The signed addresses come by the environment variables {SNAPSHOT}, {CONTENTS} and\n"
        f"{MANIFEST}."
    ),
    run=Typed(FetchOptions, run_fetch),
    flags=(
        _FOLDER,
        Flag("manifest-key-file", "File with the key of the manifest", required=True),
        Flag("trust", "File of further authorities that a store's certificate may be signed by"),
    ),
)
COMPARE = Command(
    "restore-proof-compare",
    "Compare a scratch control plane with the backup that it started from",
    run=Typed(CompareOptions, run_compare),
    flags=(
        _FOLDER,
        Flag("canary", "What the backup wrote before its snapshot", required=True),
        Flag(
            "patience",
            "How long etcd and then the API server may take to start",
            DURATION,
            default=timedelta(seconds=PATIENCE),
        ),
    ),
)
