"""`console-logs aws`: what a cluster's running instances printed on their consoles."""

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypershift.cli.clouds.aws.account import login
from hypershift.cli.clouds.aws.options import LoginOptions
from hypershift.cli.files import write_file
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.cloud.aws import Account
from hypershift.kit import Manifest, UsageError
from hypershift.kit.lines import visible
from hypershift.kube import kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleOptions:
    """What `console-logs aws` is given."""

    login: LoginOptions
    name: str
    namespace: str
    output_dir: str


async def write_consoles(options: ConsoleOptions) -> int:
    """Write one file for each running instance of a cluster, named by its tag or its id."""
    async with management("") as client:
        cluster = await client.get(kinds.HOSTED_CLUSTER, options.name, options.namespace)
    region, infra_id = _place(cluster)
    account = await asyncio.to_thread(Account, login(options.login), "cli-console-logs", region)
    found = await asyncio.to_thread(instances, account, infra_id)
    directory = _directory(options.output_dir)
    for each in found:
        text = await asyncio.to_thread(_console, account, each["InstanceId"])
        path = directory / f"{_file_name(each)}.log"
        # what a machine prints while it boots may hold its tokens
        write_file(str(path), text, "failed to write console log", private=True)
        sys.stdout.write(visible(str(path)) + "\n")
    if not found:
        sys.stderr.write(f"no instance of {infra_id} runs in {region}\n")
    return 0


def _directory(name: str) -> Path:
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"output directory {name}: {error.strerror}") from None
    return Path(name)


def _place(cluster: Manifest) -> tuple[str, str]:
    spec = cluster["spec"]
    section = spec["platform"].get("aws")
    if not section:
        raise UsageError(f"hostedcluster {cluster['metadata']['name']} is not of platform AWS")
    return str(section["region"]), str(spec["infraID"])


def instances(account: Account, infra_id: str) -> list[dict[str, Any]]:
    """The running instances that a cluster owns."""
    filters = [
        {"Name": f"tag:kubernetes.io/cluster/{infra_id}", "Values": ["owned"]},
        {"Name": "instance-state-name", "Values": ["running"]},
    ]
    found = account.all("ec2", "describe_instances", "Reservations", Filters=filters)
    return [each for reservation in found for each in reservation["Instances"]]


def _file_name(instance: dict[str, Any]) -> str:
    """The Name tag without what would lead out of the directory; the id where there is none.

    Who may tag an instance may give it another's name: the id tells them apart.
    """
    tags = {each["Key"]: each["Value"] for each in instance.get("Tags") or ()}
    name = tags.get("Name", "").replace("/", "-").lstrip(".")
    return name or str(instance["InstanceId"])


def _console(account: Account, instance: str) -> str:
    # boto3 has decoded the base64 of AWS already
    return str(account.call("ec2", "get_console_output", InstanceId=instance).get("Output") or "")


WRITE = Typed(ConsoleOptions, write_consoles)
