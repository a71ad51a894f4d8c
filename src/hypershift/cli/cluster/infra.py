"""Infrastructure that exists already, as files describe it."""

import os
from typing import Any

from hypershift.cli import decoding
from hypershift.cli.decoding import Struct
from hypershift.cli.files import read_file
from hypershift.cli.management import kubeconfig_path
from hypershift.kit import UsageError


def from_json(path: str, what: str, struct: Struct) -> dict[str, Any]:
    """A JSON document; `what` names it in the message when it cannot be read."""
    text = read_file(path, f"failed to read {what} json file")
    return decoding.from_json(text, "failed to load infra json", struct)


def from_yaml(path: str, reading: str, parsing: str, struct: Struct) -> dict[str, Any]:
    """A YAML document; the error names the step that failed."""
    return decoding.from_yaml(read_file(path, reading), parsing, struct)


def unbuilt(cloud: str, files: str) -> UsageError:
    """What a user hears who wants infrastructure made in a cloud."""
    return UsageError(
        f"failed to create infra: this program does not create infrastructure on {cloud} yet; "
        f"describe existing infrastructure with {files}"
    )


def pretends() -> bool:
    """Whether $FAKE_CLIENT=true asks for a management cluster that is empty."""
    return os.environ.get("FAKE_CLIENT") == "true"


def require_management(kubeconfig: str) -> None:
    """Refuse when no management cluster is known; an empty one will do to render."""
    if pretends():
        return
    try:
        kubeconfig_path(kubeconfig)
    except UsageError as error:
        raise UsageError(f"unable to get kubernetes config: {error}") from None
