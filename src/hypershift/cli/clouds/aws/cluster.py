"""`destroy cluster aws`: the cluster first, then its network, then its roles."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any

from hypershift.api.finalizers import DESTROY_FINALIZER
from hypershift.cli.clouds.aws.account import accounts, log
from hypershift.cli.clouds.aws.infra import remove
from hypershift.cli.cluster.build import INFRA_LABEL
from hypershift.cli.cluster.destroy import CLEANUP, Ending, until_gone
from hypershift.cli.flags import Values
from hypershift.cli.management import management
from hypershift.cli.typed import options
from hypershift.infra.aws import Accounts
from hypershift.infra.aws.roles import destroy_roles
from hypershift.kit import HypershiftError, Manifest, SystemClock, TerminalError, UsageError
from hypershift.kube import Client, kinds

#: What must be known of the cloud, and the original's message when it is missing.
REQUIRED = (
    ("infra-id", "infrastructure ID is required"),
    ("base-domain", "base domain is required"),
    ("region", "region is required"),
)
AGAIN = "run the same command again: it continues with what is left"


async def destroy(values: Values) -> int:
    """Delete the cluster and its infrastructure, and its object last.

    Our finalizer keeps the HostedCluster until AWS is clean, so a run that was interrupted can be
    repeated with the same flags: the object still has infra id, region and domain.
    """
    async with management(values["kubeconfig"]) as client:
        cluster = await client.find(kinds.HOSTED_CLUSTER, values["name"], values["namespace"])
        values = completed(values, cluster)
        check(values)
        both = await accounts(values, "cli-destroy-infra")
        # before anything is deleted: a deleted cluster cannot show what it had on AWS
        await asyncio.to_thread(both.cluster.call, "sts", "get_caller_identity")
        if cluster is None:
            sys.stderr.write(
                f"hosted cluster {values['namespace']}/{values['name']} is not there\n"
            )
        else:
            await _delete(client, values, cluster)
        await _clean(values, both)
        label = f"{INFRA_LABEL}={values['infra-id']}"
        await client.delete_collection(kinds.SECRET, values["namespace"], labels=label)
        await _let_go(client, values)
    log("Successfully destroyed cluster and infrastructure", name=values["name"])
    return 0


def completed(values: Values, cluster: Manifest | None) -> Values:
    """The command line with what the cluster itself knows: flags give way to it."""
    spec = (cluster or {}).get("spec", {})
    dns, platform = spec.get("dns") or {}, spec.get("platform", {})
    if cluster is not None and platform.get("type") != "AWS":
        raise UsageError(
            f"hostedcluster {values['namespace']}/{values['name']} is of platform "
            f"{platform.get('type')}, not AWS"
        )
    prefix = dns.get("baseDomainPrefix")
    known = {
        "infra-id": spec.get("infraID"),
        "region": (platform.get("aws") or {}).get("region"),
        "base-domain": dns.get("baseDomain"),
        # empty means that the domain has no prefix at all, which flags call "none"
        "base-domain-prefix": "none" if prefix == "" else prefix,
    }
    return values.having(**{flag: value for flag, value in known.items() if value})


def check(values: Values) -> None:
    """Refuse before anything is deleted; one message names all that is missing."""
    if values["secret-creds"]:
        raise UsageError(
            "credentials from a Secret (--secret-creds) are not built yet: give --sts-creds and "
            "--role-arn, or use the SDK's own chain"
        )
    missing = [words for flag, words in REQUIRED if not values[flag]]
    if missing:
        text = missing[0] if len(missing) == 1 else f"[{', '.join(missing)}]"
        raise UsageError(f"required inputs are missing: {text}")


async def _delete(client: Client, values: Values, cluster: Manifest) -> None:
    """Hold the cluster by our finalizer, delete it, and wait until only we hold it."""
    name, namespace = values["name"], values["namespace"]
    metadata: Manifest = {}
    held = cluster["metadata"].get("finalizers") or []
    # an object that is being deleted takes no new finalizer
    if DESTROY_FINALIZER not in held and not cluster["metadata"].get("deletionTimestamp"):
        metadata["finalizers"] = [*held, DESTROY_FINALIZER]
        metadata["resourceVersion"] = cluster["metadata"]["resourceVersion"]
    if values["destroy-cloud-resources"]:
        metadata["annotations"] = {CLEANUP: "true"}
    if metadata:
        await client.patch(kinds.HOSTED_CLUSTER, name, {"metadata": metadata}, namespace)
    await client.delete(kinds.HOSTED_CLUSTER, name, namespace)
    ending = options(Ending, values)
    force = values.get("force", default=False)
    await until_gone(client, ending, ours=DESTROY_FINALIZER, force=force)


async def _clean(values: Values, both: Accounts) -> None:
    """Remove network, then roles; trouble with one does not keep the other."""
    problems = [await _attempt(remove(values, values["infra-id"], both))]
    if not values["preserve-iam"]:
        removal = destroy_roles(both, values["infra-id"], log=log, clock=SystemClock())
        problems.append(await _attempt(removal))
    if said := [each for each in problems if each]:
        raise TerminalError("\n".join((*said, AGAIN)))


async def _attempt(step: Coroutine[Any, Any, None]) -> str:
    try:
        await step
    except HypershiftError as error:
        return str(error)
    return ""


async def _let_go(client: Client, values: Values) -> None:
    """Take our finalizer off the cluster, which disappears with it."""
    name, namespace = values["name"], values["namespace"]
    cluster = await client.find(kinds.HOSTED_CLUSTER, name, namespace)
    held = (cluster or {}).get("metadata", {}).get("finalizers") or []
    if cluster is None or DESTROY_FINALIZER not in held:
        return
    metadata = {
        "finalizers": [each for each in held if each != DESTROY_FINALIZER],
        "resourceVersion": cluster["metadata"]["resourceVersion"],
    }
    await client.patch(kinds.HOSTED_CLUSTER, name, {"metadata": metadata}, namespace)
