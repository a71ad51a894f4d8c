"""`destroy cluster aws`: the cluster first, then its network, then its roles."""

import asyncio
import sys
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import Any

from hypershift.api.finalizers import DESTROY_FINALIZER
from hypershift.cli.clouds.aws.account import accounts, log
from hypershift.cli.clouds.aws.infra import remove
from hypershift.cli.clouds.aws.options import AccountOptions, TeardownOptions
from hypershift.cli.cluster.build import INFRA_LABEL
from hypershift.cli.cluster.destroy import CLEANUP, Ending, until_gone
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.infra.aws import Accounts
from hypershift.infra.aws.roles import destroy_roles
from hypershift.kit import HypershiftError, Manifest, SystemClock, TerminalError, UsageError
from hypershift.kube import Client, kinds

#: What must be known of the cloud, and the original's message when it is missing.
INFRA_ID, DOMAIN, REGION = (
    f"{what} is required" for what in ("infrastructure ID", "base domain", "region")
)
AGAIN = "run the same command again: it continues with what is left"


@dataclass(frozen=True, slots=True, kw_only=True)
class DestroyOptions(Ending):
    """What `destroy cluster aws` is given."""

    account: AccountOptions
    teardown: TeardownOptions
    destroy_cloud_resources: bool
    force: bool = False
    infra_id: str
    kubeconfig: str
    preserve_iam: bool
    secret_creds: str


async def destroy(options: DestroyOptions) -> int:
    """Delete the cluster and its infrastructure, and its object last.

    Our finalizer keeps the HostedCluster until AWS is clean, so a run that was interrupted can be
    repeated with the same flags: the object still has infra id, region and domain.
    """
    async with management(options.kubeconfig) as client:
        cluster = await client.find(kinds.HOSTED_CLUSTER, options.name, options.namespace)
        options = completed(options, cluster)
        check(options)
        both = await accounts(options.account, "cli-destroy-infra")
        # before anything is deleted: a deleted cluster cannot show what it had on AWS
        await asyncio.to_thread(both.cluster.call, "sts", "get_caller_identity")
        if cluster is None:
            sys.stderr.write(f"hosted cluster {options.namespace}/{options.name} is not there\n")
        else:
            await _delete(client, options, cluster)
        await _clean(options, both)
        label = f"{INFRA_LABEL}={options.infra_id}"
        await client.delete_collection(kinds.SECRET, options.namespace, labels=label)
        await _let_go(client, options)
    log("Successfully destroyed cluster and infrastructure", name=options.name)
    return 0


def completed(options: DestroyOptions, cluster: Manifest | None) -> DestroyOptions:
    """The command line with what the cluster itself knows: flags give way to it."""
    spec = (cluster or {}).get("spec", {})
    dns, platform = spec.get("dns") or {}, spec.get("platform", {})
    if cluster is not None and platform.get("type") != "AWS":
        raise UsageError(
            f"hostedcluster {options.namespace}/{options.name} is of platform "
            f"{platform.get('type')}, not AWS"
        )
    prefix = dns.get("baseDomainPrefix")
    known = options.teardown
    region = (platform.get("aws") or {}).get("region") or known.region
    teardown = replace(
        known,
        region=region,
        base_domain=dns.get("baseDomain") or known.base_domain,
        # empty means that the domain has no prefix at all, which flags call "none"
        base_domain_prefix="none" if prefix == "" else prefix or known.base_domain_prefix,
    )
    return replace(
        options,
        infra_id=spec.get("infraID") or options.infra_id,
        teardown=teardown,
        account=replace(options.account, region=region),
    )


def check(options: DestroyOptions) -> None:
    """Refuse before anything is deleted; one message names all that is missing."""
    if options.secret_creds:
        raise UsageError(
            "credentials from a Secret (--secret-creds) are not built yet: give --sts-creds and "
            "--role-arn, or use the SDK's own chain"
        )
    known = (
        (options.infra_id, INFRA_ID),
        (options.teardown.base_domain, DOMAIN),
        (options.teardown.region, REGION),
    )
    missing = [problem for value, problem in known if not value]
    if missing:
        text = missing[0] if len(missing) == 1 else f"[{', '.join(missing)}]"
        raise UsageError(f"required inputs are missing: {text}")


async def _delete(client: Client, options: DestroyOptions, cluster: Manifest) -> None:
    """Hold the cluster by our finalizer, delete it, and wait until only we hold it."""
    name, namespace = options.name, options.namespace
    metadata: Manifest = {}
    held = cluster["metadata"].get("finalizers") or []
    # an object that is being deleted takes no new finalizer
    if DESTROY_FINALIZER not in held and not cluster["metadata"].get("deletionTimestamp"):
        metadata["finalizers"] = [*held, DESTROY_FINALIZER]
        metadata["resourceVersion"] = cluster["metadata"]["resourceVersion"]
    if options.destroy_cloud_resources:
        metadata["annotations"] = {CLEANUP: "true"}
    if metadata:
        await client.patch(kinds.HOSTED_CLUSTER, name, {"metadata": metadata}, namespace)
    await client.delete(kinds.HOSTED_CLUSTER, name, namespace)
    await until_gone(client, options, ours=DESTROY_FINALIZER, force=options.force)


async def _clean(options: DestroyOptions, both: Accounts) -> None:
    """Remove network, then roles; trouble with one does not keep the other."""
    problems = [await _attempt(remove(options.teardown, options.infra_id, both))]
    if not options.preserve_iam:
        removal = destroy_roles(both, options.infra_id, log=log, clock=SystemClock())
        problems.append(await _attempt(removal))
    if said := [each for each in problems if each]:
        raise TerminalError("\n".join((*said, AGAIN)))


async def _attempt(step: Coroutine[Any, Any, None]) -> str:
    try:
        await step
    except HypershiftError as error:
        return str(error)
    return ""


async def _let_go(client: Client, options: DestroyOptions) -> None:
    """Take our finalizer off the cluster, which disappears with it."""
    name, namespace = options.name, options.namespace
    cluster = await client.find(kinds.HOSTED_CLUSTER, name, namespace)
    held = (cluster or {}).get("metadata", {}).get("finalizers") or []
    if cluster is None or DESTROY_FINALIZER not in held:
        return
    metadata = {
        "finalizers": [each for each in held if each != DESTROY_FINALIZER],
        "resourceVersion": cluster["metadata"]["resourceVersion"],
    }
    await client.patch(kinds.HOSTED_CLUSTER, name, {"metadata": metadata}, namespace)


DESTROY = Typed(DestroyOptions, destroy)
