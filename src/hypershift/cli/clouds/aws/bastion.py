"""`create bastion aws` and `destroy bastion aws`: a way by SSH into a cluster's network."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from hypershift.api.secret_keys import SSH_KEY
from hypershift.cli.clouds.aws.account import log, login
from hypershift.cli.clouds.aws.options import LoginOptions
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.cloud.aws import Account
from hypershift.infra.aws import Bastion, create_bastion, destroy_bastion, tags_of
from hypershift.kit import Manifest, SystemClock, UsageError, data_of
from hypershift.kube import Client, kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class BastionOptions:
    """What `destroy bastion aws` is given."""

    login: LoginOptions
    infra_id: str
    name: str
    namespace: str
    region: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateOptions(BastionOptions):
    """What `create bastion aws` is given."""

    additional_tags: tuple[str, ...]
    ssh_key_file: str
    wait: bool


async def create(options: CreateOptions) -> int:
    """Make the bastion of a cluster, or of infrastructure that is named by its id."""
    _check(options)
    if options.infra_id and not options.ssh_key_file:
        raise UsageError(
            "--ssh-key-file is required with --infra-id: there is no cluster to take a key from"
        )
    own_key = _own_key(options.ssh_key_file)
    tags = dict(tags_of(options.additional_tags))
    wanted, region, key = await _of_cluster(options, own_key, tags)
    account = await asyncio.to_thread(Account, login(options.login), "cli-create-bastion", region)
    clock, wait = SystemClock(), options.wait
    instance, address = await create_bastion(account, wanted, key, log=log, clock=clock, wait=wait)
    shown = {"publicIP": address} if address else {}
    log("Successfully created bastion", id=instance, **shown)
    return 0


async def destroy(options: BastionOptions) -> int:
    """Remove the bastion; what is gone already is passed over."""
    _check(options)
    wanted, region, _ = await _of_cluster(options, b"-", {})
    account = await asyncio.to_thread(Account, login(options.login), "cli-destroy-bastion", region)
    await destroy_bastion(account, wanted, log=log, clock=SystemClock())
    log("Successfully destroyed bastion")
    return 0


def _check(options: BastionOptions) -> None:
    if bool(options.name) == bool(options.infra_id):
        raise UsageError("give either --name of a HostedCluster or --infra-id, not both")
    if options.infra_id and not options.region:
        raise UsageError("--region is required with --infra-id")


def _own_key(file: str) -> bytes:
    if not file:
        return b""
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the SSH key {file}: {error.strerror}") from None


async def _of_cluster(
    options: BastionOptions, key: bytes, tags: dict[str, str]
) -> tuple[Bastion, str, bytes]:
    """The bastion that is meant, its region, and the key that opens it."""
    if options.infra_id:
        return Bastion(options.infra_id, tags), options.region, key
    async with management("") as client:
        cluster = await client.get(kinds.HOSTED_CLUSTER, options.name, options.namespace)
        section = cluster["spec"]["platform"].get("aws")
        if not section:
            raise UsageError(f"hostedcluster {options.name} is not of platform AWS")
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


CREATE = Typed(CreateOptions, create)
DESTROY = Typed(BastionOptions, destroy)
