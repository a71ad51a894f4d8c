"""Credentials for registries, as a pull secret holds them."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from hypershift.kit import InvalidSpec, Secret

#: A name begins where a word does: the search would begin at each of its letters otherwise.
_PARAMETER = re.compile(r'\b(\w{1,64})="([^"]*)"')
_LONGEST_HEADER = 8192
#: Docker Hub's credentials stand under an address of its past.
_ALIASES = {"docker.io": ("index.docker.io/v1", "index.docker.io", "registry-1.docker.io")}


@dataclass(frozen=True, slots=True)
class Credential:
    """A user name and its password."""

    user: str
    password: Secret[str]

    def basic(self) -> str:
        """The value of an Authorization header."""
        pair = f"{self.user}:{self.password.reveal()}"
        return f"Basic {base64.b64encode(pair.encode()).decode()}"


@dataclass(frozen=True, slots=True)
class PullSecret:
    """Credentials by registry, or by registry and the start of a repository's path."""

    credentials: Mapping[str, Credential] = field(default_factory=dict)

    def find(self, host: str, repository: str) -> Credential | None:
        """The credential of the longest matching path; the host's own one comes last."""
        words = repository.split("/")
        paths = ["/".join((host, *words[:count])) for count in range(len(words), -1, -1)]
        for name in (*paths, *_ALIASES.get(host, ())):
            if found := self.credentials.get(name):
                return found
        return None


def read_pull_secret(content: str | bytes) -> PullSecret:
    """Read a `.dockerconfigjson` document."""
    try:
        auths = msgspec.json.decode(content, type=dict[str, Any]).get("auths", {})
        found = {_host(name): _credential(entry) for name, entry in auths.items()}
    except (
        msgspec.DecodeError,
        AttributeError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        # the document is a secret: say what is wrong without showing it
        raise InvalidSpec(
            "the pull secret is not a docker configuration in JSON", field="spec.pullSecret"
        ) from error
    return PullSecret({host: each for host, each in found.items() if each})


def _host(name: str) -> str:
    return name.removeprefix("https://").removeprefix("http://").rstrip("/")


def _credential(entry: Mapping[str, str]) -> Credential | None:
    if auth := entry.get("auth"):
        user, _, password = base64.b64decode(auth).decode().partition(":")
        return Credential(user, Secret(password))
    if user := entry.get("username", ""):
        return Credential(user, Secret(entry.get("password", "")))
    return None


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a registry asks for before it serves."""

    scheme: str
    parameters: Mapping[str, str]


def read_challenge(header: str) -> Challenge:
    """Read a WWW-Authenticate header."""
    scheme, _, rest = header.partition(" ")
    return Challenge(scheme.lower(), dict(_PARAMETER.findall(rest[:_LONGEST_HEADER])))
