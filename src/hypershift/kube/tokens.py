"""Tokens of service accounts, minted by the API server that knows them."""

from contextlib import suppress

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.kube.client import Client
from hypershift.kube.errors import AlreadyExists


async def mint(client: Client, namespace: str, account: str, audience: str) -> Manifest:
    """A token of an account, which is made if it is missing: `status` of the request."""
    if await client.find(kinds.SERVICE_ACCOUNT, account, namespace) is None:
        with suppress(AlreadyExists):
            await client.create(_account(namespace, account))
    request = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"audiences": [audience]},
    }
    made = await client.submit(kinds.SERVICE_ACCOUNT, account, namespace, "token", request)
    status: Manifest = made["status"]
    return status


def _account(namespace: str, name: str) -> Manifest:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
