"""The server's refusals, as exceptions that become Status objects."""

from typing import Any

import msgspec

from hypershift.kit import Key
from hypershift.kube import Resource


class Refused(Exception):
    """An answer that is not success."""

    def __init__(
        self,
        code: int,
        reason: str,
        message: str,
        *,
        details: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Keep what the Status object says."""
        super().__init__(message)
        self.code, self.reason, self.message = code, reason, message
        self.details, self.headers = details or {}, headers or {}

    def status(self) -> dict[str, Any]:
        """The Status object."""
        return {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "reason": self.reason,
            "details": self.details,
            "code": self.code,
        }

    def body(self) -> bytes:
        """The Status object as bytes."""
        return msgspec.json.encode(self.status())


def _details(resource: Resource, name: str) -> dict[str, Any]:
    group = {"group": resource.group} if resource.group else {}
    return {"name": name, **group, "kind": resource.plural}


def not_found(resource: Resource, name: str) -> Refused:
    """No such object."""
    message = f'{resource} "{name}" not found'
    return Refused(404, "NotFound", message, details=_details(resource, name))


def already_exists(resource: Resource, name: str) -> Refused:
    """One of this name is there."""
    message = f'{resource} "{name}" already exists'
    return Refused(409, "AlreadyExists", message, details=_details(resource, name))


def conflict(resource: Resource, name: str, why: str) -> Refused:
    """The caller's picture of the object is not the current one."""
    message = f'Operation cannot be fulfilled on {resource} "{name}": {why}'
    return Refused(409, "Conflict", message, details=_details(resource, name))


MODIFIED = (
    "the object has been modified; please apply your changes to the latest version and try again"
)


def invalid(resource: Resource, key: Key | str, field: str, why: str) -> Refused:
    """The object is understood and refused."""
    name = key.name if isinstance(key, Key) else key
    message = f'{resource.kind} "{name}" is invalid: {field}: {why}'
    causes = {"causes": [{"reason": "FieldValueInvalid", "message": why, "field": field}]}
    return Refused(422, "Invalid", message, details=_details(resource, name) | causes)


def forbidden(resource: Resource, name: str, why: str) -> Refused:
    """Known but not allowed."""
    message = f'{resource} "{name}" is forbidden: {why}'
    return Refused(403, "Forbidden", message, details=_details(resource, name))


def expired(message: str = "The resourceVersion for the provided watch is too old.") -> Refused:
    """The version is compacted."""
    return Refused(410, "Expired", message)


def bad_request(message: str) -> Refused:
    """Not understood."""
    return Refused(400, "BadRequest", message)
