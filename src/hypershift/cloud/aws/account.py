"""One account of AWS in one region: every call goes through here, and errors come out as ours."""

import threading
from collections import Counter
from typing import Any

from hypershift.cloud.aws.credentials import PRODUCT, Login, session
from hypershift.cloud.aws.errors import AwsUnavailable, CredentialsRefused, of_response

#: Attempts of the SDK for each call, as the original's.
ATTEMPTS = 11
ROUTE53_ATTEMPTS = 21
CONNECT_SECONDS = 10
READ_SECONDS = 60
CONNECTIONS = 32
#: Calls that make a second object when the SDK repeats them after a lost answer.
_MAKING = ("create_", "run_", "allocate_", "import_")


class Account:
    """Calls of AWS by name: `account.call("ec2", "create_vpc", CidrBlock=...)`.

    A call that makes something is sent once: when its answer is lost, the caller has to look
    before it asks again. All others are repeated by the SDK. Clients are made once and may be used
    by several threads.
    """

    def __init__(self, login: Login, agent: str, region: str, *, attempts: int = ATTEMPTS) -> None:
        """Log in; a role is assumed here, everything else happens with the first call."""
        self.region = region
        self._session = session(login, agent, region)
        self._agent = agent
        self._attempts = attempts
        self._clients: dict[tuple[str, bool], Any] = {}
        self._lock = threading.Lock()
        self.calls: Counter[str] = Counter()

    def call(self, service: str, operation: str, /, **request: Any) -> dict[str, Any]:
        """The answer of one call."""
        client = self._client(service, once=operation.startswith(_MAKING))
        answer: dict[str, Any] = self._said(
            service, operation, lambda: getattr(client, operation)(**request)
        )
        return answer

    def all(self, service: str, operation: str, key: str, /, **request: Any) -> list[Any]:
        """What a call lists, of all its pages; `key` names the list in each of them."""
        client = self._client(service, once=False)

        def pages() -> list[Any]:
            if not client.can_paginate(operation):
                return list(getattr(client, operation)(**request).get(key) or [])
            found = client.get_paginator(operation).paginate(**request)
            return [each for page in found for each in page.get(key) or []]

        answer: list[Any] = self._said(service, operation, pages)
        return answer

    def _client(self, service: str, *, once: bool) -> Any:
        with self._lock:
            if (service, once) not in self._clients:
                self._clients[service, once] = self._session.client(
                    service, config=self._config(service, once=once)
                )
            return self._clients[service, once]

    def _config(self, service: str, *, once: bool) -> Any:
        from botocore.config import Config  # noqa: PLC0415 - an optional extra

        patient = ROUTE53_ATTEMPTS if service == "route53" else ATTEMPTS
        attempts = 1 if once else min(self._attempts, patient)
        return Config(
            retries={"mode": "standard", "total_max_attempts": attempts},
            user_agent_extra=f"{PRODUCT}/{self._agent}",
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            max_pool_connections=CONNECTIONS,
        )

    def _said(self, service: str, operation: str, ask: Any) -> Any:
        from botocore.exceptions import (  # noqa: PLC0415 - an optional extra
            BotoCoreError,
            ClientError,
            CredentialRetrievalError,
            NoCredentialsError,
            PartialCredentialsError,
        )
        from botocore.parsers import ResponseParserError  # noqa: PLC0415

        self.calls[f"{service}:{operation}"] += 1
        name = "".join(word.capitalize() for word in operation.split("_"))
        try:
            return ask()
        except ClientError as error:
            raise of_response(service, name, dict(error.response)) from None
        except (NoCredentialsError, PartialCredentialsError, CredentialRetrievalError) as error:
            raise CredentialsRefused(
                f"no AWS credentials for {service}:{name}: {error}", code="", operation=name
            ) from None
        except (BotoCoreError, ResponseParserError) as error:
            raise AwsUnavailable(
                f"no answer from AWS to {service}:{name}: {type(error).__name__}"
            ) from None
