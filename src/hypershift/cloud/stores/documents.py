"""A bucket for small public documents; its credentials are read again for each call."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hypershift.cloud.stores.keys import keys_of_profile
from hypershift.cloud.stores.s3 import Bucket

SESSION = "hypershift-operator"


class Documents(Protocol):
    """Where documents of token issuers are published."""

    @property
    def name(self) -> str:
        """What people call the place."""
        ...

    async def write(self, key: str, body: bytes, content_type: str) -> None:
        """Store a document, in place of one that is there."""
        ...

    async def delete(self, key: str) -> None:
        """Delete a document; one that is not there is deleted."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentBucket:
    """A bucket by its name, and the file of those who may write to it."""

    name: str
    region: str
    credentials: Path

    async def write(self, key: str, body: bytes, content_type: str) -> None:
        """Store a document, in place of one that is there."""
        await asyncio.to_thread(lambda: self._bucket().write(key, body, content_type))

    async def delete(self, key: str) -> None:
        """Delete a document; one that is not there is deleted."""
        await asyncio.to_thread(lambda: self._bucket().delete(key))

    def _bucket(self, environment: Mapping[str, str] = os.environ) -> Bucket:
        def endpoint(service: str) -> str:
            common = environment.get("AWS_ENDPOINT_URL", "")
            return environment.get(f"AWS_ENDPOINT_URL_{service}", common)

        keys = keys_of_profile(self.credentials, self.region, SESSION, endpoint("STS"))
        return Bucket(self.name, self.region, keys, endpoint=endpoint("S3"))
