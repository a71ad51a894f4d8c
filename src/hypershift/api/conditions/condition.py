"""A condition as a value: what a rule decides and a phase sets.

    type     what the condition is about: a member of an enum of this package
    status   True, False or Unknown
    reason   why, in one word: a member of an enum of this package, or a `ForeignReason`
    message  why, in a sentence for people

Times and generations are no part of the value; `runtime.Conditions` adds them when it writes.
"""

from dataclasses import dataclass
from typing import NewType, TypeAlias

from hypershift.api.conditions.common import Reason
from hypershift.api.conditions.words import ConditionReason, ConditionType
from hypershift.api.values import ConditionStatus
from hypershift.kit import Manifest

ForeignReason = NewType("ForeignReason", str)
"""A reason that someone else chose: kubelet, a provider, or another object's condition."""

AnyReason: TypeAlias = ConditionReason | ForeignReason


@dataclass(frozen=True, slots=True)
class Condition:
    """One decided condition; `true`, `false`, `unknown` and `copied` make it."""

    type: ConditionType
    status: ConditionStatus
    reason: AnyReason = Reason.AS_EXPECTED
    message: str = ""

    @property
    def is_true(self) -> bool:
        """Whether the status is True."""
        return self.status is ConditionStatus.TRUE

    def manifest(self) -> Manifest:
        """The condition as an object's status shows it, still without its time."""
        return {
            "type": self.type.value,
            "status": self.status.value,
            "reason": str(self.reason),
            "message": self.message,
        }


def true(
    type_: ConditionType, message: str = "", reason: AnyReason = Reason.AS_EXPECTED
) -> Condition:
    """It is so; the reason is rarely worth a word."""
    return Condition(type_, ConditionStatus.TRUE, reason, message)


def false(type_: ConditionType, reason: AnyReason, message: str = "") -> Condition:
    """It is not so, for this reason."""
    return Condition(type_, ConditionStatus.FALSE, reason, message)


def unknown(
    type_: ConditionType, reason: AnyReason = Reason.STATUS_UNKNOWN, message: str = ""
) -> Condition:
    """The controller does not know whether it is so."""
    return Condition(type_, ConditionStatus.UNKNOWN, reason, message)


def decided(
    type_: ConditionType,
    *,
    so: bool,
    reason: AnyReason = Reason.AS_EXPECTED,
    message: str = "",
) -> Condition:
    """True or False, whichever is so, for a reason that both may have."""
    status = ConditionStatus.TRUE if so else ConditionStatus.FALSE
    return Condition(type_, status, reason, message)


def copied(found: Manifest, type_: ConditionType) -> Condition:
    """Repeat another object's condition under a type of ours."""
    reason = ForeignReason(str(found.get("reason") or ""))
    return Condition(type_, status_of(found), reason, str(found.get("message") or ""))


def status_of(found: Manifest | None) -> ConditionStatus:
    """The status of a condition that an object shows; Unknown if it is absent or unreadable.

    The API server refuses a whole status because of one condition with another word.
    """
    try:
        return ConditionStatus((found or {}).get("status", ""))
    except ValueError:
        return ConditionStatus.UNKNOWN


def holds(found: Manifest | None) -> bool:
    """Whether a condition that an object shows is True; False if the object has none."""
    return status_of(found) is ConditionStatus.TRUE


def fails(found: Manifest | None) -> bool:
    """Whether a condition that an object shows is False; False if the object has none."""
    return status_of(found) is ConditionStatus.FALSE
