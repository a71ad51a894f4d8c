"""`fix dr-oidc-iam`: let AWS trust the tokens of a cluster again, after its account lost that.

1 documents  2 provider  3 bucket  4 documents anew  5 provider anew  6 verify  7 control plane
"""

import asyncio
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from hypershift.api import annotations
from hypershift.cli.clouds.aws.account import log, login
from hypershift.cli.clouds.aws.options import LoginOptions
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.cloud.aws import Account
from hypershift.infra.aws.roles import issuer_of_bucket, repair
from hypershift.infra.aws.roles.repair import Issuer
from hypershift.kit import Key, Manifest, TerminalError, UsageError, data_of, rfc3339
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, kinds
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET
from hypershift.pki.issuer import CONFIGURATION, KEYS, documents

PATHS = (CONFIGURATION, KEYS)
PUBLIC_KEYS = "service-account.pub"
CRASHING = "CrashLoopBackOff"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairOptions:
    """What `fix dr-oidc-iam` is given."""

    login: LoginOptions
    dry_run: bool
    force_recreate: bool
    hc_name: str
    hc_namespace: str
    infra_id: str
    issuer: str
    oidc_bucket: str
    region: str
    restart_delay: timedelta
    timeout: timedelta


@dataclass(frozen=True, slots=True)
class RepairTarget:
    """The cluster whose trust is repaired; without a name its keys are not at hand."""

    infra_id: str
    region: str
    issuer: Issuer
    key: Key | None = None


async def repair_trust(options: RepairOptions) -> int:
    """Look, then mend what is missing; `--dry-run` only says what would be done."""
    check(options)
    seconds = options.timeout.total_seconds()
    try:
        async with asyncio.timeout(seconds or None):
            patient = await _find_target(options)
            account = await asyncio.to_thread(
                Account, login(options.login), "cli-fix-dr-oidc-iam", patient.region
            )
            mended = await asyncio.to_thread(_repair, account, patient, options)
            if mended and patient.key and not options.dry_run:
                await _restart(patient.key, options)
    except TimeoutError:
        raise UsageError(
            f"not done within --timeout ({int(seconds)} s): run the same command again"
        ) from None
    return 0


def check(options: RepairOptions) -> None:
    """Refuse what names no cluster, or two."""
    named = (options.hc_name, options.hc_namespace)
    placed = (options.infra_id, options.region)
    if any(named) and any(placed):
        raise UsageError(
            "give either --hc-name and --hc-namespace, or --infra-id and --region, not both"
        )
    if not all(named) and not all(placed):
        raise UsageError("--hc-name and --hc-namespace, or --infra-id and --region, are required")
    if options.login.aws_creds and (options.login.sts_creds or options.login.role_arn):
        raise UsageError("only one of 'aws-creds' or 'role-arn' and 'sts-creds' can be provided")


async def _find_target(options: RepairOptions) -> RepairTarget:
    if not options.hc_name:
        return _of_flags(options)
    key = Key(options.hc_namespace, options.hc_name)
    async with management("") as client:
        cluster = await client.get(kinds.HOSTED_CLUSTER, key.name, key.namespace)
        plane = control_plane_namespace(key)
        keys = await client.get(kinds.SECRET, SERVICE_ACCOUNT_SECRET, plane)
    section = cluster["spec"]["platform"].get("aws")
    if not section:
        raise UsageError(f"hostedcluster {key} is not of platform AWS")
    url = options.issuer or cluster["spec"].get("issuerURL", "")
    issuer = _issuer(options, url, documents(url, data_of(keys, PUBLIC_KEYS)))
    return RepairTarget(str(cluster["spec"]["infraID"]), str(section["region"]), issuer, key)


def _of_flags(options: RepairOptions) -> RepairTarget:
    infra_id, region = options.infra_id, options.region
    bucket = options.oidc_bucket or f"{infra_id}-oidc"
    url = options.issuer or issuer_of_bucket(bucket, region, infra_id)
    return RepairTarget(infra_id, region, _issuer(options, url, {}))


