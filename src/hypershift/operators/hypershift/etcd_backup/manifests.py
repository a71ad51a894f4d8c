"""The sealed manifest of a cluster, for the time in which a Job stores it beside the snapshot."""

import asyncio
from base64 import b64encode
from typing import Final

from hypershift.kit import Manifest, data_of, key_of
from hypershift.kube import kinds
from hypershift.operators.hypershift import recovery
from hypershift.operators.hypershift.etcd_backup import names
from hypershift.operators.hypershift.etcd_backup.scope import BackupScope

#: Bytes that a Secret can hold, less what its base64 and metadata need.
LARGEST: Final = 700_000


async def keep(scope: BackupScope, credentials: Manifest) -> str:
    """Write the manifest where the Job can read it, or report why that is impossible."""
    live = scope.context.live
    try:
        key = recovery.seal_key(data_of(credentials, names.MANIFEST_KEY))
        gathered = await recovery.gather(live, key_of(scope.cluster))
    except recovery.BadSeal as error:
        return f'credential Secret "{credentials["metadata"]["name"]}": {error}'
    except recovery.BadManifest as error:
        return f"the manifest of the cluster cannot be made: {error}"
    packed = await asyncio.to_thread(recovery.packed, gathered)
    content = recovery.sealed(packed, key)
    if len(content) > LARGEST:
        text = f"{len(content)} bytes of at most {LARGEST}"
        return f"the manifest of the cluster is too large to be stored: {text}"
    await scope.kube.apply(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {
                "name": names.job_name(scope.object),
                "namespace": scope.operator_namespace,
                "labels": names.job_labels(scope.object, scope.plane),
            },
            "data": {names.MANIFEST_FILE: b64encode(content).decode()},
        }
    )
    return ""


async def drop(scope: BackupScope) -> None:
    """Delete it; without one there is nothing to write."""
    name, place = names.job_name(scope.object), scope.operator_namespace
    if await scope.context.live.find(kinds.SECRET, name, place) is not None:
        await scope.kube.delete(kinds.SECRET, name, place)
