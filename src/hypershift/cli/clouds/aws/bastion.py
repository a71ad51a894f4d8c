"""`create bastion aws` and `destroy bastion aws`: a way by SSH into a cluster's network."""

import asyncio
from pathlib import Path

from hypershift.api.secret_keys import SSH_KEY
from hypershift.cli.clouds.aws.account import log, login
from hypershift.cli.flags import Values
from hypershift.cli.management import management
from hypershift.cloud.aws import Account
from hypershift.infra.aws import Bastion, create_bastion, destroy_bastion, tags_of
from hypershift.kit import Manifest, SystemClock, UsageError, data_of
from hypershift.kube import Client, kinds


async def create(values: Values) -> int:
    """Make the bastion of a cluster, or of infrastructure that is named by its id."""
    _check(values)
    own_key = _own_key(values)
    wanted, region, key = await _of_cluster(values, own_key)
    account = await asyncio.to_thread(Account, login(values), "cli-create-bastion", region)
    clock, wait = SystemClock(), values["wait"]
    instance, address = await create_bastion(account, wanted, key, log=log, clock=clock, wait=wait)
    shown = {"publicIP": address} if address else {}
    log("Successfully created bastion", id=instance, **shown)
    return 0


async def destroy(values: Values) -> int:
    """Remove the bastion; what is gone already is passed over."""
    _check(values)
    wanted, region, _ = await _of_cluster(values, b"-")
    account = await asyncio.to_thread(Account, login(values), "cli-destroy-bastion", region)
    await destroy_bastion(account, wanted, log=log, clock=SystemClock())
    log("Successfully destroyed bastion")
    return 0


def _check(values: Values) -> None:
    if bool(values["name"]) == bool(values["infra-id"]):
        raise UsageError("give either --name of a HostedCluster or --infra-id, not both")
    if values["infra-id"] and not values["region"]:
        raise UsageError("--region is required with --infra-id")
    if values["infra-id"] and "ssh-key-file" in values.values and not values["ssh-key-file"]:
        raise UsageError(
            "--ssh-key-file is required with --infra-id: there is no cluster to take a key from"
        )


def _own_key(values: Values) -> bytes:
    if not (file := values["ssh-key-file"]):
        return b""
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the SSH key {file}: {error.strerror}") from None


async def _of_cluster(values: Values, key: bytes) -> tuple[Bastion, str, bytes]:
    """The bastion that is meant, its region, and the key that opens it."""
    tags = dict(tags_of(values.get("additional-tags") or ()))
    if values["infra-id"]:
        return Bastion(values["infra-id"], tags), values["region"], key
    async with management("") as client:
        cluster = await client.get(kinds.HOSTED_CLUSTER, values["name"], values["namespace"])
        section = cluster["spec"]["platform"].get("aws")
        if not section:
            raise UsageError(f"hostedcluster {values['name']} is not of platform AWS")
        own = {one["key"]: one["value"] for one in section.get("resourceTags") or ()}
        bastion = Bastion(cluster["spec"]["infraID"], {**own, **tags})
        return bastion, section["region"], key or await _key_of(client, cluster)


async def _key_of(client: Client, cluster: Manifest) -> bytes:
    name = (cluster["spec"].get("sshKey") or {}).get("name")
    place = cluster["metadata"]["namespace"]
    secret = await client.find(kinds.SECRET, name, place) if name else None
    if key := data_of(secret, SSH_KEY):
        return key
    raise UsageError(
        f"hostedcluster {place}/{cluster['metadata']['name']} has no SSH key: give --ssh-key-file"
    )