def _issuer(options: RepairOptions, url: str, known: dict[str, bytes]) -> Issuer:
    bucket, region = repair.bucket_of(url)
    if options.oidc_bucket not in ("", bucket):
        raise UsageError(f"--oidc-bucket {options.oidc_bucket} is not the bucket of {url}")
    return Issuer(url, bucket, region, known)


def _repair(account: Account, patient: RepairTarget, options: RepairOptions) -> bool:
    """Steps 1 to 6; whether something was, or would be, mended."""
    issuer, force = patient.issuer, options.force_recreate
    missing = repair.missing_documents(account, issuer, PATHS)
    _step(1, f"OIDC documents in {issuer.bucket}", f"missing: {', '.join(missing)}", not missing)
    provider = repair.find_provider(account, issuer)
    _step(2, "OIDC provider", f"none for {issuer.url}", bool(provider))
    if not missing and provider and not force:
        sys.stdout.write("AWS trusts the cluster: nothing to repair\n")
        return False
    if missing and not issuer.documents:
        raise TerminalError(
            "the documents are made of the cluster's keys: give --hc-name and --hc-namespace"
        )
    if options.dry_run:
        for line in _intentions(issuer, missing, provider, force=force):
            sys.stdout.write(f"would {line}\n")
        return True
    if missing or (force and issuer.documents):
        tags = {f"kubernetes.io/cluster/{patient.infra_id}": "owned"}
        repair.ensure_bucket(account, issuer, tags, log)
        repair.put_documents(account, issuer, log)
    if force or not provider:
        repair.renew_provider(account, issuer, log)
    _verify(account, issuer)
    return True


def _intentions(
    issuer: Issuer, missing: tuple[str, ...], provider: str, *, force: bool
) -> list[str]:
    lines = []
    if missing or (force and issuer.documents):
        lines += [f"make sure of bucket {issuer.bucket}", f"write the documents of {issuer.url}"]
    if force or not provider:
        lines.append(f"{'renew' if provider else 'create'} the OIDC provider of {issuer.url}")
    return lines


def _verify(account: Account, issuer: Issuer) -> None:
    missing = repair.missing_documents(account, issuer, PATHS)
    provider = repair.find_provider(account, issuer)
    _step(6, "verified", "it is not as it was just written", not missing and bool(provider))
    if missing or not provider:
        raise TerminalError("AWS does not show what was written yet: run the same command again")


def _step(number: int, what: str, problem: str, right: bool) -> None:  # noqa: FBT001
    sys.stdout.write(f"step {number}: {what}: {'fine' if right else problem}\n")


async def _restart(key: Key, options: RepairOptions) -> None:
    """Restart a control plane that crashes, once AWS has heard of the new provider."""
    async with management("") as client:
        crashing = await _crashing(client, control_plane_namespace(key))
        _step(7, "control plane", f"{', '.join(crashing)}: {CRASHING}", not crashing)
        if not crashing:
            return
        moment = rfc3339(datetime.now(UTC) + options.restart_delay)
        marks: Manifest = {"metadata": {"annotations": {annotations.RESTART_DATE: moment}}}
        await client.patch(kinds.HOSTED_CLUSTER, key.name, marks, key.namespace)
    log("The control plane restarts", at=moment)


async def _crashing(client: Client, namespace: str) -> list[str]:
    pods = await client.list(kinds.POD, namespace)
    return sorted(each["metadata"]["name"] for each in pods if _crashes(each))


def _crashes(pod: Manifest) -> bool:
    status: dict[str, Any] = pod.get("status") or {}
    known = [*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())]
    waiting = ((each.get("state") or {}).get("waiting") or {} for each in known)
    return any(each.get("reason") == CRASHING for each in waiting)


REPAIR = Typed(RepairOptions, repair_trust)
