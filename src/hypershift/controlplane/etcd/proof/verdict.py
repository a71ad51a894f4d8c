"""What a proof found, as the operator reads it from the termination message of a container."""

import json
from dataclasses import asdict, dataclass
from typing import Final

from hypershift.api.conditions import RestoreProofReason
from hypershift.kit import HypershiftError

#: Kubernetes keeps so many bytes of a termination message.
LONGEST: Final = 4096
LONGEST_TEXT: Final = 1500
#: Figures beyond this are no figures of a cluster.
_MOST: Final = 2**53


class Disproved(HypershiftError):
    """A backup that is not what it should be, or a proof that cannot be carried out."""

    def __init__(self, reason: RestoreProofReason, message: str) -> None:
        """Name the reason that the condition shows."""
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one proof, and what it measured."""

    reason: RestoreProofReason
    message: str = ""
    #: From the first byte fetched until the API server was ready.
    seconds: float = 0.0
    #: Of the snapshot: bytes, keys, kinds, and the revision at which all was compared.
    size: int = 0
    keys: int = 0
    kinds: int = 0
    revision: int = 0
    #: Objects that the API server read.
    objects: int = 0

    @property
    def is_good(self) -> bool:
        """Whether everything came back."""
        return self.reason is RestoreProofReason.RESTORED

    def text(self) -> str:
        """The verdict as a termination message."""
        short = asdict(self) | {"message": self.message[:LONGEST_TEXT]}
        return json.dumps(short, ensure_ascii=False, sort_keys=True)

    def figures(self) -> str:
        """What was measured, without words, as an annotation keeps it."""
        return json.dumps({k: v for k, v in asdict(self).items() if k != "message"}, sort_keys=True)


def read_verdict(text: str) -> Verdict | None:
    """The verdict in a termination message; None for anything else.

    A pod wrote it, next to programs whose images the cluster's owner may have chosen.
    """
    found = _document(text)
    return _verdict(found, found.get("message")) if found else None


def read_figures(text: str) -> Verdict | None:
    """The figures in an annotation; None for anything else."""
    found = _document(text)
    return _verdict(found, "") if found else None


def _document(text: str) -> dict[str, object]:
    if len(text) > LONGEST:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _verdict(found: dict[str, object], message: object) -> Verdict | None:
    try:
        if not isinstance(message, str):
            return None
        return Verdict(
            reason=RestoreProofReason(str(found["reason"])),
            message=message[:LONGEST_TEXT],
            seconds=_figure(found["seconds"]),
            **{name: int(_figure(found[name])) for name in _COUNTS},
        )
    except (KeyError, ValueError):
        return None


_COUNTS: Final = ("size", "keys", "kinds", "revision", "objects")


def _figure(found: object) -> float:
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < _MOST:
        raise ValueError("no figure")
    return round(float(found), 1)
