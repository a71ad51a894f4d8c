"""Tokens of service accounts, minted by the API server that knows them."""

import re
from contextlib import suppress
from typing import Final

from hypershift.kit import Manifest, TransientError
from hypershift.kube import kinds
from hypershift.kube.client import Client
from hypershift.kube.errors import AlreadyExists

#: A token of a service account has some 1000 characters.
TOKEN: Final = re.compile(r"[\w.=~+/-]{1,16384}", re.ASCII)


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
    told = made.get("status")
    status: Manifest = told if isinstance(told, dict) else {}
    token = status.get("token")
    # A hosted API server may answer anything, and a token goes into headers and files.
    if not isinstance(token, str) or not TOKEN.fullmatch(token):
        raise TransientError(f"the answer has no token of service account {namespace}/{account}")
    return status


def _account(namespace: str, name: str) -> Manifest:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
